import Glibc

/// Where the daemon of a display listens: `$XDG_RUNTIME_DIR/backdropd-1.sock` for `:1`.
///
/// A display's screens are one server, so `:1` and `:1.0` have the same daemon.
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

/// Its value, or nil when it is not set.
package func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { value in unsafe String(cString: value) }
}

private func fileName(display: String) -> String {
  let colon = display.lastIndex(of: ":") ?? display.startIndex
  let screen = display[colon...].firstIndex(of: ".") ?? display.endIndex
  let server = display[..<screen]
  // ':1' is the usual display, and deserves a plain name. No host's name is empty.
  let name = server.first == ":" ? server.dropFirst() : server
  return String(name.map { $0 == ":" || $0 == "/" || $0 == "\0" ? "-" : $0 })
}
