import Frost
package import Raster

/// The size of a pane, and the scale and the unit of length that it has on its output, for which content is drawn.
package struct ContentTarget: Hashable, Sendable {
  /// The scale of its output: the number of pixels per 1/96 inch.
  package var scale: Double
  /// The number of pixels of its unit of length.
  package var unit: Double
  /// Its size in pixels.
  package var width, height: Int

  package init(scale: Double, unit: Double = 1, width: Int, height: Int) {
    (self.scale, self.unit) = (scale, unit)
    (self.width, self.height) = (width, height)
  }

  package var size: (width: Int, height: Int) { (width, height) }
}

/// The panes for which a drawing of content is right.
package struct DrawingScope: Hashable, Sendable {
  /// The scale of their output.
  package var scale: Double
  /// The sizes of the room that they have for a text, in pixels.
  package var sizes: Sizes

  /// The sizes of the room of a text for which a drawing is right.
  package enum Sizes: Hashable, Sendable {
    /// Images, and texts that are neither wrapped nor shortened, need no size.
    case any
    /// A text in its natural size.
    case atLeast(width: Int, height: Int)
    /// A text that was wrapped or shortened.
    case exactly(width: Int, height: Int)
  }

  package init(scale: Double, sizes: Sizes = .any) { (self.scale, self.sizes) = (scale, sizes) }

  /// Whether it includes content at a place on a pane.
  func includes(_ place: ContentPlace, on pane: ContentTarget) -> Bool {
    if pane.scale != scale { return false }
    let room = place.room(on: pane)
    return switch sizes {
    case .any: true
    case .atLeast(let width, let height): width <= room.width && height <= room.height
    case .exactly(let width, let height): (width, height) == room
    }
  }
}

/// An image or a label as pixels.
package struct ContentDrawing: Sendable {
  /// The pixels: premultiplied BGRA.
  package let picture: Bitmap
  /// The glyphs of a vibrant label that have colours of their own, such as emoji, in a picture of the same size; nil if
  /// there are none. They are drawn over the rest.
  package let emoji: Bitmap?
  /// The panes for which it is right; nil if for all.
  package let scope: DrawingScope?
  /// The items to draw, from the top left corner of the picture; nil before `prepare`.
  private var prepared: [Content]?

  /// Traps if `emoji` has another size than `picture`.
  package init(_ picture: Bitmap, emoji: Bitmap? = nil, scope: DrawingScope?) {
    precondition(emoji.map { $0.bounds == picture.bounds } ?? true)
    self.picture = picture
    self.emoji = emoji
    self.scope = scope
  }

  /// The picture, and that of the emoji.
  package var pictures: [Bitmap] { [picture] + (emoji.map { [$0] } ?? []) }
  /// The number of pixels of both.
  package var pixelCount: Int { picture.pixels.count * (emoji == nil ? 1 : 2) }

  /// Whether it is right for content at a place on a pane.
  func suits(_ place: ContentPlace, on pane: ContentTarget) -> Bool {
    scope?.includes(place, on: pane) ?? true
  }

  mutating func prepare(for vibrancy: Vibrancy?) { prepared = made(for: vibrancy) }

  /// The items to draw, from the top left corner of the picture.
  func contents(for vibrancy: Vibrancy?) -> [Content] { prepared ?? made(for: vibrancy) }

  private func made(for vibrancy: Vibrancy?) -> [Content] {
    [Content(picture, x: 0, y: 0, vibrancy: vibrancy)]
      + (emoji.map { [Content($0, x: 0, y: 0, vibrancy: nil)] } ?? [])
  }
}

extension ContentDrawing: Equatable {
  package static func == (one: ContentDrawing, other: ContentDrawing) -> Bool {
    one.picture == other.picture && one.emoji == other.emoji && one.scope == other.scope
  }
}
