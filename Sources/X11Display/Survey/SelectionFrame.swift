import CXCB
import Raster

/// A frame around a rectangle of the screen, with a label: windows above all others, so that it is seen with and without a
/// compositor, and what is in the rectangle is seen too.
struct SelectionFrame {
  /// A white line beside a black one can be seen on everything.
  private let lines: [(window: UInt32, distance: Int)]
  private let label: UInt32
  private let gc: UInt32
  private var picture = Bitmap(width: 1, height: 1, filledWith: 0)
  private var mapped: Set<UInt32> = []

  /// Makes the windows, which are not shown.
  init(_ x: inout XConnection, exposures: UInt32) {
    let nothing = Rect(x: 0, y: 0, width: 1, height: 1)
    lines = [(UInt32.max, 1), (0, 2)].map { pixel, distance in
      let window = x.createWindow(XConnection.NewWindow(rect: nothing))
      x.setBackground(window, XCB_CW_BACK_PIXEL, pixel, about: window)
      return (window, distance)
    }
    label = x.createWindow(XConnection.NewWindow(rect: nothing, events: exposures))
    gc = x.createGC(label)
  }

  /// Shows the frame around `rect`, and the label at its lower edge or where there is room.
  mutating func show(_ rect: Rect, label picture: Bitmap, _ x: inout XConnection, screen: Rect) {
    for (window, distance) in lines {
      let outer = rect.grown(by: distance)
      x.place(window, outer)
      let whole = Rect(x: 0, y: 0, width: outer.width, height: outer.height)
      x.setBoundingRegion(window, Region(whole).subtracting(Region(whole.grown(by: -1))))
    }
    let gap = 6
    let below = rect.maxY + gap + picture.height <= screen.maxY
    let above = rect.y - gap - picture.height >= screen.y
    let top =
      below ? rect.maxY + gap : above ? rect.y - gap - picture.height : rect.y + gap
    for (window, _) in lines { map(window, &x) }
    show(picture, x: rect.x, y: top, &x, screen: screen)
  }

  /// Shows the label alone, beside the pointer.
  mutating func show(
    _ picture: Bitmap, atPointerX left: Int, y top: Int, _ x: inout XConnection, screen: Rect
  ) {
    let gap = 24
    let below = top + gap + picture.height <= screen.maxY
    show(
      picture, x: left + gap / 2, y: below ? top + gap : top - gap - picture.height, &x,
      screen: screen)
  }

  private mutating func show(
    _ picture: Bitmap, x left: Int, y top: Int, _ x: inout XConnection, screen: Rect
  ) {
    self.picture = picture
    let left = max(screen.x, min(left, screen.maxX - picture.width))
    x.place(label, Rect(x: left, y: top, width: picture.width, height: picture.height))
    if mapped.contains(label) { draw(&x) }
    map(label, &x)
  }

  /// Its pixels are drawn when the server asks for them.
  private mutating func map(_ window: UInt32, _ x: inout XConnection) {
    guard mapped.insert(window).inserted else { return }
    x.map(window)
    _ = x.raise(window, below: nil)
  }

  /// Draws the label again, if this is its window.
  func redraw(_ window: UInt32, _ x: inout XConnection) { if window == label { draw(&x) } }

  private func draw(_ x: inout XConnection) {
    let part = picture.bounds
    var words = picture.pixels
    var pixels = words.mutableSpan
    x.screen.rootFormat.compress(&pixels, of: part)
    let canvas = XConnection.Canvas(
      window: label, gc: gc, depth: x.screen.rootDepth, format: x.screen.rootFormat)
    x.putPacked(words.span, part: part, on: canvas)
  }
}
