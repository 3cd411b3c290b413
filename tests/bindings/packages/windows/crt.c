/* Replaces the part of Visual Studio's libraries that programs and DLLs for Windows need: data of
 * each thread, large frames on the stack, and checks of arrays. Everything else is in ucrtbase.dll
 * and kernel32.dll. */
#include <stdint.h>

int _fltused; // says that the program computes with floats

// ---- data of each thread: the loader copies what is between these two for each thread

#pragma section(".tls", read, write)
#pragma section(".tls$ZZZ", read, write)
#pragma section(".rdata$T", read)
__declspec(allocate(".tls")) char _tls_start = 0;
__declspec(allocate(".tls$ZZZ")) char _tls_end = 0;
uint32_t _tls_index;

typedef struct {
    const void *start, *end, *index, *callbacks;
    uint32_t zeros, flags;
} tls_directory;
__declspec(allocate(".rdata$T")) const tls_directory _tls_used = {&_tls_start, &_tls_end,
                                                                  &_tls_index};

// ---- frames of more than a page: touches each page from the top, rax bytes in all

__asm__(".globl __chkstk\n"
        "__chkstk:\n"
        "    push %rcx\n"
        "    push %rax\n"
        "    lea 24(%rsp), %rcx\n"
        "1:  cmp $0x1000, %rax\n"
        "    jb 2f\n"
        "    sub $0x1000, %rcx\n"
        "    orb $0, (%rcx)\n"
        "    sub $0x1000, %rax\n"
        "    jmp 1b\n"
        "2:  sub %rax, %rcx\n"
        "    orb $0, (%rcx)\n"
        "    pop %rax\n"
        "    pop %rcx\n"
        "    ret\n");

// ---- functions with arrays of characters check that nothing was written beyond them

uintptr_t __security_cookie = 0x00002b992ddfa232;
void __security_check_cookie(uintptr_t cookie) {
    if (cookie != __security_cookie) __builtin_trap();
}
