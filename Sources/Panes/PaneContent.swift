package import Frost
package import Raster

/// An image or a label on a pane: its declaration and its pixels.
package struct PaneContent: Equatable, Sendable {
  /// The source of the picture. It is used in reports only; this module opens no file.
  package enum Source: Equatable, Sendable {
    /// A PNG file.
    case image(path: String)
    /// A text, and the Pango description of its font.
    case label(text: String, font: String)
  }

  /// The source of the picture.
  package var source: Source
  /// The position on the pane.
  package var place: ContentPlace
  /// How its colours depend on the glass; nil if the picture has its own colours.
  package var vibrancy: Vibrancy? { didSet { prepared = nil } }
  /// The pixels: premultiplied BGRA.
  package var picture: Bitmap { didSet { prepared = nil } }
  /// The glyphs of a vibrant label that have colours of their own, such as emoji, in a picture of the same size; nil if
  /// there are none. They are drawn over the rest.
  package var emoji: Bitmap? { didSet { prepared = nil } }
  /// What is drawn, from the top left corner of its picture; nil before `prepare`.
  private var prepared: [Content]?

  /// Traps if `emoji` has another size than `picture`.
  package init(
    source: Source, place: ContentPlace, vibrancy: Vibrancy?, picture: Bitmap, emoji: Bitmap? = nil
  ) {
    precondition(emoji.map { $0.bounds == picture.bounds } ?? true)
    self.source = source
    self.place = place
    self.vibrancy = vibrancy
    self.picture = picture
    self.emoji = emoji
  }

  /// The picture, and that of the emoji.
  package var pictures: [Bitmap] { [picture] + (emoji.map { [$0] } ?? []) }
  /// The number of pixels of all its pictures.
  package var pixelCount: Int { picture.pixels.count * (emoji == nil ? 1 : 2) }

  /// Computes what `placed` needs. This takes some nanoseconds a pixel, so a large picture should be prepared on another
  /// thread than that of the frames.
  package mutating func prepare() { prepared = drawn }

  private var drawn: [Content] {
    [Content(picture, x: 0, y: 0, vibrancy: vibrancy)]
      + (emoji.map { [Content($0, x: 0, y: 0, vibrancy: nil)] } ?? [])
  }

  /// The content at its position on a pane of `pane` pixels.
  package func placed(on pane: (width: Int, height: Int)) -> [Content] {
    let origin = place.origin(of: (picture.width, picture.height), on: pane)
    return (prepared ?? drawn).map { $0.moved(x: origin.x, y: origin.y) }
  }

  package static func == (one: PaneContent, other: PaneContent) -> Bool {
    one.source == other.source && one.place == other.place && one.vibrancy == other.vibrancy
      && one.picture == other.picture && one.emoji == other.emoji
  }

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
      sizes: contents.flatMap { $0.pictures.map { ($0.width, $0.height) } })
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

  /// Throws `contentOutside` if no pixel of a picture is on a pane of this size.
  package static func check(
    _ contents: [PaneContent], on pane: (width: Int, height: Int)
  ) throws(PaneError) {
    for content in contents {
      let picture = content.picture
      let origin = content.place.origin(of: (picture.width, picture.height), on: pane)
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
      case .label(let text, let font): count + text.utf8.count + font.utf8.count
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
    case .label(let text, _): "the label '\(text)'"
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

extension Vibrancy {
  /// Parses the name of a style. Throws `unknownVibrancy`.
  package init(parsing text: String) throws(PaneError) {
    self = try Self.find(text, in: allStyleNames)
  }

  /// Parses the name of a style, or `none`, which gives nil. Throws `unknownVibrancy`.
  package static func parsed(_ text: String) throws(PaneError) -> Vibrancy? {
    text == "none" ? nil : try find(text, in: ["none"] + allStyleNames)
  }

  private static func find(_ text: String, in names: [String]) throws(PaneError) -> Vibrancy {
    guard let style = Vibrancy(rawValue: text) else {
      throw .unknownVibrancy(text, nearest: text.nearest(in: names), all: names)
    }
    return style
  }
}

private let allStyleNames = Vibrancy.allCases.map(\.rawValue)
