import CLinux
import Glibc

/// Where the memory of pixel stores comes from: it is shared with the server where that can be had,
/// else our own, and its pixels go through the socket.
struct PixelMemory {
  /// False once the server has refused to attach ours, as one on another host, of another user or in
  /// an IPC namespace of its own does. It will not change its mind.
  private(set) var isShareable: Bool
  /// What kept the first store that is not shared from being it.
  private(set) var obstacle: String?
  private let display: String

  init(isShareable: Bool, display: String) {
    self.isShareable = isShareable
    self.display = display
  }

  /// What the kernel refuses today it may grant tomorrow, and a smaller store now: the next one asks
  /// again.
  mutating func makeStore(_ x: borrowing XConnection, pixelCount: Int) -> PixelStore {
    var reason = "\(display) shares no memory with us (MIT-SHM)"
    if isShareable {
      do {
        return try PixelStore(x, sharing: pixelCount)
      } catch {
        switch error {
        case .refused: isShareable = false
        case .noMemory(let text): reason = text
        }
      }
    }
    obstacle = obstacle ?? reason
    return PixelStore(pixelCount: pixelCount)
  }
}

/// Why memory cannot be shared with the server.
enum SharingError: Error {
  /// The kernel gives none, for the reason in the text.
  case noMemory(String)
  /// The server cannot attach it.
  case refused
}

/// Pixels that travel between us and the server.
///
/// Shared memory is marked for removal as soon as both sides have it: a crash of either leaves
/// nothing behind. A class, because the server knows its address: there must be one of it.
@safe final class PixelStore {
  private let address: UnsafeMutablePointer<UInt32>
  let pixelCount: Int
  /// The server's name of it; nil when the memory is our own.
  let segment: UInt32?
  var isShared: Bool { segment != nil }

  /// In shared memory.
  init(_ x: borrowing XConnection, sharing pixelCount: Int) throws(SharingError) {
    let byteCount = 4 * pixelCount
    let identifier = shmget(IPC_PRIVATE, byteCount, IPC_CREAT | 0o600)
    if identifier < 0 { throw lack(of: byteCount) }
    guard let memory = unsafe shmat(identifier, nil, 0),
      unsafe memory != UnsafeMutableRawPointer(bitPattern: -1)
    else {
      let error = lack(of: byteCount)
      shmctl(identifier, IPC_RMID, nil)
      throw error
    }
    let attached = x.attach(segment: identifier)
    shmctl(identifier, IPC_RMID, nil)
    guard let attached else {
      unsafe shmdt(memory)
      throw .refused
    }
    unsafe address = memory.assumingMemoryBound(to: UInt32.self)
    segment = attached
    self.pixelCount = pixelCount
  }

  /// In memory of our own.
  init(pixelCount: Int) {
    unsafe address = .allocate(capacity: pixelCount)
    unsafe address.initialize(repeating: 0, count: pixelCount)
    segment = nil
    self.pixelCount = pixelCount
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
}

private func lack(of byteCount: Int) -> SharingError {
  let text = unsafe String(cString: strerror(errno))
  return .noMemory(
    "the kernel gives us no \(byteCount) bytes of shared memory "
      + "(\(text); kernel.shmmax, shmall and shmmni limit it)")
}
