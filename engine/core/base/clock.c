/* A clock for profiles. Nothing of a simulation depends on it. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 199309L // clock_gettime
#endif
#include "base.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <time.h>
#endif

// Returns the time of a clock that never goes back.
double cn_clock_seconds(void) {
#if defined(_WIN32)
    LARGE_INTEGER ticks, ticks_per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&ticks_per_second);
    return (double)ticks.QuadPart / (double)ticks_per_second.QuadPart;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}
