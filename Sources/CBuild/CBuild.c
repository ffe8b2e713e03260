#include "CBuild.h"

/* A definition in Package.swift, because Swift code gets no values from a build. */
const char *builtCommit(void) { return BUILT_COMMIT; }
