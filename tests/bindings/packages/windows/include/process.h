#pragma once
#include <stdint.h>
uintptr_t _beginthreadex(void *security, unsigned stack_size, unsigned(__stdcall *function)(void *),
                         void *argument, unsigned flags, unsigned *id);
