import Raster

/// A button press of the pointer or the touch of a finger on an overlay, or what follows it.
package struct Contact: Equatable, Sendable {
  /// The pointer or a finger.
  package enum ID: Hashable, Sendable {
    case pointer
    case finger(UInt32)
  }

  /// The event of the contact.
  package enum Phase: Equatable, Sendable {
    /// The press, the moves after it, and the release.
    case began, moved, ended
  }

  package var id: ID
  package var phase: Phase
  /// The place in the coordinates of the display.
  package var x, y: Double
  /// The time of the display in milliseconds, which starts at 0 again after the largest value.
  package var time: UInt32

  /// A contact at a place and a time.
  package init(_ id: ID, _ phase: Phase, x: Double, y: Double, time: UInt32) {
    (self.id, self.phase) = (id, phase)
    (self.x, self.y, self.time) = (x, y, time)
  }

  /// The pixel of the place.
  var pixel: Rect {
    Rect(x: Int(x.rounded(.down)), y: Int(y.rounded(.down)), width: 1, height: 1)
  }
}
