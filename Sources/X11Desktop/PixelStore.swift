import CLinux
import Desktop
import Glibc

/// Pixels that travel between us and the server: in shared memory where that can be had, else in our
/// own, to be sent through the socket.
///
/// Shared memory is marked for removal as soon as both sides have it: a crash of either leaves
/// nothing behind. A class, because the server knows its address: there must be one of it.
@safe final class PixelStore {
  private let address: UnsafeMutablePointer<UInt32>
  let pixelCount: Int
  /// The server's name of it; nil when the memory is our own.
  let segment: UInt32?

  /// Shared memory while that works; `usesSharedMemory` becomes false when the server refuses it, as
  /// one on another host, of another user or in an IPC namespace of its own does.
  init(
    _ x: borrowing XConnection, pixelCount: Int, usesSharedMemory: inout Bool
  ) throws(DesktopError) {
    self.pixelCount = pixelCount
    if usesSharedMemory, let (memory, id) = unsafe try Self.share(x, byteCount: 4 * pixelCount) {
      unsafe address = memory.assumingMemoryBound(to: UInt32.self)
      segment = id
      return
    }
    usesSharedMemory = false
    unsafe address = .allocate(capacity: pixelCount)
    unsafe address.initialize(repeating: 0, count: pixelCount)
    segment = nil
  }

  deinit {
    if segment == nil {
      unsafe address.deallocate()
    } else {
      unsafe shmdt(address)
    }
  }

  /// Has the server let go of it; to be called before the last reference goes.
  func release(_ x: borrowing XConnection) {
    if let segment { x.detach(segment: segment) }
  }

  func withPixels<Result>(_ body: (Span<UInt32>) -> Result) -> Result {
    unsafe body(Span(_unsafeStart: address, count: pixelCount))
  }

  func withMutablePixels<Result>(_ body: (inout MutableSpan<UInt32>) -> Result) -> Result {
    var span = unsafe MutableSpan(_unsafeStart: address, count: pixelCount)
    return body(&span)
  }

  /// Nil when the server cannot attach our memory.
  private static func share(
    _ x: borrowing XConnection, byteCount: Int
  ) throws(DesktopError) -> (UnsafeMutableRawPointer, UInt32)? {
    let identifier = shmget(IPC_PRIVATE, byteCount, IPC_CREAT | 0o600)
    if identifier < 0 {
      throw .noMemory("cannot have \(byteCount) bytes of shared memory: \(errorText())")
    }
    guard let memory = unsafe shmat(identifier, nil, 0),
      unsafe memory != UnsafeMutableRawPointer(bitPattern: -1)
    else {
      let text = errorText()
      shmctl(identifier, IPC_RMID, nil)
      throw .noMemory("cannot attach \(byteCount) bytes of shared memory: \(text)")
    }
    let attached = x.attach(segment: identifier)
    shmctl(identifier, IPC_RMID, nil)
    guard let attached else {
      unsafe shmdt(memory)
      return nil
    }
    return unsafe (memory, attached)
  }
}

private func errorText() -> String {
  let code = errno
  return unsafe String(cString: strerror(code))
}
