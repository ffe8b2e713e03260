/// Allocates pixel stores: in memory shared with the server if possible, else in private memory,
/// whose pixels are sent through the socket.
///
/// A refusal may be temporary, such as a lack of descriptors. So after one, sharing is tested twice a second until
/// it works.
struct PixelMemory {
  /// Whether the server attaches shared memory at present.
  private(set) var isShareable: Bool
  /// The reason why the first private store is not shared; nil if there is none.
  private(set) var obstacle: String?
  /// Whether private stores can be replaced by shared ones now. The caller resets it when it has discarded the private stores.
  var hasRecovered = false
  private var recovery = Recovery.none
  private let display: String

  /// The way back to shared memory.
  private enum Recovery {
    case none
    /// The next test is at this time; nil: half a second from now.
    case waiting(until: Duration?)
    /// The server has been asked to attach this segment.
    case testing(segment: UInt32)
  }

  private static let interval = Duration.milliseconds(500)

  /// Tests whether the server can attach shared memory. Waits for the server.
  init(_ x: inout XConnection, display: String) {
    self.display = display
    isShareable = x.extensions.sharedMemory != nil
    if isShareable, var memory = try? SharedMemory(pixelCount: 1024) {
      isShareable = x.canAttach(file: memory.takeFile())
    }
  }

  /// A store for `pixelCount` pixels. If the kernel refuses shared memory, the next call tries
  /// again, because the refusal may depend on the size.
  mutating func makeStore(_ x: inout XConnection, pixelCount: Int) -> PixelStore {
    var reason = "\(display) cannot share memory with backdropd (MIT-SHM)"
    if isShareable {
      do throws(SharedMemoryError) {
        return PixelStore(try SharedMemory(pixelCount: pixelCount), &x)
      } catch {
        reason = error.text
        startRecovery()
      }
    }
    obstacle = obstacle ?? reason
    return PixelStore(pixelCount: pixelCount)
  }

  // MARK: Recovery

  /// The time at which `update` must be called; nil if there is none.
  var deadline: Duration? {
    switch recovery {
    case .none, .testing: nil
    case .waiting(let time): time ?? .zero
    }
  }

  /// Records that the server refused a segment.
  mutating func handleRefusal(of segment: UInt32) {
    if case .testing(let tested) = recovery, tested != segment { return }
    isShareable = false
    obstacle = obstacle ?? "\(display) refused shared memory (MIT-SHM)"
    recovery = .waiting(until: nil)
  }

  private mutating func startRecovery() {
    if case .none = recovery { recovery = .waiting(until: nil) }
  }

  /// Starts a test if it is due.
  mutating func update(_ x: inout XConnection, now: Duration) {
    guard case .waiting(let time) = recovery else { return }
    guard let time, time <= now else {
      recovery = .waiting(until: time ?? now + Self.interval)
      return
    }
    guard var memory = try? SharedMemory(pixelCount: 1024) else {
      recovery = .waiting(until: now + Self.interval)
      return
    }
    let segment = x.attach(file: memory.takeFile())
    x.detach(segment: segment)
    recovery = .testing(segment: segment)
    x.requestMarker(.memoryTest)
  }

  /// Records that the server has executed the test. It was refused before, if at all.
  mutating func endTest() {
    guard case .testing = recovery else { return }
    recovery = .none
    isShareable = true
    hasRecovered = true
  }
}
