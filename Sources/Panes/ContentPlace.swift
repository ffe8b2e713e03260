/// The position of content on its pane.
package struct ContentPlace: Equatable, Sendable {
  /// The position on one axis. Distances are not negative, and in the unit of length of the pane.
  package enum Position: Equatable, Sendable {
    case center
    /// The distance from the left or top edge of the pane to that of the picture.
    case fromStart(Int)
    /// The distance from the right or bottom edge of the picture to that of the pane.
    case fromEnd(Int)
  }

  package var x, y: Position

  package init(x: Position, y: Position) {
    self.x = x
    self.y = y
  }

  /// The centre of the pane.
  package static let center = ContentPlace(x: .center, y: .center)

  /// The valid distances. No pane is larger.
  package static let distanceRange = 0...32767

  /// The position of the top left pixel of a picture, from the top left corner of the pane, in
  /// pixels. It may be negative if the picture is larger than the pane.
  package func origin(
    of picture: (width: Int, height: Int), on pane: (width: Int, height: Int)
  ) -> (x: Int, y: Int) {
    func start(_ position: Position, _ length: Int, in available: Int) -> Int {
      switch position {
      case .center: (available - length) / 2
      case .fromStart(let distance): distance
      case .fromEnd(let distance): available - length - distance
      }
    }
    return (start(x, picture.width, in: pane.width), start(y, picture.height, in: pane.height))
  }
}

extension ContentPlace {
  /// The place in pixels, from one in units of `factor` pixels.
  func scaled(by factor: Double) -> ContentPlace {
    func scaled(_ position: Position) -> Position {
      switch position {
      case .center: .center
      case .fromStart(let distance): .fromStart(distance.scaled(by: factor))
      case .fromEnd(let distance): .fromEnd(distance.scaled(by: factor))
      }
    }
    return ContentPlace(x: scaled(x), y: scaled(y))
  }

  /// The largest size of a text at this position, in pixels, at least 1x1. A text at a distance from one edge of the
  /// pane keeps the same distance from the opposite edge, but at most 16 pixels at scale 1. A centred one keeps 8 pixels
  /// from both edges.
  package func room(on pane: ContentTarget) -> (width: Int, height: Int) {
    let margin = Self.oppositeMargin(scale: pane.scale) / 2
    func length(_ position: Position, of available: Int) -> Int {
      switch position {
      case .center: max(1, available - 2 * min(margin, available / 8))
      case .fromStart(let distance), .fromEnd(let distance):
        max(1, available - distance - min(distance, Self.oppositeMargin(scale: pane.scale)))
      }
    }
    let place = scaled(by: pane.unit)
    return (length(place.x, of: pane.width), length(place.y, of: pane.height))
  }

  /// The largest distance that an item at a distance from one edge keeps from the opposite one, in pixels.
  static func oppositeMargin(scale: Double) -> Int { 2 * Int(8 * scale) }

  /// Parses `center`, or `X,Y`, where each is a distance from the left or top edge
  /// (`12`), from the right or bottom edge (`-12`, `-0`), or `center`. Throws `unreadable` or
  /// `outOfRange`.
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
      throw .outOfRange(setting: "at", text: text, expected: "distances of 0 to 32767")
    }
    self.init(x: x, y: y)
  }

  /// The text that `init(parsing:)` reads.
  package var text: String { self == .center ? "center" : "\(x.text),\(y.text)" }
}

extension ContentPlace.Position {
  /// A number that does not fit in an `Int` becomes `Int.max`, so that it is reported as out of
  /// range.
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
