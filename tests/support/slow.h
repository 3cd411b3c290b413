/* The longest tests do less under the address and thread sanitizers, where they take eight and
 * twenty times as long, and with -DTESTS_ARE_SHORT, if another build runs all of them. */
#ifndef TESTS_SLOW_H
#define TESTS_SLOW_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(TESTS_ARE_SHORT)
enum { SLOW = 4 };
#else
enum { SLOW = 1 };
#endif

#endif
