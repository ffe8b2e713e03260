import Engine
import Raster

/// The pixels that one capture reads, and the layers of views that consist of them. A pixel that several views show is
/// read once.
struct CaptureBatch {
  let number: Int
  private(set) var pieces: [Piece] = []
  private var layers: [View: [PiecedLayer]] = [:]
  /// The pixels of all pieces together.
  private(set) var pixelCount = 0
  /// The number of requested images that have not arrived.
  private(set) var openCount = 0
  /// Whether the store was discarded before all images had arrived.
  private(set) var isDiscarded = false

  /// A rectangle of one window.
  struct Piece {
    let source: Source
    /// The rectangle on the screen, and its layout in the store.
    let layout: PixelLayout
    /// The index of its first pixel in the store.
    let index: Int
    /// Whether its pixels could not be read.
    var isMissing = false

    var rect: Rect { layout.bounds }
    var range: Range<Int> { index..<index + layout.pixelCount }
    /// The rectangle in the coordinates of the window.
    var rectInWindow: Rect { rect.translated(x: -source.origin.x, y: -source.origin.y) }
  }

  /// A window whose pixels are read.
  struct Source {
    let window: UInt32
    let isWallpaper: Bool
    /// The place of its pixels in the views.
    let origin: (x: Int, y: Int)
    let hasAlpha: Bool
    /// Its change count at the time of the request; 0 for wallpaper.
    let changeCount: Int

    /// A window at an origin. The view of a client has its own coordinates.
    struct Place: Hashable {
      let window: UInt32
      let x, y: Int
    }

    var place: Place { Place(window: window, x: origin.x, y: origin.y) }
  }

  /// A layer of a view, and the pieces that contain its pixels.
  struct PiecedLayer {
    let layer: WindowLayer
    let pieces: Range<Int>
  }

  /// A batch that reads nothing.
  init(number: Int) { self.number = number }

  /// A batch that reads the layers of views, which `source` says where to read.
  init(
    number: Int, _ layers: [View: [WindowLayer]], source: (WindowLayer) -> Source
  ) {
    self.number = number
    let sourced = layers.map { view, layers in
      (view: view, layers: layers.map { (layer: $0, source: source($0)) })
    }
    var needs: [Source.Place: (source: Source, region: Region)] = [:]
    for (layer, source) in sourced.flatMap(\.layers) {
      needs[source.place, default: (source, Region())].region.form(union: layer.region)
    }
    let ranges = needs.mapValues { addPieces(of: $0.source, $0.region) }
    for (view, layers) in sourced {
      self.layers[view] = layers.map { layer, source in
        PiecedLayer(layer: layer, pieces: ranges[source.place] ?? 0..<0)
      }
    }
  }

  private mutating func addPieces(of source: Source, _ region: Region) -> Range<Int> {
    let first = pieces.count
    for rect in region.simplified(to: 32, price: Self.requestPrice).rects {
      let layout = PixelLayout(rect)
      pieces.append(Piece(source: source, layout: layout, index: pixelCount))
      pixelCount += layout.pixelCount
    }
    return first..<pieces.count
  }

  /// The pixels that a server reads in the time that it needs for the request alone.
  private static var requestPrice: Int { 1024 }

  // MARK: Images

  /// A request for the pixels of a piece, or of some of its rows.
  struct ImageRequest: Equatable {
    let id: ImageID
    let window: UInt32
    /// In the coordinates of the window.
    let rect: Rect
    /// The index of its first pixel in the store.
    let index: Int
    /// Whether the window must show its background there first.
    let clears: Bool
  }

  /// The images of all pieces. A piece whose coordinates the protocol cannot represent, in a very large window, is missing.
  ///
  /// Without shared memory they are bands, because XCB reads a reply as a whole and blocks until a started reply is complete.
  mutating func requestImages(isShared: Bool) -> [ImageRequest] {
    var requests: [ImageRequest] = []
    for (number, piece) in pieces.enumerated() {
      let rect = piece.rectInWindow
      guard Int16(exactly: rect.x) != nil, Int16(exactly: rect.y) != nil else {
        markMissing(number)
        continue
      }
      let height = isShared ? rect.height : Self.bandHeight(width: rect.width)
      for row in stride(from: 0, to: rect.height, by: height) {
        requests.append(
          ImageRequest(
            id: ImageID(capture: self.number, piece: number, row: row),
            window: piece.source.window,
            rect: Rect(
              x: rect.x, y: rect.y + row, width: rect.width,
              height: min(height, rect.height - row)),
            index: piece.index + row * rect.width, clears: piece.source.isWallpaper))
      }
    }
    openCount += requests.count
    return requests
  }

  /// The number of rows of a band of at most 64 KiB.
  static func bandHeight(width: Int) -> Int { max(1, (1 << 14) / width) }

  /// Ends the request for an image. `isStored` is whether its pixels are in the store. Returns the outcome if the request was the
  /// last one of the capture.
  mutating func end(_ id: ImageID, isStored: Bool) -> Outcome? {
    if !isStored { markMissing(id.piece) }
    openCount -= 1
    return openCount == 0 ? outcome : nil
  }

  private mutating func markMissing(_ piece: Int) { pieces[piece].isMissing = true }

  /// Records that the store was discarded. A capture in progress fails, but no window is to blame for that.
  mutating func discard() {
    if openCount > 0 { isDiscarded = true }
  }

  // MARK: Result

  /// The regions that could not be read.
  struct Outcome {
    var failed: [View: Region] = [:]
    /// The windows that could not be read, with their change count at the time of the request.
    var windows: [(id: UInt32, changeCount: Int)] = []
  }

  var outcome: Outcome {
    var outcome = Outcome()
    let missing = pieces.indices.filter { pieces[$0].isMissing || isDiscarded }
    if missing.isEmpty { return outcome }
    for (view, layers) in layers {
      for layer in layers {
        for index in missing where layer.pieces.contains(index) {
          let part = layer.layer.region.intersection(pieces[index].rect)
          outcome.failed[view, default: Region()].form(union: part)
        }
      }
    }
    for index in missing where !isDiscarded && !pieces[index].source.isWallpaper {
      let source = pieces[index].source
      outcome.windows.append((source.window, source.changeCount))
    }
    return outcome
  }

  /// The layers of a view in `rect`, the lowest first.
  func layers(in rect: Rect, of view: View) -> [PiecedLayer] {
    (layers[view] ?? []).filter { $0.layer.region.intersects(rect) }
  }

  /// The piece that contains all pixels of `rect` in a view, if they are those of one opaque layer.
  func single(in rect: Rect, of view: View) -> Piece? {
    let layers = layers(in: rect, of: view)
    guard layers.count == 1, let only = layers.first, !only.layer.isTranslucent,
      only.layer.region.contains(rect)
    else { return nil }
    return pieces[only.pieces].first { $0.rect.contains(rect) }
  }
}
