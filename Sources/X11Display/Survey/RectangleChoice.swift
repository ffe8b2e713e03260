package import Raster

/// The state of the choice of a rectangle, which is dragged with the pointer. The end of the drag chooses it.
package struct RectangleChoice: Equatable, Sendable {
  /// The rectangle so far; nil before anything was dragged.
  package private(set) var rect: Rect?
  private let screen: Rect
  /// A rectangle of one pixel, where the button was pressed; nil while it is not.
  private var corner: Rect?

  /// An input of the user.
  package enum Input: Equatable, Sendable {
    case pressed(x: Int, y: Int)
    case moved(x: Int, y: Int)
    case released(x: Int, y: Int)
    case cancelled
  }

  /// The outcome of an input.
  package enum Outcome: Equatable, Sendable {
    case undecided
    case chosen(Rect)
    case cancelled
  }

  /// The pointer must move so far before a press is a drag, in pixels.
  private static let slack = 3

  /// A choice of a rectangle in `screen`.
  package init(screen: Rect) { self.screen = screen }

  /// Handles what the user has done. A click without a drag chooses nothing.
  package mutating func handle(_ input: Input) -> Outcome {
    switch input {
    case .pressed(let x, let y):
      corner = pixel(x, y)
      rect = nil
    case .moved(let x, let y): drag(to: pixel(x, y))
    case .released(let x, let y):
      drag(to: pixel(x, y))
      corner = nil
      if let rect { return .chosen(rect) }
    case .cancelled: return .cancelled
    }
    return .undecided
  }

  private mutating func drag(to pixel: Rect) {
    guard let corner else { return }
    let distance = max(abs(pixel.x - corner.x), abs(pixel.y - corner.y))
    if rect != nil || distance >= Self.slack { rect = pixel.hull(corner) }
  }

  /// A pixel; of a place outside the screen the nearest one on it.
  private func pixel(_ x: Int, _ y: Int) -> Rect {
    Rect(
      x: min(max(x, screen.x), screen.maxX - 1), y: min(max(y, screen.y), screen.maxY - 1),
      width: 1, height: 1)
  }
}
