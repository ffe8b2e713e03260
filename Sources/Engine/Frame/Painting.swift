import Raster

/// A list of steps that draw, of at most some milliseconds each: the steps of a frame, or those of pictures for clients. The daemon
/// serves its clients between two steps.
///
/// Until the end of a painting nothing changes the state from which its steps draw: a new look of a drawn pane is applied after
/// the painting, and an event that takes a drawn pane from the screen cancels the painting.
final class Painting {
  /// Draws one thing; a step that is not finished is repeated.
  enum Step {
    /// Draws a part of a pane into the canvas of a layer.
    case compose(Appearance, in: Region, SoftCanvas)
    /// Draws parts of a pane into its overlay.
    case update(OverlayDrawing)
    /// Draws a picture for a client.
    case picture(PictureDrawing)
  }

  /// Whether the daemon may serve its clients between two steps.
  let isInterruptible: Bool
  /// Whether the steps draw only what is visible on the screen.
  let drawsOnScreen: Bool
  /// The steps that are not finished; the next one is the last.
  private var steps: [Step]

  init(_ steps: [Step], isInterruptible: Bool, drawsOnScreen: Bool) {
    self.steps = steps.reversed()
    self.isInterruptible = isInterruptible
    self.drawsOnScreen = drawsOnScreen
  }

  /// The steps that are not finished.
  var rest: some Sequence<Step> { steps.reversed() }
  /// The next step; nil if all are finished.
  var next: Step? { steps.last }

  func finishStep() { steps.removeLast() }
}

extension Appearance {
  /// The number of pixels that are drawn at once, in one to four milliseconds. Vibrant content takes some 15 ns for a
  /// pixel, glass about one.
  var bandArea: Int {
    let vibrant = faces.flatMap(\.look.contents).filter { $0.vibrancy != nil }
    let area = vibrant.reduce(0) { $0 + $1.picture.pixels.count }
    if area <= vibrantBandArea { return largePixelCount }
    // The largest number of vibrant contents that can cover one pixel.
    let layerCount = min(vibrant.count, (area - 1) / bounds.area + 1)
    return vibrantBandArea / layerCount
  }
}

/// The number of pixels of vibrant content that are drawn at once.
private let vibrantBandArea = 1 << 17
