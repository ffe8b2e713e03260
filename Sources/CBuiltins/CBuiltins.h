/* Builtins of the compiler that Swift does not import. */

/* Starts to load the cache line at an address, which may be outside any memory. */
static inline __attribute__((always_inline)) void prefetchCacheLine(const void *address) {
  __builtin_prefetch(address);
}
