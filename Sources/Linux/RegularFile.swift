import Glibc

/// The first `limit` bytes of a regular file. Throws a `SystemError`; for a file of another kind its code is EINVAL or EISDIR.
package func readRegularFile(_ path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
  // With `O_NONBLOCK`, `open` does not wait for the other end of a pipe.
  let raw = unsafe open(path.systemText, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard raw >= 0 else { throw SystemError(code: errno) }
  let file = FileDescriptor(owning: raw)
  var information = stat()
  guard unsafe fstat(file.raw, &information) == 0 else { throw SystemError(code: errno) }
  switch information.st_mode & S_IFMT {
  case S_IFREG: break
  case S_IFDIR: throw SystemError(code: EISDIR)
  default: throw SystemError(code: EINVAL)
  }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 16)
  while bytes.count < limit {
    let count = unsafe read(file.raw, &part, min(part.count, limit - bytes.count))
    if count < 0 { throw SystemError(code: errno) }
    if count == 0 { break }
    bytes += part.prefix(count)
  }
  return bytes
}

/// The path of a file without links; nil if there is no such file.
package func realPath(_ path: String) -> String? {
  guard let real = unsafe realpath(path.systemText, nil) else { return nil }
  defer { unsafe free(real) }
  return unsafe String(systemText: real)
}

/// Whether there is a file or a folder at a path.
package func fileExists(_ path: String) -> Bool { unsafe access(path.systemText, F_OK) == 0 }

/// The target of a symbolic link; nil if there is no link at a path.
func linkTarget(_ path: String) -> String? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe readlink(path.systemText, &buffer, buffer.count)
  return count < 0 ? nil : String(systemBytes: buffer.prefix(count).map { UInt8(bitPattern: $0) })
}
