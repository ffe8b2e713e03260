import Frost
import Raster

/// The limits of content.
extension PaneContent {
  /// The largest number of images and labels on a pane.
  package static let countLimit = 16
  /// The valid width and height of a picture, in pixels.
  package static let sideRange = 1...32767
  /// The largest number of pixels of all pictures on a pane: 64 MiB.
  package static let pixelLimit = 1 << 24
  /// The largest number of pixels of all pictures on all panes: 256 MiB.
  package static let totalPixelLimit = 1 << 26
  /// The largest number of bytes of all texts on a pane: paths, labels and fonts. A path may have
  /// 4096 bytes, and `list` prints all texts.
  package static let textLimit = 8192
}

extension PaneContent {
  /// Throws `outOfRange` if the contents of one pane exceed a limit.
  package static func check(_ contents: [PaneContent]) throws(PaneError) {
    try check(
      count: contents.count,
      sizes: contents.flatMap(\.drawings).flatMap { $0.pictures.map { ($0.width, $0.height) } })
    try check(contents.map(\.source))
  }

  /// Throws `outOfRange` if `count` images and labels with pictures of these sizes exceed a limit of one pane. Used
  /// before the pictures are read.
  package static func check(
    count itemCount: Int, sizes: [(width: Int, height: Int)]
  ) throws(PaneError) {
    guard itemCount <= countLimit else {
      throw .outOfRange(
        setting: "content", text: "\(itemCount) images and labels",
        expected: "at most \(countLimit)")
    }
    for (width, height) in sizes
    where !sideRange.contains(width) || !sideRange.contains(height) {
      throw .outOfRange(
        setting: "content", text: "a picture of \(width)x\(height)",
        expected: "pictures from 1x1 to 32767x32767")
    }
    let count = sizes.reduce(0) { $0 + $1.width * $1.height }
    guard count <= pixelLimit else {
      throw .outOfRange(
        setting: "content", text: "\(count) pixels in all",
        expected: "at most \(pixelLimit) (4096x4096)")
    }
  }

  /// Throws `contentOutside` if no pixel of a picture is on a pane of this size, with `unit` pixels for a unit of length.
  package static func check(
    _ contents: [PaneContent], on pane: (width: Int, height: Int), unit: Double = 1
  ) throws(PaneError) {
    for content in contents {
      let picture = content.picture
      let place = content.place.scaled(by: unit)
      let origin = place.origin(of: (picture.width, picture.height), on: pane)
      let box = picture.bounds.translated(x: origin.x, y: origin.y)
      if picture.bounds.isEmpty
        || box.intersects(Rect(x: 0, y: 0, width: pane.width, height: pane.height))
      {
        continue
      }
      throw .contentOutside(
        content: content.source.name, at: content.place.text, pane: "\(pane.width)x\(pane.height)")
    }
  }

  /// Throws `outOfRange` if the pictures of all panes have too many pixels.
  package static func check(totalPixels count: Int) throws(PaneError) {
    guard count > totalPixelLimit else { return }
    throw .outOfRange(
      setting: "content", text: "\(count) pixels on all panes together",
      expected: "at most \(totalPixelLimit); remove content from another pane first")
  }

  /// Throws `outOfRange` if the texts of one pane are too long.
  package static func check(_ sources: [Source]) throws(PaneError) {
    let count = sources.reduce(0) { count, source in
      switch source {
      case .image(let path): count + path.utf8.count
      case .label(let label): count + label.text.utf8.count + label.font.utf8.count
      }
    }
    guard count <= textLimit else {
      throw .outOfRange(
        setting: "content", text: "\(count) bytes of paths, labels and fonts",
        expected: "at most \(textLimit)")
    }
  }
}

extension PaneContent.Source {
  /// The source for error messages.
  fileprivate var name: String {
    switch self {
    case .image(let path): "the image \(path)"
    case .label(let label): "the label '\(label.text)'"
    }
  }
}

extension PaneContent: CustomStringConvertible {
  /// A description for logs, without the pixels.
  package var description: String {
    let style = vibrancy?.rawValue ?? "plain"
    return "\(source), \(picture.width)x\(picture.height) at \(place.text), \(style)"
  }
}
