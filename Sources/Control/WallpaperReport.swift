import Frost
import Linux
package import Panes
import Raster

/// The wallpaper that must be drawn, and the outputs for which it is drawn.
package struct WallpaperReport: Codable, Equatable, Sendable {
  /// Identifies the work. Pictures with another number are outdated.
  package var number: Int
  /// The absolute path of a PNG file; nil for a colour alone.
  package var path: String?
  /// The mode and the colour as the configuration has them.
  package var mode, color: String
  package var outputs: [OutputSize]

  /// An output with its size in pixels.
  package struct OutputSize: Codable, Equatable, Sendable {
    package var output: String
    package var width, height: Int
    /// The number of pixels for each pixel of a picture in its own size.
    package var ratio: Double
  }

  /// The work with a number.
  package init(number: Int, _ wallpaper: DeclaredWallpaper, on targets: [WallpaperTarget]) {
    self.number = number
    path = wallpaper.path
    mode = wallpaper.mode.rawValue
    color = wallpaper.color.text
    outputs = targets.map {
      OutputSize(output: $0.output, width: $0.width, height: $0.height, ratio: $0.ratio)
    }
  }

  /// The wallpaper to draw. Throws a `PaneError`.
  package func wallpaper() throws(PaneError) -> DeclaredWallpaper {
    guard let mode = WallpaperMode(rawValue: mode) else {
      throw .unreadable(
        setting: "wallpaper-mode", text: mode,
        expected: WallpaperMode.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return DeclaredWallpaper(path: path, mode: mode, color: try Color(parsing: color, as: "color"))
  }

  package var targets: [WallpaperTarget] {
    outputs.map {
      WallpaperTarget(output: $0.output, width: $0.width, height: $0.height, ratio: $0.ratio)
    }
  }
}

/// The size of a picture in the file that comes with a request, for an output.
struct WallpaperSize: Codable {
  let output: String
  let width, height: Int

  init(_ picture: WallpaperPicture) {
    output = picture.output
    (width, height) = (picture.bitmap.width, picture.bitmap.height)
  }
}

/// Reads the pictures of outputs from the file that came with a request. Throws a `RequestError`.
func readWallpapers(
  _ sizes: [WallpaperSize], taking file: () -> FileDescriptor?
) throws(RequestError) -> [WallpaperPicture] {
  for size in sizes {
    guard (1...1 << 16).contains(size.width), (1...1 << 16).contains(size.height),
      size.width * size.height <= 1 << 28
    else { throw .wrongType(key: Key.pictures.rawValue, expected: "sizes of outputs in pixels") }
  }
  if sizes.isEmpty { return [] }
  guard let file = file() else { throw .noPixelFile }
  let bitmaps = try readPictures(sizes.map { ($0.width, $0.height) }, from: file)
  return zip(sizes, bitmaps).map { WallpaperPicture(output: $0.output, bitmap: $1) }
}
