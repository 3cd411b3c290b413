// As in the C library of Windows, the header may be included again with another NDEBUG.
#undef assert
#if defined(NDEBUG)
#define assert(condition) ((void)0)
#else
void _assert(const char *condition, const char *file, unsigned line);
#define assert(condition) ((void)(!!(condition) || (_assert(#condition, __FILE__, __LINE__), 0)))
#endif
#if !defined(__cplusplus)
#define static_assert _Static_assert
#endif
