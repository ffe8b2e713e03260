/* The commit that was built, as `git describe` abbreviates it; empty if the build does not know it. */
const char *builtCommit(void);

/* The level of the x86-64 psABI whose instructions the compiler may use in this program: 3, which needs AVX2, or 1; 0 on other
   architectures. */
int builtLevel(void);

/* The level that the processor and the kernel support: 3, or 1 if it is below; 0 on other architectures. */
int processorLevel(void);
