/* The error of the last failed call, one per thread: a kind for programs and a sentence for people.
 *
 * Two places make the sentence. The check that finds a mistake says what is wrong: cn_fail(). The
 * public function puts its own name before it: cn_fail_call(). This completes the error, so
 * cn_fail_call() calls the hook. Every failed call calls the hook exactly once.
 *
 * A hint has the form of an error, but its call succeeds: cn_hint().
 *
 * Hulls and joint definitions are plain values. If one cannot be made, the program may still pass
 * the invalid value on much later, after other errors. So the invalid value carries a mark: a hash
 * of the sentence that says why it was not made. The last few of these sentences are kept here. A
 * mark does not depend on the thread: equal sentences have equal marks. */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    LONGEST_KEPT = CN_LONGEST_ERROR / 2, // of a kept error, so that another error can quote it
    KEPT_ERRORS = 8,
};

static _Thread_local char error_text[CN_LONGEST_ERROR];
static _Thread_local cn_error_kind error_kind;
static _Thread_local const char *missing_part;
typedef struct {
    uint32_t mark; // 0: unused
    char text[LONGEST_KEPT];
} kept_error;
static _Thread_local kept_error kept[KEPT_ERRORS]; // newest first
static _Thread_local struct {
    void (*function)(cn_error_kind kind, const char *text, void *user);
    void *user;
} hook;

// ---- the sentence

// Ends a text with dots if it was cut off.
static void mark_cut(char *text, size_t size, int wanted) {
    if (wanted >= (int)size) memcpy(text + size - 4, "...", 4);
}

static void set_error(cn_error_kind kind, const char *format, va_list arguments) {
    int wanted = vsnprintf(error_text, sizeof error_text, format, arguments);
    mark_cut(error_text, sizeof error_text, wanted);
    error_kind = kind;
    missing_part = NULL;
}

bool cn_fail(cn_error_kind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(kind, format, arguments);
    va_end(arguments);
    return false;
}

bool cn_fail_without(const char *part) {
    cn_fail(CN_ERROR_STATE, "this build has no part \"%s\": build the engine with it", part);
    missing_part = part;
    return false;
}

const char *cn_missing_part(void) { return missing_part; }

bool cn_fail_in(const char *part) {
    char text[CN_LONGEST_ERROR];
    const char *missing = missing_part;
    memcpy(text, error_text, sizeof text);
    cn_fail(error_kind, "%s: %s", part, text);
    missing_part = missing;
    return false;
}

bool cn_fail_in_number(const char *what, int number) {
    char part[64];
    snprintf(part, sizeof part, "%s %d", what, number);
    return cn_fail_in(part);
}

bool cn_fail_call(const char *caller) {
    cn_fail_in(caller);
    if (hook.function) hook.function(error_kind, error_text, hook.user);
    return false;
}

void cn_hint(const char *caller, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(CN_ERROR_HINT, format, arguments);
    va_end(arguments);
    cn_fail_call(caller);
}

// ---- errors of values that were not made

// FNV-1a, but never 0.
static uint32_t mark_of(const char *text) {
    uint32_t hash = 2166136261u;
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 16777619u;
    return hash ? hash : 1;
}

// The index of the kept error with this mark; -1 if there is none.
static int find_kept(uint32_t mark) {
    for (int i = 0; mark && i < KEPT_ERRORS; i++)
        if (kept[i].mark == mark) return i;
    return -1;
}

// The newest error comes first. An error that is kept already moves to the front.
uint32_t cn_keep_error(void) {
    kept_error newest = {.mark = mark_of(error_text)};
    int wanted = snprintf(newest.text, sizeof newest.text, "%s", error_text);
    mark_cut(newest.text, sizeof newest.text, wanted);
    int place = find_kept(newest.mark);
    if (place < 0) place = KEPT_ERRORS - 1;
    memmove(&kept[1], &kept[0], (size_t)place * sizeof *kept);
    kept[0] = newest;
    return newest.mark;
}

const char *cn_kept_error(uint32_t mark) {
    int place = find_kept(mark);
    return place < 0 ? NULL : kept[place].text;
}

// ---- public functions

const char *cn_error(void) { return error_text; }

cn_error_kind cn_error_code(void) { return error_kind; }

void cn_error_clear(void) {
    error_text[0] = 0;
    error_kind = CN_ERROR_NONE;
    missing_part = NULL;
}

void cn_error_set_hook(void (*function)(cn_error_kind kind, const char *text, void *user),
                       void *user) {
    hook.function = function;
    hook.user = user;
}
