/* Which of the built lane widths this machine runs. The kernels of every width give the same bits, so
 * the choice is one of speed only. */
#include "base.h"

int cn_cpu_lanes(void) {
#if defined(CN_BUILD_AVX2)
    if (__builtin_cpu_supports("avx2")) return 8;
#endif
    return 4;
}
