// The functions that print are inline in Windows' own header, too: the library has only these two.
#pragma once
#include <stdarg.h>
#include <stddef.h>

typedef struct _iobuf FILE;
FILE *__acrt_iob_func(unsigned number);
#define stdout __acrt_iob_func(1)
#define stderr __acrt_iob_func(2)
int __stdio_common_vsprintf(unsigned __int64 options, char *text, size_t size, const char *format,
                            void *locale, va_list arguments);
int __stdio_common_vfprintf(unsigned __int64 options, FILE *file, const char *format, void *locale,
                            va_list arguments);
int puts(const char *text);

// Option 2: the result is the length of the whole text, as in the C standard.
static inline int vsnprintf(char *text, size_t size, const char *format, va_list arguments) {
    int length = __stdio_common_vsprintf(2, text, size, format, NULL, arguments);
    return length < 0 ? -1 : length;
}
static inline int snprintf(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}
static inline int fprintf(FILE *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __stdio_common_vfprintf(0, file, format, NULL, arguments);
    va_end(arguments);
    return length;
}
#define printf(...) fprintf(stdout, __VA_ARGS__)
