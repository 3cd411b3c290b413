/* The part of the web binding that must be C: functions of JavaScript as callbacks, and the
 * functions that the C library would import from WASI. Everything else calls the exported functions
 * of cairn.h.
 *
 * A callback is an imported function with the type that cairn.h requires, so its address can be
 * passed to Cairn directly. JavaScript reads the addresses from web_functions. */
#include "../../cairn.h"

#include <errno.h>
#include <sched.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

off_t __lseek(int file, off_t offset, int whence);

#define IMPORT(name) __attribute__((import_module("cairn"), import_name(#name)))

IMPORT(filter) bool js_filter(cn_world *world, cn_shape a, cn_shape b, void *user);
IMPORT(preSolve)
cn_pre_solve_result js_pre_solve(cn_world *world, const cn_contact *contact, void *user);
IMPORT(beforeStep) void js_before_step(cn_world *world, float time_step, void *user);
IMPORT(accept) bool js_accept(const cn_world *world, cn_side side, void *user);
IMPORT(write) bool js_write(const void *bytes, size_t size, void *user);
IMPORT(error) void js_error(cn_error_kind kind, const char *text, void *user);
IMPORT(grown) void js_grown(void); // the memory has grown: views of it are no longer valid
IMPORT(now) double js_now(void);   // milliseconds

const struct {
    cn_callbacks callbacks;
    bool (*accept)(const cn_world *world, cn_side side, void *user);
    bool (*write)(const void *bytes, size_t size, void *user);
    void (*error)(cn_error_kind kind, const char *text, void *user);
} web_functions = {{js_filter, js_pre_solve, js_before_step, NULL}, js_accept, js_write, js_error};

// Where JavaScript writes arguments and reads results: 16 frames of 6144 bytes. A callback that
// runs within a call uses the next frame.
_Alignas(16) char web_frames[16 * 6144];

// ---- instead of WASI

// Memory for malloc(), as in wasi-libc. It also calls js_grown().
void *sbrk(intptr_t increment) {
    enum { PAGE = 65536 };
    size_t pages = __builtin_wasm_memory_size(0);
    if (increment == 0) return (void *)(pages * PAGE);
    size_t old = increment < 0 || increment % PAGE
                     ? SIZE_MAX
                     : __builtin_wasm_memory_grow(0, (size_t)increment / PAGE);
    if (old == SIZE_MAX) {
        errno = ENOMEM;
        return (void *)-1;
    }
    js_grown();
    return (void *)(old * PAGE);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    (void)clock;
    double ms = js_now();
    time->tv_sec = (time_t)(ms / 1000);
    time->tv_nsec = (long)((ms - 1000.0 * (double)time->tv_sec) * 1e6);
    return 0;
}

int sched_yield(void) { return 0; }

// printf() refers to files for a message about long double, which Cairn does not print.
ssize_t writev(int file, const struct iovec *parts, int count) {
    (void)file, (void)parts, (void)count;
    return -1;
}
off_t __lseek(int file, off_t offset, int whence) {
    (void)file, (void)offset, (void)whence;
    return -1;
}
int close(int file) {
    (void)file;
    return -1;
}
