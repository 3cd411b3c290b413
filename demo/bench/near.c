/* Measures how long a cache line takes from one core to another one and back: one thread writes a
 * number, another one on another core answers. Cores that share a cache need about 100 to 200 ns
 * for both ways, cores that share none 400 to 800. The virtual CPUs of a shared machine may change
 * from one to the other within minutes, so a time of several threads is worth little without it. */
#define _GNU_SOURCE
#include "cores.h"

#if defined(__linux__)

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { ROUNDS = 20000 };

typedef struct {
    _Alignas(128) atomic_int sent;
    _Alignas(128) atomic_int answered;
    int cpu;
} ping;

static void run_on(int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

static void wait_for(atomic_int *number, int value) {
    while (atomic_load_explicit(number, memory_order_acquire) != value) {}
}

static void *answer(void *argument) {
    ping *p = argument;
    run_on(p->cpu);
    for (int i = 1; i <= ROUNDS; i++) {
        wait_for(&p->sent, i);
        atomic_store_explicit(&p->answered, i, memory_order_release);
    }
    return NULL;
}

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Between the core of this thread and that one.
static double measure(int cpu) {
    ping p = {.cpu = cpu};
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer, &p) != 0) return 0;
    double start = 0;
    for (int i = 1; i <= ROUNDS; i++) {
        if (i == ROUNDS / 4) start = now_ns(); // both threads run now
        atomic_store_explicit(&p.sent, i, memory_order_release);
        wait_for(&p.answered, i);
    }
    const double ns = (now_ns() - start) / (ROUNDS - ROUNDS / 4 + 1);
    pthread_join(thread, NULL);
    return ns;
}

double near_round_trip(int cores) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
    int seen = 0;
    double longest = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && seen < cores; cpu++) {
        if (!CPU_ISSET((size_t)cpu, &allowed)) continue;
        if (seen++ == 0) {
            run_on(cpu);
            continue;
        }
        const double ns = measure(cpu);
        if (ns > longest) longest = ns;
    }
    pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
    return longest;
}

#else

double near_round_trip(int cores) {
    (void)cores;
    return 0;
}

#endif
