/* The C part of the Python binding: many.c, which generate.py makes, and native.c. */
#ifndef CAIRN2D_NATIVE_H
#define CAIRN2D_NATIVE_H

#include "../../cairn.h"

#ifdef _WIN32
#define CAIRN2D_API __declspec(dllexport)
#else
#define CAIRN2D_API __attribute__((visibility("default")))
#endif

#endif
