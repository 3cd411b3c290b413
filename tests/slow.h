/* Tests of several threads do less under the thread sanitizer, where they take twenty times as
 * long. */
#ifndef TESTS_SLOW_H
#define TESTS_SLOW_H

#if defined(__SANITIZE_THREAD__)
enum { SLOW = 4 };
#else
enum { SLOW = 1 };
#endif

#endif
