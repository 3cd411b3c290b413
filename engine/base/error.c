/* The error of the last failed call, one per thread: a kind for programs and a sentence for people. */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char error_text[CN_ERROR_SIZE];
static _Thread_local cn_error_kind error_kind;

bool cn_fail(cn_error_kind kind, const char *format, ...) {
    char text[sizeof error_text]; // as the arguments may quote the last error
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    strcpy(error_text, text);
    error_kind = kind;
    return false;
}

bool cn_blame(const char *caller) { return cn_fail(error_kind, "%s: %s", caller, error_text); }

const char *cn_error(void) { return error_text; }

cn_error_kind cn_error_code(void) { return error_kind; }
