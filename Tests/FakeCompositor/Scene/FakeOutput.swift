package import Raster

/// An output: what is on it, and what it shows.
package final class FakeOutput {
  /// The properties of an output.
  package struct State: Equatable {
    package var name: String
    /// The mode in pixels, before the transform.
    package var width, height: Int
    /// 0 to 7.
    package var transform = 0
    package var scale = 1.0
    /// The logical position.
    package var x = 0
    package var y = 0
    /// Whether it has power. Without, captures fail and nothing is drawn.
    package var isOn = true

    /// An output at (0, 0).
    package init(name: String, width: Int, height: Int) {
      self.name = name
      self.width = width
      self.height = height
    }

    /// The size in pixels as it is seen.
    package var seen: Rect {
      transform % 2 == 1
        ? Rect(x: 0, y: 0, width: height, height: width)
        : Rect(x: 0, y: 0, width: width, height: height)
    }

    /// The rectangle in logical pixels.
    package var logical: Rect {
      Rect(
        x: x, y: y, width: Int(Double(seen.width) / scale),
        height: Int(Double(seen.height) / scale))
    }

    var turn: PictureTurn {
      PictureTurn(value: transform, width: seen.width, height: seen.height)
    }
  }

  package internal(set) var state: State
  /// The background. It is repeated if it is smaller than the output.
  package private(set) var picture: Bitmap
  /// The picture of the last frame, as it is seen.
  package private(set) var shown: Bitmap
  /// Surfaces of other clients above all overlays, the lowest first.
  package private(set) var foreign: [Foreign] = []
  /// Windows of other clients, between the layers bottom and top.
  package private(set) var windows: [Foreign] = []
  /// The name of its global.
  let global: Int
  /// Where the picture has changed since the last frame.
  var damage = Region()
  var handlers: [OutputHandler] = []
  var positions: [XDGOutputHandler] = []
  /// Captures that wait for a frame.
  var copies: [any PendingCapture] = []
  /// The time of the last frame.
  var lastFrame: Duration?

  /// A surface of another client, of one colour, in the pixels of the output as it is seen.
  package struct Foreign: Equatable {
    package var rect: Rect
    /// Premultiplied BGRA.
    package var color: UInt32

    /// An opaque surface.
    package init(_ rect: Rect, _ color: UInt32) {
      self.init(rect, premultiplied: color | 0xff00_0000)
    }

    /// A surface that may be translucent.
    package init(_ rect: Rect, premultiplied color: UInt32) {
      self.rect = rect
      self.color = color
    }

    var isOpaque: Bool { color >> 24 == 255 }
  }

  init(_ state: State, _ picture: Bitmap, global: Int) {
    precondition(!picture.bounds.isEmpty)
    self.state = state
    self.picture = picture
    self.global = global
    shown = Bitmap(width: state.seen.width, height: state.seen.height)
    damage = Region(state.seen)
  }

  /// Shows another background.
  package func setPicture(_ new: Bitmap) {
    picture = new
    damage = Region(state.seen)
  }

  /// Changes the background inside a rectangle.
  package func draw(_ rect: Rect, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    let part = rect.intersection(picture.bounds)
    for y in part.rows { for x in part.columns { picture[x, y] = pixel(x, y) } }
    damage.form(union: part.intersection(state.seen))
  }

  /// Sets the surfaces of other clients.
  package func setForeign(_ new: [Foreign]) {
    for one in foreign + new { damage.form(union: one.rect.intersection(state.seen)) }
    foreign = new
  }

  /// Sets the windows of other clients.
  package func setWindows(_ new: [Foreign]) {
    for one in windows + new { damage.form(union: one.rect.intersection(state.seen)) }
    windows = new
  }

  /// The picture without layer surfaces and surfaces of others.
  package var background: Bitmap {
    var all = Bitmap(width: state.seen.width, height: state.seen.height)
    for y in 0..<all.height {
      for x in 0..<all.width { all.pixels[y * all.width + x] = backgroundPixel(x, y) }
    }
    return all
  }

  private func backgroundPixel(_ x: Int, _ y: Int) -> UInt32 {
    picture.pixels[y % picture.height * picture.width + x % picture.width] | 0xff00_0000
  }

  /// Whether surfaces of others hide all of a rectangle.
  func isHidden(_ rect: Rect) -> Bool {
    Region(rect.intersection(state.seen)).subtracting(
      Region(foreign.filter(\.isOpaque).map(\.rect))
    ).isEmpty
  }

  /// Prepares for another size.
  func reset() {
    shown = Bitmap(width: state.seen.width, height: state.seen.height)
    damage = Region(state.seen)
  }

  /// Draws what has changed, with the surfaces of clients, the lowest first, each with its layer. Returns the region.
  func compose(
    _ surfaces: [(surface: FakeSurface, rect: Rect, layer: Int)], _ blending: FakeBlending
  ) -> Region {
    let region = damage.intersection(state.seen)
    damage = Region()
    for part in region.rects {
      for y in part.rows {
        for x in part.columns { shown.pixels[y * shown.width + x] = backgroundPixel(x, y) }
      }
      for one in surfaces where one.layer < 2 {
        one.surface.draw(part, at: one.rect, onto: &shown)
      }
      draw(windows, in: part, blending)
      for one in surfaces where one.layer >= 2 {
        one.surface.draw(part, at: one.rect, onto: &shown)
      }
      draw(foreign, in: part, blending)
    }
    return region
  }

  private func draw(_ all: [Foreign], in part: Rect, _ blending: FakeBlending) {
    for one in all {
      let own = one.rect.intersection(part)
      for y in own.rows {
        for x in own.columns {
          let index = y * shown.width + x
          shown.pixels[index] = blending.blended(one.color, onto: shown.pixels[index])
        }
      }
    }
  }
}
