#pragma once
#include <malloc.h>
void exit(int status);
void *bsearch(const void *key, const void *items, size_t count, size_t size,
              int (*compare)(const void *, const void *));
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));
