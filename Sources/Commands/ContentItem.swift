import Control
import Frost
import Linux
import Panes
import Pictures
import Raster

/// An image or a label, checked as far as possible without drawing it.
struct ContentItem {
  private enum Source {
    case image(PNGFile)
    case label(Label)
  }

  private let source: Source
  private let place: ContentPlace
  private let vibrancy: Vibrancy?

  /// Throws if an attribute is wrong or not allowed, or if an image is not a PNG file.
  init(_ group: ContentGroup) throws(Failure) {
    let isLabel = group.item.option == .label
    let attributes = group.attributes
    let color: Color
    do throws(PaneError) {
      place = try ContentPlace(parsing: attributes[.at] ?? "center")
      vibrancy = try .parsed(attributes[.vibrancy] ?? (isLabel ? "label" : "none"))
      color = try Color(parsing: attributes[.color] ?? "#FFFFFF", as: "color")
    } catch {
      throw Failure(error)
    }
    if isLabel {
      if vibrancy != nil, attributes[.color] != nil { throw group.isVibrant }
      source = .label(
        try label(
          group.item.text, font: attributes[.font], color, try TextFit(attributes),
          isCentered: place.x == .center))
    } else {
      for option in [ContentWord.Option.font, .color, .wrap, .ellipsize]
      where attributes[option] != nil {
        throw group.isImage(option)
      }
      if group.item.text == standardStream {
        throw Failure(
          .usage,
          "content: an image is read again for another scale, which the standard input cannot be; name a file; a "
            + "file of this name is ./-")
      }
      source = .image(try PNGFile(path: group.item.text))
    }
  }

  /// The content with its pixels. Without a target, because there is no such pane, it has any size.
  func drawn(for target: ContentTarget?) throws(Failure) -> PaneContent {
    let scale = target?.scale ?? 1
    switch source {
    case .image(let file):
      return PaneContent(
        source: .image(path: absolutePath(file.path)), place: place, vibrancy: vibrancy,
        drawing: ContentDrawing(
          try file.picture(scale: scale), scope: DrawingScope(scale: scale)))
    case .label(let label):
      let drawn = try label.drawn(
        scale: scale, for: target.map { place.room(on: $0) }, separatesEmoji: vibrancy != nil)
      let text = LabelText(
        label.text, font: label.font.text, color: label.color, fit: label.fit)
      return PaneContent(
        source: .label(text), place: place, vibrancy: vibrancy,
        drawing: ContentDrawing(
          drawn.picture, emoji: drawn.emoji, scope: DrawingScope(scale: scale, sizes: drawn.sizes)))
    }
  }
}

extension [ContentItem] {
  /// The contents with their pixels. Throws at the first one that exceeds a limit of a pane.
  func drawn(for target: ContentTarget?) throws(Failure) -> [PaneContent] {
    var contents: [PaneContent] = []
    for item in self {
      contents.append(try item.drawn(for: target))
      do { try PaneContent.check(contents) } catch { throw Failure(error) }
    }
    return contents
  }
}

extension ContentGroup {
  fileprivate var isVibrant: Failure {
    Failure(
      .usage, "color: \(name) takes its colour from the glass; also give it --vibrancy none")
  }

  fileprivate func isImage(_ option: ContentWord.Option) -> Failure {
    Failure(.usage, "\(option): \(name) is an image; give it after its --label")
  }
}

// MARK: Labels

private func label(
  _ text: String, font: String?, _ color: Color, _ fit: TextFit, isCentered: Bool
) throws(Failure) -> Label {
  do throws(PictureError) {
    return try Label(
      text.repaired, Font(parsing: font ?? Font.standardText), color: color, fit: fit,
      isCentered: isCentered
    )
  } catch {
    throw Failure(error)
  }
}

extension TextFit {
  fileprivate init(_ attributes: [ContentWord.Option: String]) throws(Failure) {
    self.init()
    do throws(PaneError) {
      if let text = attributes[.wrap] { wrapping = try Wrapping(parsing: text) }
      if let text = attributes[.ellipsize] { ellipsis = try Ellipsis(parsing: text) }
    } catch {
      throw Failure(error)
    }
  }
}

extension Label {
  fileprivate func drawn(
    scale: Double, for room: (width: Int, height: Int)?, separatesEmoji: Bool
  ) throws(Failure) -> DrawnLabel {
    let drawn: DrawnLabel
    do {
      drawn = try self.drawn(scale: scale, in: room, separatesEmoji: separatesEmoji)
    } catch {
      throw Failure(error)
    }
    if drawn.missingCount > 0 {
      warn(
        "label: '\(text)' has \(drawn.missingCount) characters that no installed font has; they are drawn "
          + "as boxes; install a font for their script")
    }
    return drawn
  }
}

// MARK: Images

extension PNGFile {
  fileprivate func picture(scale: Double) throws(Failure) -> Bitmap {
    let factor = scale / density
    // A picture whose scaled size would be too large is not decoded.
    let limit = min(Double(Self.pixelLimit), Double(PaneContent.pixelLimit) / (factor * factor))
    let decoded = try DecodedPNG(self, pixelLimit: Int(limit)).bitmap
    do throws(PictureError) {
      return try decoded.scaled(by: factor)
    } catch {
      throw failure("\(error)")
    }
  }

  /// The number of its pixels per pixel at scale 1, from its name: 2 for bell@2x.png.
  private var density: Double {
    let name = path.nameInPath
    let stem = name.lowercased().hasSuffix(".png") ? name.dropLast(4) : name[...]
    guard let start = stem.lastIndex(of: "@"), stem.last == "x" else { return 1 }
    let digits = stem[stem.index(after: start)...].dropLast()
    guard digits.count == 1, let density = Int(digits), density > 0 else { return 1 }
    return Double(density)
  }
}
