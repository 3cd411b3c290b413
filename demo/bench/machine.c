/* The conditions of a measurement: the processor, the compiler and the type of build. A time means
 * little without them. */
#ifdef __linux__
#define _GNU_SOURCE // sched_setaffinity
#elif !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // clock_gettime
#endif
#include "bench.h"

#include <string.h>
#include <time.h>

#ifdef __linux__
#include <errno.h>
#include <sched.h>
#include <unistd.h>
#endif

#define TEXT(x)    TEXT_OF(x)
#define TEXT_OF(x) #x

#ifndef CAIRN_BUILD_TYPE
#define CAIRN_BUILD_TYPE "unknown build"
#endif

static const char *const version =
    TEXT(CN_VERSION_MAJOR) "." TEXT(CN_VERSION_MINOR) "." TEXT(CN_VERSION_PATCH);

#ifdef __linux__

// Reads the value of the first line of /proc/cpuinfo that begins with the key.
static bool read_cpu_info(const char *key, char *value, size_t size) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) return false;
    char line[256];
    bool is_found = false;
    while (!is_found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0) continue;
        is_found = true;
        snprintf(value, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    fclose(file);
    return is_found;
}

static void read_cpu(bench_machine *machine) {
    bool is_named = read_cpu_info("model name", machine->cpu, sizeof machine->cpu) ||
                    read_cpu_info("Model", machine->cpu, sizeof machine->cpu);
    if (!is_named) snprintf(machine->cpu, sizeof machine->cpu, "unknown CPU");
    machine->cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
}

bool bench_pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) return true;
    fprintf(stderr, "cairn-bench: --pin %d: %s\n", cpu,
            errno == EINVAL ? "this CPU does not exist, or the program may not use it"
                            : strerror(errno));
    return false;
}

#else

static void read_cpu(bench_machine *machine) {
    snprintf(machine->cpu, sizeof machine->cpu, "unknown CPU");
    machine->cpus = 0;
}

bool bench_pin(int cpu) {
    fprintf(stderr, "cairn-bench: --pin %d: this option works only on Linux\n", cpu);
    return false;
}

#endif

double bench_now(bool several_threads) {
    struct timespec t;
#ifdef CLOCK_THREAD_CPUTIME_ID
    clock_gettime(several_threads ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
#else
    (void)several_threads;
    timespec_get(&t, TIME_UTC);
#endif
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void read_compiler(bench_machine *machine) {
#if defined(__clang__)
    snprintf(machine->compiler, sizeof machine->compiler, "clang %d.%d.%d", __clang_major__,
             __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    snprintf(machine->compiler, sizeof machine->compiler, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__,
             __GNUC_PATCHLEVEL__);
#else
    snprintf(machine->compiler, sizeof machine->compiler, "unknown compiler");
#endif
}

bool bench_read_machine(bench_machine *machine, const bench_settings *settings) {
    *machine = (bench_machine){.build = CAIRN_BUILD_TYPE, .version = version};
    read_cpu(machine);
    read_compiler(machine);
    cn_world *world = cn_world_create(&settings->world);
    if (!world) {
        fprintf(stderr, "cairn-bench: %s\n", cn_error());
        return false;
    }
    machine->lanes = cn_world_counters(world).lanes;
    cn_world_destroy(world);
    return true;
}
