import Frost
import Panes
import Raster

/// A window whose background becomes glass.
struct KeyedWindow: Equatable {
  /// The grid of its pixels, in its own coordinates.
  let gridKey: GridKey
  /// Its place on the screen.
  let rect: Rect
  /// The part of it that is on the screen, in its own coordinates. No other pixels of it can be read.
  let visible: Rect
  /// Nil until its background is known.
  let key: BackgroundKey?

  /// Nil if the pane is not over a window.
  init?(_ entry: PaneEntry, on layout: PaneLayout) {
    guard entry.isOver, let id = entry.site.window, let rect = entry.target?.client?.rect else {
      return nil
    }
    gridKey = GridKey(
      backdrop: .captured(.client(id)), output: OutputKey(clientOfSize: rect.width, rect.height),
      kind: .pixels)
    self.rect = rect
    visible = rect.intersection(layout.clip).translated(x: -rect.x, y: -rect.y)
    key = entry.key
  }

  /// The area on the screen whose pixels depend on a part of the window.
  func area(dependingOn part: Rect) -> Rect {
    let reach = key?.reach ?? 0
    return Rect(
      x: part.x - reach, y: part.y - reach, width: part.width + 2 * reach,
      height: part.height + 2 * reach
    ).intersection(visible).translated(x: rect.x, y: rect.y)
  }

  func draw(
    _ target: Rect, of window: PixelGrid, overGlass pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout, threads: Int
  ) {
    let (x, y) = (-rect.x, -rect.y)
    let own = PixelLayout(layout.bounds.translated(x: x, y: y), stride: layout.stride)
    key?.draw(
      target.translated(x: x, y: y), of: window, visible: visible, overGlass: &pixels, own,
      threads: threads)
  }
}
