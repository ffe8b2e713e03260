import Glibc

/// The folder in which the daemon keeps its state from one login to the next: `$XDG_STATE_HOME/backdropd`, by default
/// `~/.local/state/backdropd`. Nil if neither that variable nor HOME is an absolute path.
package func stateFolder(
  environment: (String) -> String? = environmentVariable
) -> String? {
  func folder(_ name: String) -> String? {
    environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
  return (folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" })
    .map { $0 + "/backdropd" }
}

/// Makes a folder for this user only, and the folders that contain it, if they are not there. Returns an `errno`, or 0.
func makeFolder(_ path: String) -> Int32 {
  if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return 0 }
  guard errno == ENOENT, let end = path.dropFirst().lastIndex(of: "/") else { return errno }
  let code = makeFolder(String(path[..<end]))
  if code != 0 { return code }
  return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno
}
