import Glibc

/// The path of the control socket of a display: `$XDG_RUNTIME_DIR/backdropd-1.sock` for `:1`.
///
/// `:1`, `:1.0` and `unix:1` are names of the same screen and have the same path; `:1.1` is another screen, with
/// another daemon. Throws `noDisplay`, `noRuntimeDirectory` or `pathTooLong`.
package func controlSocketPath(
  display: String, runtimeDirectory: String? = environmentVariable("XDG_RUNTIME_DIR")
) throws(ControlError) -> String {
  if display.isEmpty { throw .noDisplay }
  guard let runtimeDirectory, runtimeDirectory.hasPrefix("/") else { throw .noRuntimeDirectory }
  let path = "\(runtimeDirectory)/backdropd-\(fileName(display: display))\(socketSuffix)"
  if path.utf8.count > longestSocketPath {
    throw .pathTooLong(path, limit: longestSocketPath)
  }
  return path
}

/// The path of the file with the panes of a display, beside its socket: `backdropd-1.panes`.
package func paneFilePath(besideSocket path: String) -> String {
  path.dropLast(socketSuffix.count) + ".panes"
}

private let socketSuffix = ".sock"

/// The value of an environment variable; nil if it is not set.
package func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { value in unsafe String(cString: value) }
}

/// The part of the name of the socket that depends on the display: the same for all names of one screen.
private func fileName(display: String) -> String {
  let colon = display.lastIndex(of: ":") ?? display.startIndex
  // Screen 0 is the default.
  var screen = display.endIndex
  if let dot = display[colon...].firstIndex(of: "."), Int(display[dot...].dropFirst()) == 0 {
    screen = dot
  }
  var name = display[..<screen]
  // A local display is the usual case and gets a short name. It is unique, because no host name is empty.
  for local in ["unix:", ":"] where name.hasPrefix(local) {
    name = name.dropFirst(local.count)
    break
  }
  return String(name.map { $0 == ":" || $0 == "/" || $0 == "\0" ? "-" : $0 })
}
