import CLinux
import Glibc
import Linux

/// The listening socket and its file, which is removed at the end.
struct Listener: ~Copyable {
  let socket: FileDescriptor
  private let path: String
  private let file: FileIdentity?
  /// A reserved descriptor. If the process reaches its limit of open files, this one is closed so
  /// that a client can be accepted and told so. Otherwise `poll` would report that client
  /// continuously.
  private var spare: FileDescriptor?

  /// Listens at `path`. Replaces a socket at which no process listens, and if `replacesOther` is true ends a
  /// process that does. Throws a `ControlError`.
  init(path: String, replacesOther: Bool) throws(ControlError) {
    self.init(try listeningSocket(path, replacesOther: replacesOther), path: path)
  }

  private init(_ socket: consuming FileDescriptor, path: String) {
    self.socket = socket
    self.path = path
    file = FileIdentity(path: path)
    spare = openSpare()
  }

  deinit { removeFile() }

  /// Removes the file of the socket, if it is still there.
  borrowing func removeFile() {
    if let file, FileIdentity(path: path) == file { unsafe unlink(path.systemText) }
  }

  /// The result of `accept`.
  enum Arrival: ~Copyable {
    /// A client connected.
    case client(FileDescriptor)
    /// A client connected in the place of the reserved descriptor: it must be told, and closed before `reserve` is called.
    case crowded(FileDescriptor)
    /// A client connected and was rejected, because it is another user's, or it disconnected.
    case rejected
    /// No client is waiting.
    case none
  }

  /// Accepts the next client without blocking. Rejects clients of other users, except root, whatever the mode of the socket is.
  mutating func accept() -> Arrival {
    switch socket.accept() {
    case .success(let raw):
      let client = FileDescriptor(owning: raw)
      guard let user = SocketPeer(of: raw)?.user, user == geteuid() || user == 0 else {
        return .rejected
      }
      return .client(client)
    case .failure(let error) where error.code == EMFILE || error.code == ENFILE:
      spare = nil
      if case .success(let raw) = socket.accept() { return .crowded(FileDescriptor(owning: raw)) }
      reserve()
      pause()
      return .none
    case .failure(let error) where error.code == ECONNABORTED || error.code == EINTR:
      return .rejected
    case .failure(let error) where error.code == EAGAIN:
      return .none
    case .failure:
      pause()
      return .none
    }
  }

  /// Reserves a descriptor again.
  mutating func reserve() { spare = openSpare() }

  /// Waits after a failure that `poll` does not know of. Without a pause the loop would try again continuously.
  private func pause() { usleep(1000) }
}

/// The identity of the file at a path. Symbolic links are not followed.
private struct FileIdentity: Equatable {
  let device: UInt, number: UInt
  let isSocket: Bool

  init?(path: String) {
    var information = stat()
    guard unsafe lstat(path.systemText, &information) == 0 else { return nil }
    device = UInt(information.st_dev)
    number = UInt(information.st_ino)
    isSocket = information.st_mode & S_IFMT == S_IFSOCK
  }
}

private func listeningSocket(
  _ path: String, replacesOther: Bool
) throws(ControlError) -> FileDescriptor {
  if path.systemBytes.count > longestSocketPath {
    throw .pathTooLong(path, limit: longestSocketPath)
  }
  // The lock prevents two daemons that start at the same time from taking each other's new socket
  // for a stale one. Each daemon that replaces another one ends it. The lock ends with
  // `directory`.
  let directory = try lockDirectory(of: path)
  let socket = try FileDescriptor.makeSocket(isBlocking: false)
  // Before `bind`, so that the file is created with this mode.
  guard fchmod(socket.raw, 0o600) == 0 else {
    throw .system(action: "protect \(path)", errno: errno)
  }
  var code = socket.bind(path: path)
  if code == EADDRINUSE {
    try clear(path, replacesOther: replacesOther)
    code = socket.bind(path: path)
  }
  if code != 0 { throw .system(action: "make the socket \(path)", errno: code) }
  if listen(socket.raw, 64) != 0 {
    let code = errno
    unsafe unlink(path.systemText)
    throw .system(action: "listen at \(path)", errno: code)
  }
  _ = consume directory
  return socket
}

private func lockDirectory(of path: String) throws(ControlError) -> FileDescriptor {
  let directory = path.folderOfPath ?? "."
  let raw = unsafe open(directory.systemText, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard raw >= 0 else { throw .system(action: "open \(directory)", errno: errno) }
  let file = FileDescriptor(owning: raw)
  guard flock(file.raw, LOCK_EX) == 0 else {
    throw .system(action: "lock \(directory)", errno: errno)
  }
  return file
}

/// Makes room for a new socket at `path`: removes a socket at which no process listens, and if `replacesOther` is
/// true ends a process that does. Throws `notASocket`, `alreadyServed`, `doesNotEnd` or `system`.
private func clear(_ path: String, replacesOther: Bool) throws(ControlError) {
  guard let file = FileIdentity(path: path) else { return }
  guard file.isSocket else { throw .notASocket(path: path) }
  let probe = try FileDescriptor.makeSocket(isBlocking: true)
  // The timeout of `connect`, which waits if the queue of clients of the other process is full.
  probe.setTimeout(seconds: replacesOther ? 5 : 1)
  switch probe.connect(path: path) {
  case ECONNREFUSED: break
  case 0, EAGAIN: try awaitEnd(of: SocketPeer(of: probe.raw)?.process, isEnding: replacesOther)
  case let code: throw .system(action: "connect to \(path)", errno: code)
  }
  if FileIdentity(path: path) == file { unsafe unlink(path.systemText) }
}

/// Waits until a daemon has ended. If `isEnding` is true, ends it by SIGTERM; otherwise it may have been killed and
/// not have ended yet. Throws `alreadyServed` or `doesNotEnd`.
private func awaitEnd(of process: Int?, isEnding: Bool) throws(ControlError) {
  let raw = process.map { pidfd_open(pid_t($0), 0) } ?? -1
  if process != nil, raw < 0, errno == ESRCH { return }
  if raw >= 0 {
    let other = FileDescriptor(owning: raw)
    if isEnding { _ = pidfd_send_signal(other.raw, SIGTERM, nil, 0) }
    var polled = pollfd(fd: other.raw, events: Int16(POLLIN), revents: 0)
    var count: Int32
    repeat {
      count = unsafe poll(&polled, 1, isEnding ? 5000 : 250)
    } while count < 0 && errno == EINTR
    if count > 0 { return }
  }
  throw isEnding ? .doesNotEnd(process: process) : .alreadyServed(process: process)
}

private func openSpare() -> FileDescriptor? {
  let raw = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
  return raw < 0 ? nil : FileDescriptor(owning: raw)
}
