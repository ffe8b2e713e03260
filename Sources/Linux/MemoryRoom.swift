import Glibc

/// Whether the process could map this many more bytes, as limits on its address space (RLIMIT_AS) and the kernel's policy of
/// overcommitment allow. The standard library ends a process that cannot allocate, so code that needs much memory calls this
/// first.
package func hasRoom(forBytes byteCount: Int) -> Bool {
  let memory = unsafe mmap(
    nil, max(byteCount, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
    0)
  guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
  unsafe munmap(memory, max(byteCount, 1))
  return true
}
