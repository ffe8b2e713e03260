package import Frost
package import Raster

/// An image or a label on a pane: its declaration, and the pictures that were drawn from it.
package struct PaneContent: Equatable, Sendable {
  /// The origin of the pixels. This module opens no file and draws no text.
  package enum Source: Equatable, Sendable {
    /// A PNG file.
    case image(path: String)
    /// A text.
    case label(LabelText)
  }

  /// The origin of the pixels.
  package var source: Source
  /// The position on the pane.
  package var place: ContentPlace
  /// How its colours depend on the glass; nil if the picture has its own colours.
  package var vibrancy: Vibrancy?
  /// At least one drawing. The first one is the one that requests contain.
  package private(set) var drawings: [ContentDrawing]

  /// Content with one drawing.
  package init(
    source: Source, place: ContentPlace, vibrancy: Vibrancy?, drawing: ContentDrawing
  ) {
    self.source = source
    self.place = place
    self.vibrancy = vibrancy
    drawings = [drawing]
  }

  /// Content with a picture that suits every target. Traps if `emoji` has another size than `picture`.
  package init(
    source: Source, place: ContentPlace, vibrancy: Vibrancy?, picture: Bitmap, emoji: Bitmap? = nil
  ) {
    self.init(
      source: source, place: place, vibrancy: vibrancy,
      drawing: ContentDrawing(picture, emoji: emoji, scope: nil))
  }

  /// Content with one drawing.
  package init(_ declaration: Declaration, drawing: ContentDrawing) {
    self.init(
      source: declaration.source, place: declaration.place, vibrancy: declaration.vibrancy,
      drawing: drawing)
  }

  /// The first drawing.
  package var drawing: ContentDrawing {
    get { drawings[0] }
    set { drawings[0] = newValue }
  }

  /// The picture of the first drawing.
  package var picture: Bitmap { drawing.picture }
  /// The number of pixels of all pictures.
  package var pixelCount: Int { drawings.reduce(0) { $0 + $1.pixelCount } }

  /// The declared settings, without pixels.
  package struct Declaration: Equatable, Sendable {
    package let source: Source
    package let place: ContentPlace
    /// Nil if the picture has its own colours.
    package let vibrancy: Vibrancy?
  }

  package var declaration: Declaration {
    Declaration(source: source, place: place, vibrancy: vibrancy)
  }

  /// The same declaration with one transparent pixel in place of its drawings.
  package var declared: PaneContent {
    let pixel = Bitmap(width: 1, height: 1, filledWith: 0)
    return PaneContent(declaration, drawing: ContentDrawing(pixel, scope: nil))
  }

  /// Whether it is an image.
  package var isImage: Bool { if case .image = source { true } else { false } }

  /// Whether another value declares the same and its drawing is one of these.
  package func includes(_ other: PaneContent) -> Bool {
    declaration == other.declaration && drawings.contains(other.drawing)
  }

  // MARK: Drawings

  /// The content on a pane: its position is in pixels, and it has one drawing, the newest right one if there is any.
  package func drawn(for pane: ContentTarget) -> PaneContent {
    PaneContent(
      source: source, place: place.scaled(by: pane.unit), vibrancy: vibrancy,
      drawing: drawings.last { $0.suits(place, on: pane) } ?? drawing)
  }

  /// Whether a drawing is right for a pane.
  package func isDrawn(for pane: ContentTarget) -> Bool {
    drawings.contains { $0.suits(place, on: pane) }
  }

  /// Adds a drawing. An older drawing is kept if it is right for a pane for which the new one is not.
  package mutating func add(_ drawing: ContentDrawing, for panes: [ContentTarget]) {
    let others = panes.filter { !drawing.suits(place, on: $0) }
    let kept = drawings.filter { old in others.contains { old.suits(place, on: $0) } }
    drawings = kept + [drawing]
  }

  /// The picture and the emoji at their position on a pane of `pane` pixels.
  package func placed(on pane: (width: Int, height: Int)) -> [Content] {
    let origin = place.origin(of: (picture.width, picture.height), on: pane)
    return drawing.contents(for: vibrancy).map { $0.moved(x: origin.x, y: origin.y) }
  }

  /// Computes what `placed` needs. This takes some nanoseconds a pixel, so a large picture should be prepared on another
  /// thread than that of the frames.
  package mutating func prepare() { drawing.prepare(for: vibrancy) }
}
