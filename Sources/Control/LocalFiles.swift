import Glibc
import Linux

/// Makes a folder for this user only, and the folders that contain it, if they are not there. Returns an `errno`, or 0.
package func makeFolder(_ path: String) -> Int32 {
  if unsafe mkdir(path.systemText, 0o700) == 0 || errno == EEXIST { return 0 }
  guard errno == ENOENT, let folder = path.folderOfPath, folder != "/" else { return errno }
  let code = makeFolder(folder)
  if code != 0 { return code }
  return unsafe mkdir(path.systemText, 0o700) == 0 || errno == EEXIST ? 0 : errno
}

/// The path of a file that does not depend on the working folder.
package func absolutePath(_ path: String) -> String {
  guard !path.isAbsolutePath, let folder = unsafe getcwd(nil, 0) else { return path }
  defer { unsafe free(folder) }
  return "\(unsafe String(systemText: folder))/\(path)"
}

/// The first of some files that exists; nil if there is none.
package func firstExisting(_ paths: [String]) -> String? {
  paths.first(where: fileExists)
}

/// The bytes of a regular file; nil if it cannot be read, or is a symbolic link and these are not followed.
package func bytesOfFile(_ path: String, followsLinks: Bool = false) -> [UInt8]? {
  let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
  let raw = unsafe open(path.systemText, flags)
  return raw < 0 ? nil : FileDescriptor(owning: raw).readBytes()
}
