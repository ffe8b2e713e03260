import Glibc

/// The path of the control socket of a display: `$XDG_RUNTIME_DIR/backdropd-1.sock` for `:1`.
///
/// All screens of a display belong to one server, so `:1` and `:1.0` have the same path. Throws
/// `noDisplay`, `noRuntimeDirectory` or `pathTooLong`.
package func controlSocketPath(
  display: String, runtimeDirectory: String? = environmentVariable("XDG_RUNTIME_DIR")
) throws(ControlError) -> String {
  if display.isEmpty { throw .noDisplay }
  guard let runtimeDirectory, runtimeDirectory.hasPrefix("/") else { throw .noRuntimeDirectory }
  let path = "\(runtimeDirectory)/backdropd-\(fileName(display: display)).sock"
  if path.utf8.count > longestSocketPath {
    throw .pathTooLong(path, limit: longestSocketPath)
  }
  return path
}

/// The value of an environment variable; nil if it is not set.
package func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { value in unsafe String(cString: value) }
}

private func fileName(display: String) -> String {
  let colon = display.lastIndex(of: ":") ?? display.startIndex
  let screen = display[colon...].firstIndex(of: ".") ?? display.endIndex
  let server = display[..<screen]
  // ':1' is the usual case and gets a short name. It is unique, because no host name is empty.
  let name = server.first == ":" ? server.dropFirst() : server
  return String(name.map { $0 == ":" || $0 == "/" || $0 == "\0" ? "-" : $0 })
}
