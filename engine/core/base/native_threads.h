/* Threads, a mutex and a condition of the operating system, for threads.c: those of POSIX, or those
 * of Windows, so that programs for Windows need no other library. HAS_THREADS is 1 if
 * there are any. Yielding the processor is always possible. */
#ifndef CN_NATIVE_THREADS_H
#define CN_NATIVE_THREADS_H

#include <stdbool.h>

// WebAssembly has threads only if the build enables them. Otherwise a world has one thread, or uses
// the user's task system.
#if defined(__wasm__) && !defined(_REENTRANT)
#define HAS_THREADS 0
#else
#define HAS_THREADS 1
#endif

#if defined(_WIN32)

#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <process.h>
#include <windows.h>

typedef HANDLE cn_thread;
typedef SRWLOCK cn_mutex;
typedef CONDITION_VARIABLE cn_condition;
typedef unsigned cn_thread_result;
#define CN_THREAD_CALL __stdcall
typedef cn_thread_result CN_THREAD_CALL cn_thread_function(void *argument);

static inline void cn_thread_yield(void) { (void)SwitchToThread(); }
static inline bool cn_thread_start(cn_thread *thread, cn_thread_function *run, void *argument) {
    *thread = (HANDLE)_beginthreadex(NULL, 0, run, argument, 0, NULL);
    return *thread != NULL;
}
static inline void cn_thread_join(cn_thread thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

static inline void cn_mutex_begin(cn_mutex *mutex) { InitializeSRWLock(mutex); }
static inline void cn_mutex_end(cn_mutex *mutex) { (void)mutex; }
static inline void cn_mutex_lock(cn_mutex *mutex) { AcquireSRWLockExclusive(mutex); }
static inline void cn_mutex_unlock(cn_mutex *mutex) { ReleaseSRWLockExclusive(mutex); }

static inline void cn_condition_begin(cn_condition *wake) { InitializeConditionVariable(wake); }
static inline void cn_condition_end(cn_condition *wake) { (void)wake; }
static inline void cn_condition_wait(cn_condition *wake, cn_mutex *mutex) {
    SleepConditionVariableSRW(wake, mutex, INFINITE, 0);
}
static inline void cn_condition_wake_all(cn_condition *wake) { WakeAllConditionVariable(wake); }

#else

#include <sched.h>

static inline void cn_thread_yield(void) { sched_yield(); }

#if HAS_THREADS
#include <pthread.h>

typedef pthread_t cn_thread;
typedef pthread_mutex_t cn_mutex;
typedef pthread_cond_t cn_condition;
typedef void *cn_thread_result;
#define CN_THREAD_CALL
typedef cn_thread_result cn_thread_function(void *argument);

static inline bool cn_thread_start(cn_thread *thread, cn_thread_function *run, void *argument) {
    return pthread_create(thread, NULL, run, argument) == 0;
}
static inline void cn_thread_join(cn_thread thread) { pthread_join(thread, NULL); }

static inline void cn_mutex_begin(cn_mutex *mutex) { pthread_mutex_init(mutex, NULL); }
static inline void cn_mutex_end(cn_mutex *mutex) { pthread_mutex_destroy(mutex); }
static inline void cn_mutex_lock(cn_mutex *mutex) { pthread_mutex_lock(mutex); }
static inline void cn_mutex_unlock(cn_mutex *mutex) { pthread_mutex_unlock(mutex); }

static inline void cn_condition_begin(cn_condition *wake) { pthread_cond_init(wake, NULL); }
static inline void cn_condition_end(cn_condition *wake) { pthread_cond_destroy(wake); }
static inline void cn_condition_wait(cn_condition *wake, cn_mutex *mutex) {
    pthread_cond_wait(wake, mutex);
}
static inline void cn_condition_wake_all(cn_condition *wake) { pthread_cond_broadcast(wake); }
#endif

#endif

#endif
