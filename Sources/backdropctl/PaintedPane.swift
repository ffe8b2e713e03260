import Control
import Frost
import Glibc
import Panes
import Raster

/// A pane as it is painted where there is no display: its glass, what it holds and its outline.
struct PaintedPane {
  var material: Material
  var style = OutlineStyle()
  var contents: [PaneContent] = []

  /// Paints it over the part `frame` of a picture, whose edges mirror as a screen's do; `frame` may reach
  /// beyond them.
  func painted(on picture: consuming Bitmap, isOpaque: Bool, _ frame: Rect) -> Bitmap {
    let outline = outline(of: frame)
    let target = outline.bounds(of: frame).intersection(picture.bounds)
    var canvas = Bitmap(width: target.width, height: target.height)
    let layout = PixelLayout(target)
    let whole = PixelLayout(picture.bounds)
    let glass = glass(over: picture, isOpaque: isOpaque, frame.intersection(picture.bounds))
    var pixels = canvas.pixels.mutableSpan
    draw(glass, of: frame, into: &pixels, layout)
    outline.finish(target, of: frame, in: &pixels, layout)
    if isOpaque {
      compose(target, of: &pixels, layout, over: picture.pixels.span, whole)
    } else {
      canvas.addColours(of: rest(of: picture, target, frame, outline))
    }
    for y in target.rows {
      for x in target.columns { picture[x, y] = canvas[x - target.x, y - target.y] }
    }
    return picture
  }

  /// Its glass, as far as the picture goes, and what lies on it.
  private func draw(
    _ glass: borrowing Glass, of frame: Rect, into pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    glass.draw(glass.pane, into: &pixels, layout)
    let contents = Contents(self.contents.map { $0.placed(on: (frame.width, frame.height)) })
    let polarities = (0..<contents.groupCount).map {
      contents.polarity(of: $0, of: frame, on: glass, last: nil)
    }
    contents.draw(glass.pane, of: frame, polarities, over: &pixels, layout)
  }

  /// What is left of a translucent picture around a pane. It does not show through the glass, which took
  /// its place: so it is what would be left of it around an opaque pane, less that pane's alpha.
  private func rest(
    of picture: borrowing Bitmap, _ target: Rect, _ pane: Rect, _ outline: Outline
  ) -> Bitmap {
    let layout = PixelLayout(target)
    var black = Bitmap(width: target.width, height: target.height, filledWith: 0xFF00_0000)
    var pixels = black.pixels.mutableSpan
    outline.finish(target, of: pane, in: &pixels, layout)
    let alphas = black.pixels.map { $0 & 0xFF00_0000 }
    for i in alphas.indices { black.pixels[i] = alphas[i] }
    var span = black.pixels.mutableSpan
    compose(target, of: &span, layout, over: picture.pixels.span, PixelLayout(picture.bounds))
    for i in alphas.indices { black.pixels[i] -= alphas[i] }
    return black
  }

  /// The whole picture as glass, by itself: what the outline leaves out is clear, and a shadow makes the
  /// picture larger.
  func painted(of picture: consuming Bitmap, isOpaque: Bool) -> Bitmap {
    let pane = picture.bounds
    let outline = outline(of: pane)
    let target = outline.bounds(of: pane)
    let layout = PixelLayout(target)
    let glass = glass(over: picture, isOpaque: isOpaque, pane)
    // Often one and the same; a picture may fill half the memory.
    if target != pane { picture = Bitmap(width: target.width, height: target.height) }
    var pixels = picture.pixels.mutableSpan
    draw(glass, of: pane, into: &pixels, layout)
    outline.finish(target, of: pane, in: &pixels, layout)
    return picture
  }

  private func outline(of pane: Rect) -> Outline {
    Outline(style, width: pane.width, height: pane.height)
  }

  private func glass(over picture: borrowing Bitmap, isOpaque: Bool, _ pane: Rect) -> Glass {
    var glass = Glass(pane: pane, screen: picture.bounds, material: material)
    glass.threads = min(2, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    glass.absorb(
      picture.pixels.span, PixelLayout(picture.bounds), isOpaque: isOpaque,
      damage: picture.bounds)
    _ = glass.settle()
    return glass
  }
}

extension Bitmap {
  /// Adds the four channels of each pixel of another picture, as far as there is room.
  fileprivate mutating func addColours(of other: Bitmap) {
    for (i, pixel) in other.pixels.enumerated() {
      var sum: UInt32 = 0
      for shift: UInt32 in [0, 8, 16, 24] {
        sum |= min(255, (pixels[i] >> shift & 255) + (pixel >> shift & 255)) << shift
      }
      pixels[i] = sum
    }
  }
}
