package import Raster

/// The state of the choice of a rectangle: dragged with the pointer, and changed with the arrow keys after that.
package struct RectangleChoice: Equatable, Sendable {
  /// The rectangle so far; nil before anything was dragged.
  package private(set) var rect: Rect?
  /// Whether the button of the pointer is released.
  package var isSettled: Bool { corner == nil }
  private let screen: Rect
  /// Without a keyboard, which would change it, the rectangle is chosen at the end of the drag.
  private let hasKeyboard: Bool
  /// Where the button was pressed, while it is.
  private var corner: (x: Int, y: Int)?
  private var hasMoved = false

  /// What the user does.
  package enum Input: Equatable, Sendable {
    case pressed(x: Int, y: Int)
    case moved(x: Int, y: Int)
    case released(x: Int, y: Int)
    /// An arrow key; with Shift it changes the size.
    case arrow(x: Int, y: Int, changesSize: Bool)
    /// The key Return.
    case accepted
    case cancelled
  }

  /// What follows.
  package enum Outcome: Equatable, Sendable {
    case undecided
    case chosen(Rect)
    case cancelled
  }

  /// The pointer must move so far before a press is a drag, in pixels.
  private static let slack = 3

  /// A choice of a rectangle in `screen`.
  package init(screen: Rect, hasKeyboard: Bool) {
    self.screen = screen
    self.hasKeyboard = hasKeyboard
  }

  /// Takes what the user has done. A click without a drag chooses the rectangle, if there is one.
  package mutating func take(_ input: Input) -> Outcome {
    switch input {
    case .pressed(let x, let y):
      corner = (x, y)
      hasMoved = false
    case .moved(let x, let y): drag(toX: x, y: y)
    case .released(let x, let y):
      drag(toX: x, y: y)
      let wasDrag = corner != nil && hasMoved
      let wasClick = corner != nil && !hasMoved
      corner = nil
      if let rect, wasClick || wasDrag && !hasKeyboard { return .chosen(rect) }
    case .arrow(let x, let y, let changesSize): change(x: x, y: y, changesSize: changesSize)
    case .accepted: if let rect, isSettled { return .chosen(rect) }
    case .cancelled: return .cancelled
    }
    return .undecided
  }

  private mutating func drag(toX x: Int, y: Int) {
    guard let corner else { return }
    if max(abs(x - corner.x), abs(y - corner.y)) >= Self.slack { hasMoved = true }
    guard hasMoved else { return }
    rect = pixel(x, y).hull(pixel(corner.x, corner.y))
  }

  /// A pixel; of a place outside the screen the nearest one on it.
  private func pixel(_ x: Int, _ y: Int) -> Rect {
    Rect(
      x: min(max(x, screen.x), screen.maxX - 1), y: min(max(y, screen.y), screen.maxY - 1),
      width: 1, height: 1)
  }

  private mutating func change(x: Int, y: Int, changesSize: Bool) {
    guard var changed = rect, isSettled else { return }
    if changesSize {
      changed.width = min(max(1, changed.width + x), screen.maxX - changed.x)
      changed.height = min(max(1, changed.height + y), screen.maxY - changed.y)
    } else {
      changed.x = min(max(screen.x, changed.x + x), screen.maxX - changed.width)
      changed.y = min(max(screen.y, changed.y + y), screen.maxY - changed.height)
    }
    rect = changed
  }

  package static func == (a: RectangleChoice, b: RectangleChoice) -> Bool {
    a.rect == b.rect && a.corner?.x == b.corner?.x && a.corner?.y == b.corner?.y
      && a.hasMoved == b.hasMoved
  }
}
