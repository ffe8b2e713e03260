/// Where content lies on its pane.
package struct ContentPlace: Equatable, Sendable {
  /// No distance is negative.
  package enum Position: Equatable, Sendable {
    case center
    /// From the left or top edge of the pane to that of the picture.
    case fromStart(Int)
    /// From the right or bottom edge of the pane, inward, to that of the picture.
    case fromEnd(Int)
  }

  package var x, y: Position

  package init(x: Position, y: Position) {
    self.x = x
    self.y = y
  }

  package static let center = ContentPlace(x: .center, y: .center)

  /// In pixels; no pane is larger.
  package static let distanceRange = 0...32767

  /// The first pixel of a picture of a size on a pane of a size, from the pane's top left. It is
  /// negative where the picture is larger than its room.
  package func origin(
    of picture: (width: Int, height: Int), on pane: (width: Int, height: Int)
  ) -> (x: Int, y: Int) {
    func start(_ position: Position, _ length: Int, in room: Int) -> Int {
      switch position {
      case .center: (room - length) / 2
      case .fromStart(let distance): distance
      case .fromEnd(let distance): room - length - distance
      }
    }
    return (start(x, picture.width, in: pane.width), start(y, picture.height, in: pane.height))
  }
}

extension ContentPlace {
  /// Reads `center`, or `X,Y`, where each is a distance in pixels from the left or top edge (`12`),
  /// from the right or bottom edge (`-12`, `-0`), or `center`.
  package init(parsing text: String) throws(PaneError) {
    if text == "center" {
      self = .center
      return
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let x = Position(parts[0]), let y = Position(parts[1]) else {
      throw .unreadable(
        setting: "at", text: text,
        expected: "center, or X,Y, each a distance from the left or top (12), from the right or "
          + "bottom (-12), or center")
    }
    for position in [x, y] where !Self.distanceRange.contains(position.distance) {
      throw .outOfRange(setting: "at", text: text, expected: "distances of 0 to 32767 pixels")
    }
    self.init(x: x, y: y)
  }

  /// As it can be read again.
  package var text: String { self == .center ? "center" : "\(x.text),\(y.text)" }
}

extension ContentPlace.Position {
  /// A number too large for an `Int` is as large as one can be: out of range rather than no number.
  fileprivate init?(_ text: Substring) {
    if text == "center" {
      self = .center
      return
    }
    let isFromEnd = text.hasPrefix("-")
    let digits = isFromEnd ? text.dropFirst() : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let distance = Int(digits) ?? .max
    self = isFromEnd ? .fromEnd(distance) : .fromStart(distance)
  }

  fileprivate var distance: Int {
    switch self {
    case .center: 0
    case .fromStart(let distance), .fromEnd(let distance): distance
    }
  }

  fileprivate var text: String {
    switch self {
    case .center: "center"
    case .fromStart(let distance): "\(distance)"
    case .fromEnd(let distance): "-\(distance)"
    }
  }
}
