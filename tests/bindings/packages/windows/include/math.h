#pragma once
#define HUGE_VAL    __builtin_huge_val()
#define HUGE_VALF   __builtin_huge_valf()
#define INFINITY    __builtin_inff()
#define NAN         __builtin_nanf("")
#define isfinite(x) __builtin_isfinite(x)
#define isnan(x)    __builtin_isnan(x)
double fmin(double x, double y);
double fmax(double x, double y);
double fmod(double x, double y);
double sqrt(double x);
double fabs(double x);
double floor(double x);
double ceil(double x);
double sin(double x);
double cos(double x);
float sqrtf(float x);
float floorf(float x);
float nextafterf(float x, float y);
static inline float fabsf(float x) { return (float)fabs(x); }
