import Panes

/// The format of a file that is no PNG file, by its first bytes, and the remedy.
func otherPicture(_ path: String, _ start: [UInt8]) -> String {
  guard let format = formats.first(where: { $0.isFormat(of: start) })?.name else {
    return "the file has no PNG signature; give a complete PNG file"
  }
  let command =
    format == "SVG"
    ? "rsvg-convert -o picture.png \(shellWord(path))"
    // The first picture of an animation.
    : "convert \(shellWord("\(path)[0]")) picture.png"
  return "the file is a \(format) picture, not PNG; convert it, for example: \(command)"
}

/// A format of pictures, and bytes at a place near the start of its files.
private struct PictureFormat {
  let name: String
  let place: Int
  let bytes: [UInt8]

  init(_ name: String, _ bytes: [UInt8], at place: Int = 0) {
    (self.name, self.place, self.bytes) = (name, place, bytes)
  }

  init(_ name: String, _ text: String, at place: Int = 0) {
    self.init(name, Array(text.utf8), at: place)
  }

  func isFormat(of start: [UInt8]) -> Bool {
    if name != "SVG" { return start.dropFirst(place).starts(with: bytes) }
    // After the declaration of XML and comments.
    let text = String(decoding: start.prefix(4096), as: UTF8.self)
    return text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<") && text.contains("<svg")
  }
}

private let formats = [
  PictureFormat("JPEG", [0xFF, 0xD8, 0xFF]), PictureFormat("GIF", "GIF8"),
  PictureFormat("WebP", "WEBP", at: 8), PictureFormat("AVIF", "ftypavif", at: 4),
  PictureFormat("HEIC", "ftyphei", at: 4), PictureFormat("JPEG XL", [0xFF, 0x0A]),
  PictureFormat("JPEG XL", "JXL ", at: 4), PictureFormat("TIFF", "II*\0"),
  PictureFormat("TIFF", "MM\0*"), PictureFormat("BMP", "BM"), PictureFormat("QOI", "qoif"),
  PictureFormat("MNG", [0x8A, 0x4D, 0x4E, 0x47]), PictureFormat("SVG", ""),
]
