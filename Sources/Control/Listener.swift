import Glibc

/// The listening socket and its file, which is removed at the end.
struct Listener: ~Copyable {
  let socket: FileDescriptor
  private let path: String
  private let file: FileIdentity?
  /// A reserved descriptor. If the process reaches its limit of open files, this one is closed so
  /// that a client can be accepted and rejected. Otherwise `poll` would report that client
  /// continuously.
  private var spare: FileDescriptor?

  /// Listens at `path`. Replaces a socket at which no process listens. Throws a `ControlError`.
  init(path: String) throws(ControlError) {
    let socket = try listeningSocket(path)
    self.socket = socket
    self.path = path
    file = FileIdentity(path: path)
    spare = openSpare()
  }

  deinit {
    if let file, FileIdentity(path: path) == file { unsafe unlink(path) }
  }

  /// The result of `accept`.
  enum Arrival: ~Copyable {
    /// A client connected.
    case client(FileDescriptor)
    /// A client connected and was rejected, because there is no descriptor for it, or it
    /// disconnected.
    case rejected
    /// No client is waiting.
    case none
  }

  /// Accepts the next client without blocking.
  mutating func accept() -> Arrival {
    switch socket.accept() {
    case .success(let raw):
      return .client(FileDescriptor(owning: raw))
    case .failure(let error) where error.code == EMFILE || error.code == ENFILE:
      spare = nil
      let client = socket.accept()
      if case .success(let raw) = client { close(raw) }
      spare = openSpare()
      if case .success = client { return .rejected }
      return .none
    case .failure(let error) where error.code == ECONNABORTED || error.code == EINTR:
      return .rejected
    case .failure:
      return .none
    }
  }
}

/// The identity of the file at a path. Symbolic links are not followed.
private struct FileIdentity: Equatable {
  let device: UInt, number: UInt
  let isSocket: Bool

  init?(path: String) {
    var information = stat()
    guard unsafe lstat(path, &information) == 0 else { return nil }
    device = UInt(information.st_dev)
    number = UInt(information.st_ino)
    isSocket = information.st_mode & S_IFMT == S_IFSOCK
  }
}

private func listeningSocket(_ path: String) throws(ControlError) -> FileDescriptor {
  if path.utf8.count > longestSocketPath { throw .pathTooLong(path, limit: longestSocketPath) }
  // The lock prevents two daemons that start at the same time from taking each other's new socket
  // for a stale one. It ends with `directory`.
  let directory = try lockDirectory(of: path)
  let socket = try FileDescriptor.makeSocket(isBlocking: false)
  // Before `bind`, so that the file is created with this mode.
  guard fchmod(socket.raw, 0o600) == 0 else {
    throw .system(action: "protect \(path)", errno: errno)
  }
  var code = socket.bind(path: path)
  if code == EADDRINUSE {
    try removeStaleSocket(path)
    code = socket.bind(path: path)
  }
  if code != 0 { throw .system(action: "make the socket \(path)", errno: code) }
  if listen(socket.raw, 64) != 0 {
    let code = errno
    unsafe unlink(path)
    throw .system(action: "listen at \(path)", errno: code)
  }
  _ = consume directory
  return socket
}

private func lockDirectory(of path: String) throws(ControlError) -> FileDescriptor {
  let end = path.lastIndex(of: "/")
  let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  let raw = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard raw >= 0 else { throw .system(action: "open \(directory)", errno: errno) }
  let file = FileDescriptor(owning: raw)
  guard flock(file.raw, LOCK_EX) == 0 else {
    throw .system(action: "lock \(directory)", errno: errno)
  }
  return file
}

/// Removes the socket at `path` if no process listens at it. Throws `notASocket`, `alreadyServed`
/// or `system`.
private func removeStaleSocket(_ path: String) throws(ControlError) {
  guard let file = FileIdentity(path: path) else { return }
  guard file.isSocket else { throw .notASocket(path: path) }
  switch try FileDescriptor.makeSocket(isBlocking: false).connect(path: path) {
  case ECONNREFUSED:
    unsafe unlink(path)
  case 0, EAGAIN:
    throw .alreadyServed(path: path)
  case let code:
    throw .system(action: "connect to \(path)", errno: code)
  }
}

private func openSpare() -> FileDescriptor? {
  let raw = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
  return raw < 0 ? nil : FileDescriptor(owning: raw)
}
