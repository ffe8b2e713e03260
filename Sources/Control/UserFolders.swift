import Glibc
import Linux

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
package func makeFolder(_ path: String) -> Int32 {
  if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return 0 }
  guard errno == ENOENT, let end = path.dropFirst().lastIndex(of: "/") else { return errno }
  let code = makeFolder(String(path[..<end]))
  if code != 0 { return code }
  return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno
}

/// The path of a file that does not depend on the working folder.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
  defer { unsafe free(folder) }
  return "\(unsafe String(cString: folder))/\(path)"
}

/// The bytes of a regular file; nil if it cannot be read, or is a symbolic link and these are not followed.
package func bytesOfFile(_ path: String, followsLinks: Bool = false) -> [UInt8]? {
  let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
  let raw = unsafe open(path, flags)
  return raw < 0 ? nil : FileDescriptor(owning: raw).readBytes()
}
