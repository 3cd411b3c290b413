/* The C part of the Python binding: many.c, which generate.py makes, and native.c. */
#ifndef CAIRN2D_NATIVE_H
#define CAIRN2D_NATIVE_H

#include "../../cairn.h"

#ifdef _WIN32
#define CAIRN2D_API __declspec(dllexport)
#else
#define CAIRN2D_API __attribute__((visibility("default")))
#endif

// Whether a call of this thread failed. (The hint of a step that is not complete is no failure.)
static inline bool has_failed(void) {
    cn_error_kind kind = cn_error_code();
    return kind != CN_ERROR_NONE && kind != CN_ERROR_HINT;
}

#endif
