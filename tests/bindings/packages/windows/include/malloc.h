#pragma once
#include <stddef.h>
void *malloc(size_t size);
void free(void *block);
void *_aligned_malloc(size_t size, size_t alignment);
void _aligned_free(void *block);
