/* Measures how long a cache line takes from one core to another one and back: one thread writes a
 * number, another one on another core answers. Cores that share a cache need about 100 to 200 ns
 * for both ways. Cores that share no cache need 400 to 800 ns. The virtual CPUs of a shared machine
 * may change from one to the other within minutes, so times of several threads need this figure. */
#define _GNU_SOURCE
#include "cores.h"

#if defined(__linux__)

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 20000 };

typedef struct {
    _Alignas(128) atomic_int sent;
    _Alignas(128) atomic_int answered;
} ping;

static cpu_set_t only(int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    return one;
}

static void wait_for(atomic_int *number, int value) {
    while (atomic_load_explicit(number, memory_order_acquire) != value) {}
}

static void *answer(void *argument) {
    ping *p = argument;
    for (int i = 1; i <= ROUNDS; i++) {
        wait_for(&p->sent, i);
        atomic_store_explicit(&p->answered, i, memory_order_release);
    }
    return NULL;
}

// Starts the thread that answers, on that core.
static bool start_on(int cpu, pthread_t *thread, ping *p) {
    const cpu_set_t one = only(cpu);
    pthread_attr_t on_core;
    if (pthread_attr_init(&on_core) != 0) return false;
    const bool started = pthread_attr_setaffinity_np(&on_core, sizeof one, &one) == 0 &&
                         pthread_create(thread, &on_core, answer, p) == 0;
    pthread_attr_destroy(&on_core);
    return started;
}

// Returns the time between the core of this thread and the other core; 0 if no thread can run
// there.
static double measure(int cpu) {
    ping p = {0};
    pthread_t thread;
    if (!start_on(cpu, &thread, &p)) return 0;
    double start = 0;
    for (int i = 1; i <= ROUNDS; i++) {
        if (i == ROUNDS / 4) start = bench_now(true); // both threads run now
        atomic_store_explicit(&p.sent, i, memory_order_release);
        wait_for(&p.answered, i);
    }
    const double ns = (bench_now(true) - start) * 1e6 / (ROUNDS - ROUNDS / 4 + 1);
    pthread_join(thread, NULL);
    return ns;
}

// The longest time between the core of this thread, `own`, and the others of the first `cores` that
// are allowed. 0 if one of them cannot be measured.
static double measure_all(const cpu_set_t *allowed, int own, int cores) {
    double longest = 0;
    for (int cpu = own + 1, seen = 1; cpu < CPU_SETSIZE && seen < cores; cpu++) {
        if (!CPU_ISSET((size_t)cpu, allowed)) continue;
        const double ns = measure(cpu);
        if (ns <= 0) return 0;
        if (ns > longest) longest = ns;
        seen++;
    }
    return longest;
}

double near_round_trip(int cores) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
    int own = 0;
    while (own < CPU_SETSIZE && !CPU_ISSET((size_t)own, &allowed)) own++;
    const cpu_set_t one = only(own);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return 0;
    const double longest = measure_all(&allowed, own, cores);
    sched_setaffinity(0, sizeof allowed, &allowed);
    return longest;
}

#else

double near_round_trip(int cores) {
    (void)cores;
    return 0;
}

#endif
