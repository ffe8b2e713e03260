package import Frost
package import Raster

/// The wallpaper that a user declares, because a compositor tells no program what is below windows: a picture over a colour, or a
/// colour alone, drawn as swaybg draws it.
package struct DeclaredWallpaper: Equatable, Sendable {
  /// The absolute path of the picture; nil for the colour alone.
  package var path: String?
  package var mode: WallpaperMode
  /// Its alpha does not count.
  package var color: Color

  /// A wallpaper of settings; nil if they declare none.
  package init?(_ settings: DaemonSettings) {
    guard settings.wallpaper != nil || settings.wallpaperColor != nil else { return nil }
    path = settings.wallpaper
    mode = settings.wallpaperMode ?? .fill
    color = settings.wallpaperColor ?? Color(white: 0)
  }

  /// For reports: the picture with its mode, or the colour.
  package var text: String {
    path.map { "\($0) (\(mode.rawValue))" } ?? String(color.text.prefix(7))
  }

  package init(path: String?, mode: WallpaperMode, color: Color) {
    (self.path, self.mode, self.color) = (path, mode, color)
  }
}

/// How a picture is placed on an output, by the names of swaybg.
package enum WallpaperMode: String, CaseIterable, Sendable {
  /// Scaled until it covers the output; what is too much is cut off at both sides.
  case fill
  /// Scaled until it is as large as the output in one direction, in the middle.
  case fit
  /// Scaled to the size of the output, in each direction by another factor if need be.
  case stretch
  /// In the middle, in its own size.
  case center
  /// Repeated from the top left corner, in its own size.
  case tile
}

/// The size of an output for which a wallpaper is drawn.
package struct WallpaperTarget: Equatable, Sendable {
  /// The name of the output.
  package var output: String
  /// In pixels, as they are seen.
  package var width, height: Int
  /// The number of pixels of the output for each pixel of a picture in its own size. It is not 1 where a wallpaper program draws
  /// for a whole scale and the compositor scales that down.
  package var ratio: Double

  package init(output: String, width: Int, height: Int, ratio: Double = 1) {
    (self.output, self.width, self.height, self.ratio) = (output, width, height, ratio)
  }
}

/// The wallpaper of an output.
package struct WallpaperPicture: Equatable, Sendable {
  /// The name of the output.
  package let output: String
  /// The picture, of the size of the output.
  package let bitmap: Bitmap

  package init(output: String, bitmap: Bitmap) { (self.output, self.bitmap) = (output, bitmap) }
}

/// Where a picture is on an output, in pixels of the output: its corner, and the length of its pixels.
package struct WallpaperPlace: Equatable, Sendable {
  package var x, y: Double
  package var scaleX, scaleY: Double

  /// The place of a picture of `width` x `height` pixels, at least 1 each.
  package init(_ mode: WallpaperMode, width: Int, height: Int, on target: WallpaperTarget) {
    let (width, height) = (Double(width), Double(height))
    let (across, down) = (Double(target.width) / width, Double(target.height) / height)
    (scaleX, scaleY) =
      switch mode {
      case .fill: (max(across, down), max(across, down))
      case .fit: (min(across, down), min(across, down))
      case .stretch: (across, down)
      case .center, .tile: (target.ratio, target.ratio)
      }
    let isCentered = mode == .fill || mode == .fit || mode == .center
    x = isCentered ? (Double(target.width) - width * scaleX) / 2 : 0
    y = isCentered ? (Double(target.height) - height * scaleY) / 2 : 0
  }
}
