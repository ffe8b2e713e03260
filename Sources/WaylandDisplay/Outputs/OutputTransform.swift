import Panes
import Raster

/// How a compositor turns its picture for an output: the picture as it is seen, in which overlays and panes have their
/// places, and the native one, whose rows the output shows and a capture has.
struct OutputTransform: Equatable {
  /// The number in `wl_output.transform`, 0 to 7.
  private let value: Int
  /// The native size in pixels.
  let width, height: Int

  init(_ value: Int, width: Int, height: Int) {
    self.value = value & 7
    self.width = width
    self.height = height
  }

  /// Whether width and height change places.
  private var isTurned: Bool { value & 1 == 1 }

  /// The size in pixels as it is seen.
  var seenSize: (width: Int, height: Int) { isTurned ? (height, width) : (width, height) }

  /// The orientation of the picture: `wl_output.transform` first reflects and then turns, too.
  var orientation: Orientation {
    Orientation(quarterTurns: value & 3, isReflected: value & 4 != 0)
  }

  var isIdentity: Bool { value == 0 }

  /// Whether all compositors capture the requested part of the picture. With a quarter turn, wlroots 0.15 captures the part at
  /// the place that belongs to the opposite quarter turn.
  var hasKnownParts: Bool { value & 1 == 0 || value & 4 != 0 }

  /// The place in the native picture of a rectangle that is seen. Both are relative to the corner of the output.
  func native(_ seen: Rect) -> Rect {
    // Reflected transforms, and half a turn, are their own inverses.
    let inverse = value == 1 ? 3 : value == 3 ? 1 : value
    return Self.apply(inverse, to: seen, in: seenSize)
  }

  /// The place where a rectangle of the native picture is seen.
  func seen(_ native: Rect) -> Rect { Self.apply(value, to: native, in: (width, height)) }

  /// The place of a rectangle after the transform `value` of a picture of `size`.
  private static func apply(
    _ value: Int, to rect: Rect, in size: (width: Int, height: Int)
  ) -> Rect {
    let (left, top) = (rect.x, rect.y)
    let (right, bottom) = (size.width - rect.maxX, size.height - rect.maxY)
    let corner =
      switch value {
      case 0: (left, top)
      case 1: (bottom, left)
      case 2: (right, bottom)
      case 3: (top, right)
      case 4: (right, top)
      case 5: (top, left)
      case 6: (left, bottom)
      default: (bottom, right)
      }
    let isTurned = value & 1 == 1
    return Rect(
      x: corner.0, y: corner.1, width: isTurned ? rect.height : rect.width,
      height: isTurned ? rect.width : rect.height)
  }
}

/// The pixels of a capture: a part of the native picture of an output, as the compositor wrote it.
struct CapturedPart {
  let transform: OutputTransform
  /// The part in the native picture.
  let native: Rect
  /// In pixels.
  let stride: Int
  /// Whether the last row is the first in memory.
  let isInverted: Bool

  /// Whether pixels can be used where they are, in the layout `layout(at:)`.
  var isSeenAsCaptured: Bool { transform.isIdentity && !isInverted }

  /// The layout of the pixels in the coordinates of the display, if `isSeenAsCaptured`. `corner` is that of the output.
  func layout(at corner: Rect) -> PixelLayout {
    PixelLayout(native.translated(x: corner.x, y: corner.y), stride: stride)
  }

  /// Copies pixels of `rect`, relative to the corner of the output, in the order in which they are seen. `layout` is
  /// relative to it, too. Traps if `rect` is outside the part or the layout.
  @_lifetime(seen: copy seen)
  func copy(
    _ rect: Rect, from pixels: Span<UInt32>, to seen: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    if rect.isEmpty { return }
    precondition(native.contains(transform.native(rect)) && layout.bounds.contains(rect))
    func index(_ x: Int, _ y: Int) -> Int {
      let place = transform.native(Rect(x: x, y: y, width: 1, height: 1))
      let row = isInverted ? native.maxY - 1 - place.y : place.y - native.y
      return row * stride + place.x - native.x
    }
    // The index is a linear function of the place.
    let first = index(rect.x, rect.y)
    let (across, down) = (
      index(rect.x + 1, rect.y) - first, index(rect.x, rect.y + 1) - first
    )
    for y in 0..<rect.height {
      let to = layout.index(x: rect.x, y: rect.y + y)
      for x in 0..<rect.width { seen[to + x] = pixels[first + x * across + y * down] }
    }
  }
}
