import Glibc
import Linux

/// The path of the control socket of a display: `$XDG_RUNTIME_DIR/backdropd-1.sock` for `:1`, and
/// `backdropd@wayland-1.sock` for the compositor `wayland-1`.
///
/// `:1`, `:1.0` and `unix:1` are names of the same screen and have the same path; `:1.1` is another screen, with another daemon.
/// The name of a compositor and the path of its socket also have the same path. Throws `noRuntimeDirectory` or `pathTooLong`.
package func controlSocketPath(
  display: DisplayName, runtimeDirectory: String? = environmentVariable("XDG_RUNTIME_DIR")
) throws(ControlError) -> String {
  guard let runtimeDirectory, runtimeDirectory.isAbsolutePath else { throw .noRuntimeDirectory }
  let name =
    switch display {
    case .x11(let name): "-" + withoutSeparators(screenName(name))
    case .wayland(let name): "@" + fileName(compositor: name, in: runtimeDirectory)
    }
  let path = "\(runtimeDirectory)/backdropd\(name)\(socketSuffix)"
  if path.systemBytes.count > longestSocketPath {
    throw .pathTooLong(path, limit: longestSocketPath)
  }
  return path
}

/// The path of the file with the panes of a display, which is named like its socket: `backdropd-1.panes`. It is in the
/// folder for the state, or beside the socket if there is none.
package func paneFilePath(
  forSocket path: String, stateFolder: String? = stateFolder()
) -> String {
  statePath(forSocket: path, stateFolder) + ".panes"
}

/// The path of the log of a daemon that `backdropctl start` has started as a process: beside the panes.
package func logFilePath(
  forSocket path: String, stateFolder: String? = stateFolder()
) -> String {
  statePath(forSocket: path, stateFolder) + ".log"
}

private func statePath(forSocket path: String, _ stateFolder: String?) -> String {
  let stem = path.dropLast(socketSuffix.count)
  guard let stateFolder else { return String(stem) }
  return "\(stateFolder)/\(stem.nameInPath)"
}

private let socketSuffix = ".sock"

/// The local displays that daemons of this user serve, as the sockets say, sorted.
package func servedDisplays(
  runtimeDirectory: String? = environmentVariable("XDG_RUNTIME_DIR")
) -> [String] {
  guard let runtimeDirectory else { return [] }
  return namesInFolder(runtimeDirectory).sorted().compactMap { name in
    guard name.hasSuffix(socketSuffix), isListening("\(runtimeDirectory)/\(name)") else {
      return nil
    }
    let display = name.dropLast(socketSuffix.count)
    if display.hasPrefix("backdropd-") { return ":" + display.dropFirst("backdropd-".count) }
    return display.hasPrefix("backdropd@") ? String(display.dropFirst("backdropd@".count)) : nil
  }
}

/// The value of an environment variable; nil if it is not set.
package func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { value in unsafe String(systemText: value) }
}

/// The same text for all names of one screen of an X server: `0` for `:0`, `:0.0` and `unix:0`.
func screenName(_ display: String) -> Substring {
  let colon = display.lastIndex(of: ":") ?? display.startIndex
  // Screen 0 is the default.
  var screen = display.endIndex
  if let dot = display[colon...].firstIndex(of: "."), Int(display[dot...].dropFirst()) == 0 {
    screen = dot
  }
  let name = display[..<screen]
  // A local display is the usual case and gets a short name. It is unique, because no host name is empty.
  for local in ["unix:", ":"] where name.hasPrefix(local) { return name.dropFirst(local.count) }
  return name
}

/// The part of the name of the socket that depends on the compositor. Its own socket is in `directory`, unless the name is
/// the path of another place.
private func fileName(compositor name: String, in directory: String) -> String {
  let isInside = name.hasPrefix(directory + "/")
  return withoutSeparators(isInside ? name.dropFirst(directory.count + 1) : name[...])
}

private func withoutSeparators(_ name: Substring) -> String {
  String(
    String.UnicodeScalarView(
      name.unicodeScalars.map { ":/\0".unicodeScalars.contains($0) ? "-" : $0 })
  )
}
