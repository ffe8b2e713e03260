/* The commit that was built, as `git describe` abbreviates it; empty if the build does not know it. */
const char *builtCommit(void);
