import Raster

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
