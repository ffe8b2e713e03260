import Glibc

/// The folder of this process, in the temporary folder.
private let folder: String = {
  let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
  var path = Array("\(parent)/backdropd-fuzz-XXXXXX".utf8CString)
  precondition(unsafe mkdtemp(&path) != nil)
  return unsafe String(cString: path)
}()

/// Writes a file that replaces the last one with this name, and returns its path.
func scratchFile(_ bytes: [UInt8], name: String) -> String {
  let path = "\(folder)/\(name)"
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  precondition(file >= 0)
  defer { close(file) }
  precondition(unsafe write(file, bytes, bytes.count) == bytes.count)
  return path
}
