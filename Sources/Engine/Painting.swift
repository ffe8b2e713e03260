import Raster

/// What a frame draws, as a list of steps of at most some milliseconds each. The daemon serves its clients between
/// two steps.
///
/// Until its end nothing changes what the steps draw from: a new look of a drawn pane is applied after it, and
/// what takes a drawn pane from the screen cancels it.
final class Painting {
  /// What follows the last step.
  enum End {
    /// The capture of the same frame.
    case capture(attempt: Int)
    /// The end of the frame. If it captured, the number of presented frames before it.
    case frame(framesBefore: Int?)
    /// Nothing: only pictures for clients were drawn.
    case pictures
  }

  /// Draws one thing; a step that is not finished is repeated.
  enum Step {
    /// Draws a part of a pane into the canvas of a layer.
    case compose(Appearance, in: Region, SoftCanvas)
    /// Draws parts of a pane into its overlay.
    case update(OverlayDrawing)
    /// Draws a picture for a client.
    case picture(PictureDrawing)
  }

  let end: End
  /// Whether the daemon may serve its clients between two steps.
  let isInterruptible: Bool
  /// Whether the steps draw only what is visible on the screen.
  let drawsOnScreen: Bool
  /// The steps that are not finished; the next one is the last.
  private var steps: [Step]

  init(_ steps: [Step], then end: End, isInterruptible: Bool, drawsOnScreen: Bool) {
    self.steps = steps.reversed()
    self.end = end
    self.isInterruptible = isInterruptible
    self.drawsOnScreen = drawsOnScreen
  }

  /// The steps that are not finished.
  var rest: some Sequence<Step> { steps.reversed() }
  /// The next step; nil if all are finished.
  var next: Step? { steps.last }

  func finishStep() { steps.removeLast() }
}

/// The parts of a pane that a frame draws.
final class OverlayDrawing {
  let entry: PaneEntry
  let drawn: Appearance
  let parts: UndrawnParts
  /// What the overlay is no longer missing when the parts are drawn.
  let undrawn: Region
  /// The pixels of the shared parts.
  let canvas: SoftCanvas?
  /// Whether the display has begun to update the overlay.
  var isBegun = false

  init(
    _ entry: PaneEntry, _ drawn: Appearance, _ parts: UndrawnParts, undrawn: Region,
    _ canvas: SoftCanvas?
  ) {
    self.entry = entry
    self.drawn = drawn
    self.parts = parts
    self.undrawn = undrawn
    self.canvas = canvas
  }
}

/// A picture for a client, which is drawn or copied band by band.
final class PictureDrawing {
  let request: SnapshotRequest
  let source: Source
  private var pixels: [UInt32] = []

  enum Source {
    /// The glass of a pane with its content and decoration.
    case pane(Appearance)
    /// A captured part of a view.
    case backdrop(View, Rect)
  }

  init(_ request: SnapshotRequest, _ source: Source) {
    self.request = request
    self.source = source
    pixels.reserveCapacity(bounds.area)
  }

  private var bounds: Rect {
    switch source {
    case .pane(let pane): pane.bounds
    case .backdrop(_, let rect): rect
    }
  }

  /// The next rows, which `append` must get.
  var nextBand: Rect {
    let first = bounds.y + pixels.count / bounds.width
    let end = first + max(1, bandArea / bounds.width)
    return Rect(bounds.columns, first..<min(end, bounds.maxY))
  }

  private var bandArea: Int {
    switch source {
    case .pane(let pane): pane.bandArea
    case .backdrop: largePixelCount
    }
  }

  /// Appends the pixels of the next band. Returns the picture if it is complete.
  func append(_ band: [UInt32]) -> Bitmap? {
    pixels += band
    if pixels.count < bounds.area { return nil }
    return Bitmap(width: bounds.width, height: bounds.height, pixels: pixels)
  }
}

/// The undrawn region of a pane as disjoint rectangles, divided by what they need from below.
struct UndrawnParts {
  enum Kind {
    /// The pane covers what is below.
    case glass
    /// Soft parts over the backdrop alone.
    case soft
    /// Soft parts over the backdrop and lower panes.
    case shared
  }

  var glass, soft, shared: [Rect]

  /// All rectangles, in the order of their kinds.
  var rects: [Rect] { glass + soft + shared }

  /// The kind of a part of an element of `rects`.
  func kind(of part: Rect) -> Kind {
    if glass.contains(where: { $0.contains(part) }) { return .glass }
    return soft.contains { $0.contains(part) } ? .soft : .shared
  }
}

extension Appearance {
  /// The number of pixels that are drawn at once, in one to four milliseconds. Vibrant content takes some 25 ns for a
  /// pixel, glass about one.
  var bandArea: Int {
    let vibrant = contents.filter { $0.vibrancy != nil }
    let area = vibrant.reduce(0) { $0 + $1.picture.pixels.count }
    if area <= vibrantBandArea { return largePixelCount }
    // So many may be on each other.
    let layerCount = min(vibrant.count, (area - 1) / bounds.area + 1)
    return vibrantBandArea / layerCount
  }
}

/// The number of pixels of vibrant content that are drawn at once.
private let vibrantBandArea = 1 << 17
