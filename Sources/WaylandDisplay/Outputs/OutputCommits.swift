import Raster
import WaylandClient

/// The commits of the overlays of an output, and what captures have shown of them.
struct OutputCommits {
  /// Overlays that were destroyed; a capture may show them until the compositor has answered.
  private(set) var departed: [(rect: Rect, answer: WaylandObject)] = []
  /// Where overlays were before they moved or disappeared, since the last commit.
  var leftRegion = Region()
  /// Whether an overlay appeared, moved, disappeared or got another layer since the last commit.
  var isStackOutdated = false
  /// The time at which changes of the backdrop are committed that no update of the engine includes; nil if there are none.
  var leakDeadline: Duration?
  /// The number of commits so far, and how many of them captures have shown.
  private(set) var count = 0
  private(set) var confirmedCount = 0

  var areConfirmed: Bool { confirmedCount == count }

  mutating func add() { count += 1 }

  /// A capture has shown all commits.
  mutating func confirm() { confirmedCount = count }

  // MARK: Destroyed overlays

  /// Where the screen may still show destroyed overlays.
  var departedRegion: Region { Region(departed.map(\.rect)) }

  mutating func addDeparture(_ rect: Rect, _ connection: borrowing WaylandConnection) {
    departed.append((rect, connection.requestSync()))
    leftRegion.form(union: rect)
    isStackOutdated = true
  }

  /// Handles the answer to the destruction of an overlay. Returns whether `object` is one.
  mutating func handleAnswer(
    _ object: WaylandObject, _ connection: borrowing WaylandConnection
  ) -> Bool {
    guard let index = departed.firstIndex(where: { $0.answer == object }) else { return false }
    connection.release(object)
    departed.remove(at: index)
    return true
  }

  /// Ends the requests in progress.
  mutating func close(_ connection: borrowing WaylandConnection) {
    for one in departed { connection.release(one.answer) }
    departed = []
  }
}
