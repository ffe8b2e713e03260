import Glibc
import Linux

/// A file or folder, as far as its permissions matter.
package struct FileSurvey: Equatable, Sendable {
  /// Whether this user owns it, may read it, and may write to it.
  package var isOwn, isReadable, isWritable: Bool
  package var isFolder: Bool
  /// The permissions, such as 0o700.
  package var mode: Int

  package init(
    isOwn: Bool = true, isReadable: Bool = true, isWritable: Bool = true, isFolder: Bool = false,
    mode: Int
  ) {
    self.isOwn = isOwn
    self.isReadable = isReadable
    self.isWritable = isWritable
    self.isFolder = isFolder
    self.mode = mode
  }

  /// Nil if there is none at a path.
  package init?(_ path: String) {
    var information = stat()
    guard unsafe stat(path.systemText, &information) == 0 else { return nil }
    isOwn = information.st_uid == geteuid()
    isReadable = unsafe access(path.systemText, R_OK) == 0
    isWritable = unsafe access(path.systemText, W_OK) == 0
    isFolder = information.st_mode & S_IFMT == S_IFDIR
    mode = Int(information.st_mode & 0o7777)
  }
}

/// The check of the folder with the control socket.
package func runtimeDirectoryCheck(_ path: String, _ folder: FileSurvey?) -> Check {
  func check(_ state: Check.State, _ found: String, _ remedy: String?) -> Check {
    Check("socket folder", state, "\(path) \(found)", remedy: remedy)
  }
  guard let folder else {
    return check(
      .problem, "does not exist", "log in, so that the system makes it; or: mkdir -m 700 \(path)")
  }
  if !folder.isFolder {
    return check(.problem, "is no folder", "set XDG_RUNTIME_DIR to another path")
  }
  if !folder.isOwn {
    return check(
      folder.isWritable ? .warning : .problem, "belongs to another user, as after 'su'",
      "export XDG_RUNTIME_DIR=/run/user/$(id -u)")
  }
  if !folder.isWritable { return check(.problem, "cannot be written to", "chmod 700 \(path)") }
  if folder.mode & 0o077 != 0 {
    return check(.warning, "is open to other users", "chmod 700 \(path)")
  }
  return check(.good, "is private", nil)
}

/// The check of the file with the keys of X servers. `isAccepted` is whether the X server accepts this user.
package func authorityCheck(_ path: String, _ file: FileSurvey?, isAccepted: Bool) -> Check {
  let name = "X authority"
  if let file, file.isReadable { return Check(name, .good, "\(path) can be read") }
  let found = file == nil ? "\(path) does not exist" : "\(path) cannot be read"
  if isAccepted { return Check(name, .good, "\(found), and is not needed") }
  return Check(
    name, .problem, found,
    remedy: "set XAUTHORITY as in a terminal of the desktop, where 'echo $XAUTHORITY' prints it")
}
