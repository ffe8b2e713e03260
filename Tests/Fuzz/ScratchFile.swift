import Glibc

/// Calls `body` with the path of a file in shared memory, which is gone afterwards.
func withFile(_ bytes: [UInt8], _ body: (String) -> Void) {
  let path = "/dev/shm/backdropd-fuzz-\(getpid())"
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  precondition(file >= 0)
  precondition(unsafe write(file, bytes, bytes.count) == bytes.count)
  close(file)
  body(path)
  // A file of panes is renamed if it is wrong.
  for name in [path, path + "-bad"] { unsafe unlink(name) }
}
