import Glibc
import TestSupport

/// Chooses the calls of a daemon that fail. The daemon has the library `CFaults`, and both have one file with what is wanted.
final class FaultInjector {
  /// The calls that can fail, as the library numbers them.
  enum Kind: Int32, CaseIterable {
    case allocation, mapping, descriptor, read, write, truncation, sync, name, thread, wait, setting
    case request

    /// The errors that such a call may have. A write with 0 writes a part.
    var errors: [Int32] {
      switch self {
      case .allocation, .mapping: [ENOMEM]
      case .descriptor: [EMFILE, ENOMEM]
      case .read: [EINTR, ENOMEM]
      case .write: [0, ENOSPC, EINTR]
      case .truncation: [ENOSPC, EINTR]
      case .sync, .name: [EIO]
      case .thread: [EAGAIN]
      case .wait: [EINTR, ENOMEM]
      case .setting: [EINVAL]
      // BadAlloc of X11, which any request may have.
      case .request: [11]
      }
    }
  }

  private let path: String
  private let file: Int32
  private var armed: Kind?

  /// The file is in a folder.
  init(in folder: String) throws {
    path = folder + "/faults"
    try writeBytes([UInt8](repeating: 0, count: Self.lossPlace + 4), to: path)
    file = unsafe open(path, O_RDWR | O_CLOEXEC)
    if file < 0 { throw TestFailure("cannot open \(path)") }
  }

  deinit { close(file) }

  /// The variables of a daemon that has the library.
  var environment: [String: String] {
    ["LD_PRELOAD": ProgramPaths.faultLibrary, "BACKDROPD_FAULTS": path]
  }

  /// The number of calls of a kind so far.
  func callCount(_ kind: Kind) -> Int { Int(value(kind, .calls)) }

  /// Lets the call with a number fail, where 1 is the next one.
  func arm(_ kind: Kind, number: Int, error: Int32) {
    set(kind, .error, error)
    set(kind, .countdown, Int32(number))
    armed = kind
  }

  /// Lets no call fail from now on. Returns whether one has.
  @discardableResult func disarm() -> Bool {
    guard let kind = armed else { return false }
    armed = nil
    defer { set(kind, .countdown, 0) }
    return value(kind, .countdown) <= 0
  }

  /// Adds seconds for which the machine was suspended to the time since its start, and sets the time of the day back by as many.
  func jumpInTime(seconds: Int32) {
    var sum: Int32 = 0
    unsafe pread(file, &sum, 4, Self.clockPlace)
    write(sum &+ seconds, at: Self.clockPlace)
  }

  /// Lets the daemon's files lose the bytes that are not on the disk, from now on, as if the power failed when they are closed.
  func loseUnsyncedBytes() { write(1, at: Self.lossPlace) }

  private enum Field: Int { case calls, countdown, error }

  private static var clockPlace: Int { 12 * Kind.allCases.count }
  private static var lossPlace: Int { clockPlace + 4 }

  private func value(_ kind: Kind, _ field: Field) -> Int32 {
    var value: Int32 = 0
    unsafe pread(file, &value, 4, place(kind, field))
    return value
  }

  private func set(_ kind: Kind, _ field: Field, _ value: Int32) {
    write(value, at: place(kind, field))
  }

  private func write(_ value: Int32, at place: Int) {
    var value = value
    unsafe pwrite(file, &value, 4, place)
  }

  private func place(_ kind: Kind, _ field: Field) -> Int {
    Int(kind.rawValue) * 12 + field.rawValue * 4
  }
}
