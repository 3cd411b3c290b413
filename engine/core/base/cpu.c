/* The widest kernels that were built and that this processor runs. The kernels of every width give
 * the same bits, so the choice only affects speed. */
#include "base.h"

#if defined(_MSC_VER) && defined(CN_BUILD_AVX2)

// clang-cl has __builtin_cpu_supports(), but the function that it calls is in no library of Visual
// Studio. So this code asks the processor for its instructions and for the registers that the
// system saves.
#include <cpuid.h>

enum {
    OSXSAVE = 1 << 27,          // leaf 1, ecx: XCR0 can be read
    AVX2 = 1 << 5,              // leaf 7, ebx
    AVX512 = 1 << 16 | 1 << 17, // leaf 7, ebx: F and DQ
    AVX_REGISTERS = 0x06,       // XCR0: xmm and ymm
    AVX512_REGISTERS = 0xe6,    // XCR0: also k0..k7, zmm0..15 and zmm16..31
};
static const uint32_t avx512_vl = 1u << 31; // leaf 7, ebx

// Returns XCR0, the registers that the system saves when it switches threads; 0 if it has none.
static uint32_t saved_registers(void) {
    uint32_t eax, ebx, ecx, edx, high;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & OSXSAVE)) return 0;
    __asm__("xgetbv" : "=a"(eax), "=d"(high) : "c"(0));
    return eax;
}

static bool has(uint32_t instructions, uint32_t registers) {
    uint32_t eax, ebx, ecx, edx;
    return (saved_registers() & registers) == registers &&
           __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & instructions) == instructions;
}

#define has_avx2()   has(AVX2, AVX_REGISTERS)
#define has_avx512() has(AVX512 | avx512_vl, AVX512_REGISTERS)

#else

#define has_avx2()   __builtin_cpu_supports("avx2")
#define has_avx512() (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))

#endif

int cn_cpu_lanes(void) {
#if defined(CN_BUILD_AVX512)
    if (has_avx512()) return 16;
#endif
#if defined(CN_BUILD_AVX2)
    if (has_avx2()) return 8;
#endif
    return 4;
}
