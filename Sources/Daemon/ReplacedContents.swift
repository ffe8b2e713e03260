import Linux
import Panes
import Synchronization

/// Large contents of panes that a request may have replaced. They are freed on another thread: the kernel takes 10 ms
/// to take back 64 MiB.
struct ReplacedContents {
  private var contents: [PaneContent] = []
  /// The time at which `release` must be called; nil if there are none.
  private(set) var deadline: Duration?

  /// The number of pixels from which a picture is large, 1 MiB: to free it takes 0.2 ms.
  private static let largeArea = 1 << 18
  /// The time after which no frame in progress draws them.
  private static let delay = Duration.milliseconds(500)

  /// Contents that a thread frees, even if others still hold the reference.
  private final class Waste: Sendable {
    let contents: Mutex<[PaneContent]>
    init(_ contents: [PaneContent]) { self.contents = Mutex(contents) }
  }

  /// Keeps the large ones of some contents. Some of them may stay in use.
  mutating func keep(_ contents: some Sequence<PaneContent>, now: Duration) {
    let large = contents.filter { $0.pixelCount >= Self.largeArea }
    if large.isEmpty { return }
    self.contents += large
    deadline = deadline ?? now + Self.delay
    // A flood of contents must not fill the memory.
    let area = self.contents.reduce(0) { $0 + $1.pixelCount }
    if area > PaneContent.totalPixelLimit { deadline = now }
  }

  /// Frees the contents that are no longer in use, if it is time.
  mutating func release(now: Duration) {
    guard let deadline, deadline <= now else { return }
    let waste = Waste(contents)
    contents = []
    self.deadline = nil
    // Without a thread they are freed here.
    _ = startThread { waste.contents.withLock { $0 = [] } }
  }
}
