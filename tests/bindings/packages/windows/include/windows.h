// The declarations of the system that the engine uses, and the macros of this header that are
// short names.
#pragma once
#define WINAPI __stdcall
#define near
#define far
#define CONST const
#if !defined(NOMINMAX)
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define small     char
#define interface struct
#endif
#define INFINITE 0xffffffff
typedef int BOOL;
typedef unsigned long DWORD;
typedef void *HANDLE;
typedef union {
    __int64 QuadPart;
} LARGE_INTEGER;
typedef struct {
    void *Ptr;
} SRWLOCK, CONDITION_VARIABLE;
BOOL WINAPI QueryPerformanceCounter(LARGE_INTEGER *count);
BOOL WINAPI QueryPerformanceFrequency(LARGE_INTEGER *frequency);
void WINAPI InitializeSRWLock(SRWLOCK *lock);
void WINAPI AcquireSRWLockExclusive(SRWLOCK *lock);
void WINAPI ReleaseSRWLockExclusive(SRWLOCK *lock);
void WINAPI InitializeConditionVariable(CONDITION_VARIABLE *condition);
BOOL WINAPI SleepConditionVariableSRW(CONDITION_VARIABLE *condition, SRWLOCK *lock, DWORD time,
                                      unsigned long flags);
void WINAPI WakeAllConditionVariable(CONDITION_VARIABLE *condition);
BOOL WINAPI SwitchToThread(void);
DWORD WINAPI WaitForSingleObject(HANDLE thread, DWORD time);
BOOL WINAPI CloseHandle(HANDLE thread);
