import Frost
import Panes
import Raster

/// The pixels of a window that glass over or beneath it depends on.
struct WindowPixels: Equatable {
  /// The grid of its pixels, in its own coordinates.
  let gridKey: GridKey
  /// Its place on the screen.
  let rect: Rect
  /// The part of it that is on the screen, in its own coordinates. No other pixels of it can be read.
  let visible: Rect
  let use: Use

  /// What becomes of the glass.
  enum Use: Equatable {
    /// It takes the place of the background of the window; nil until that is known.
    case key(BackgroundKey?)
    /// It is beneath the window, where that paints.
    case coverage(WindowCoverage)
  }

  /// Nil if the pane is not over a window, nor beneath one that leaves parts of itself free.
  init?(_ entry: PaneEntry, on layout: PaneLayout) {
    guard let id = entry.site.window, let rect = entry.target?.client?.rect else { return nil }
    if entry.isOver {
      use = .key(entry.key)
    } else if let coverage = entry.coverage {
      use = .coverage(coverage)
    } else {
      return nil
    }
    gridKey = GridKey(
      backdrop: .captured(.client(id)), output: OutputKey(clientOfSize: rect.width, rect.height),
      kind: .pixels)
    self.rect = rect
    visible = rect.intersection(layout.clip).translated(x: -rect.x, y: -rect.y)
  }

  /// Whether the glass takes the place of a background.
  var isKeyed: Bool { if case .key = use { true } else { false } }

  /// The area on the screen whose pixels depend on a part of the window.
  func area(dependingOn part: Rect) -> Rect {
    var reach = 0
    if case .key(let key?) = use { reach = key.reach }
    return Rect(
      x: part.x - reach, y: part.y - reach, width: part.width + 2 * reach,
      height: part.height + 2 * reach
    ).intersection(visible).translated(x: rect.x, y: rect.y)
  }

  /// Draws what becomes of the part `target` of the glass.
  func draw(
    _ target: Rect, of window: PixelGrid, overGlass pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout, threads: Int
  ) {
    let (x, y) = (-rect.x, -rect.y)
    let own = PixelLayout(layout.bounds.translated(x: x, y: y), stride: layout.stride)
    let part = target.translated(x: x, y: y)
    switch use {
    case .key(let key):
      key?.draw(
        part, of: window, visible: visible, overGlass: &pixels, own, threads: threads)
    case .coverage(let coverage):
      coverage.limit(part.intersection(visible), of: window, glass: &pixels, own)
    }
  }
}
