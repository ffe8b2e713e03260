#include "CBuild.h"

/* A definition in Package.swift, because Swift code gets no values from a build. */
const char *builtCommit(void) { return BUILT_COMMIT; }

int builtLevel(void) {
#if !defined(__x86_64__)
  return 0;
#elif defined(__AVX2__) && defined(__BMI2__) && defined(__FMA__)
  return 3;
#else
  return 1;
#endif
}

int processorLevel(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v3") ? 3 : 1;
#else
  return 0;
#endif
}
