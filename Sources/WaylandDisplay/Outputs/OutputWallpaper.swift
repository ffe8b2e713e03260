import Engine
import Panes
import Raster

/// Where the wallpaper of an output comes from.
enum OutputWallpaper: Equatable {
  /// It is searched on the screen.
  case screen
  /// It will be given.
  case awaited
  /// A picture as large as the output.
  case picture(Bitmap)

  /// The wallpaper that a source has for an output.
  init(_ source: WallpaperSource, of name: String, _ bounds: Rect) {
    switch source {
    case .screen: self = .screen
    case .awaited: self = .awaited
    case .pictures(let pictures):
      let own = pictures.first {
        $0.output == name && ($0.bitmap.width, $0.bitmap.height) == (bounds.width, bounds.height)
      }
      self = own.map { .picture($0.bitmap) } ?? .awaited
    }
  }
}

extension MonitoredOutput {
  /// Whether the wallpaper is not searched.
  var isWallpaperGiven: Bool { wallpaper != .screen }

  /// The wallpaper that is not known and cannot be at present.
  var hiddenWallpaper: Region {
    isWallpaperGiven ? levels.wallpaper.unknown : levels.wallpaper.hidden
  }

  /// The region that is watched on a level and can be known at present.
  func readable(_ level: BackdropLevel) -> Region {
    let watched = levels[level].watched
    return level == .windows ? watched : watched.subtracting(hiddenWallpaper)
  }

  /// Sets the source of the wallpaper. Returns the region in which panes must show other pixels. Returns nil if the backdrop of
  /// the output must be forgotten, because its pixels are those of a given picture and not of the screen.
  func setWallpaper(_ new: OutputWallpaper) -> Region? {
    // Until the first picture is there, panes show what they did.
    if new == .awaited, levels.wallpaper.hasValues { return Region() }
    if new == wallpaper { return Region() }
    let wasPicture = if case .picture = wallpaper { true } else { false }
    wallpaper = new
    search.check = WallpaperCheck()
    if new == .screen, wasPicture { return nil }
    levels.wallpaper.outdate(levels.wallpaper.watched)
    supplyWallpaper()
    return levels.wallpaper.watched
  }

  /// Copies what is watched of a given picture.
  func supplyWallpaper() {
    guard case .picture(let picture) = wallpaper else { return }
    let missing = levels.wallpaper.unknown
    let layout = PixelLayout(bounds)
    for part in missing.rects {
      _ = levels.wallpaper.backdrop.copy(part, of: picture.pixels.span, layout)
    }
    levels.wallpaper.record(missing)
  }
}
