import Raster

/// Computes `cells` of a grid from pixels, in bands of whole rows of tiles, on up to `threads`
/// threads.
///
/// `pixels` must cover `geometry.source(ofCells: cells)`; `elements` is the memory of `tiles`. If
/// `isOpaque`, the fourth byte of the pixels counts as 255.
///
/// Returns for each band the hull of the cells whose values changed, which may be empty. The hulls
/// are disjoint.
@_lifetime(elements: copy elements)
func reduce(
  _ pixels: Span<UInt32>, _ layout: PixelLayout, isOpaque: Bool, _ geometry: GridGeometry,
  _ cells: Rect, into elements: inout MutableSpan<UInt16>, _ tiles: TileLayout, threads: Int
) -> [Rect] {
  let tileRows = tiles.tileRows(holding: cells.rows)
  let stride = tiles.tilesPerRow * CellTile.stride
  return forEachBand(
    of: tileRows, threads: threads, in: &elements, at: tileRows.lowerBound * stride, stride: stride
  ) { band, elements in
    let top = tiles.bounds.y + band.lowerBound * CellTile.height
    let rows = (top..<top + band.count * CellTile.height).clamped(to: cells.rows)
    let own = TileLayout(
      covering: Rect(tiles.bounds.columns, top..<top + band.count * CellTile.height),
      width: CellTile.width, height: CellTile.height)
    var reducer = Reducer(layout, geometry, Rect(cells.columns, rows))
    var changed = Rect.zero
    var next: Int?
    for row in rows where !geometry.down.isImage(row, in: rows) {
      if row != next { reducer.start(pixels, above: row) }
      next = row + 1
      let scale = reducer.sum(pixels, row: row)
      let store = CellStore(scale: scale, isOpaque: isOpaque)
      own.forEachRun(of: cells.columns, row: row) { first, index, count in
        let from = reducer.column(ofCell: first)
        if store.store(reducer.sums, from: from, count: count, into: &elements, at: index) {
          changed = changed.hull(Rect(x: first, y: row, width: count, height: 1))
        }
      }
    }
    for row in rows where geometry.down.isImage(row, in: rows) {
      let original = geometry.down.mirrored(cell: row)
      own.forEachRun(of: cells.columns, row: row) { first, index, count in
        let from = own.valueIndex(x: first, y: original)
        if copyCells(&elements, from: from, to: index, count: count) {
          changed = changed.hull(Rect(x: first, y: row, width: count, height: 1))
        }
      }
    }
    return changed
  }
}

/// Sums pixels for successive rows of cells.
private struct Reducer {
  private let layout: PixelLayout
  private let across, down: CellAxis
  /// The first row of the successive ones.
  private var firstRow: Int
  /// The columns of pixels, real or mirrored, from which cells are computed; and the real columns that these are or mirror.
  private let support, real: Range<Int>
  /// The columns of pixels that `sums` holds: the hull of both.
  private let line: Range<Int>
  /// Columns of pixels outside the output, and columns of cells, that are copies of others.
  private let pixelImages, cellImages: [MirrorImage]
  /// The cells that are computed before others are copied.
  private let originals: Range<Int>
  private(set) var sums: PlaneLine
  /// The contribution of the last row of cells to the next one, where their supports overlap.
  private var carried: PlaneLine
  /// The indices of the first pixel of each row of pixels in a row of cells.
  private var starts: [Int]
  /// The number of pixels from which on pixels are loaded into the caches: a row of cells, or at least 4 rows of pixels. A
  /// shorter distance takes up to a third more time, because fewer rows are loaded at the same time.
  private let ahead: Int

  init(_ layout: PixelLayout, _ geometry: GridGeometry, _ cells: Rect) {
    self.layout = layout
    across = geometry.across
    down = geometry.down
    firstRow = cells.y
    ahead = layout.stride * max(4, geometry.reduction.cell)
    let (axis, columns) = (across, cells.columns)
    let computed = columns.filter { !axis.isImage($0, in: columns) }
    originals = (computed.first ?? cells.x)..<(computed.last ?? cells.x - 1) + 1
    support = across.support(ofCells: originals)
    real = across.realPixels(for: support)
    // Copied cells are stored in the columns before and after those of the pixels.
    let (before, after) = (originals.lowerBound - cells.x, cells.maxX - originals.upperBound)
    line =
      min(support.lowerBound, real.lowerBound) - before..<max(support.upperBound, real.upperBound)
      + after
    let (first, start) = (line.lowerBound, support.lowerBound - line.lowerBound)
    pixelImages = support.filter { !axis.pixels.contains($0) }.map { column in
      MirrorImage(to: column - first, from: axis.mirrored(column) - first)
    }
    let base = start - originals.lowerBound
    let inner = originals
    cellImages = cells.columns.filter { !inner.contains($0) }.map { cell in
      MirrorImage(to: base + cell, from: base + axis.mirrored(cell: cell))
    }
    sums = PlaneLine(count: line.count)
    carried = PlaneLine(count: real.count)
    starts = Array(repeating: 0, count: geometry.reduction.cell)
  }

  /// The column of `sums` at which a cell is stored.
  func column(ofCell cell: Int) -> Int {
    support.lowerBound - line.lowerBound + cell - originals.lowerBound
  }

  /// Sums the contribution of the row of cells above `row`, which is the first of the next rows.
  mutating func start(_ pixels: Span<UInt32>, above row: Int) {
    firstRow = row
    if across.reduction.cell > 1 { sumRows(pixels, row: row - 1) }
  }

  /// Computes one row of cells, stored in `sums`. Rows must be passed in ascending order. Returns the factor by which the values
  /// are scaled.
  mutating func sum(_ pixels: Span<UInt32>, row: Int) -> Int {
    sumRows(pixels, row: row)
    sums.copyColumns(pixelImages)
    let first = column(ofCell: originals.lowerBound)
    let scale = sums.fold(from: first, count: support.count, across.reduction)
    sums.copyColumns(cellImages)
    return scale
  }

  private mutating func sumRows(_ pixels: Span<UInt32>, row: Int) {
    let first = down.pixel(ofCell: row) + down.reduction.after
    for i in starts.indices {
      // The first rows of pixels of the cells above the first ones have the weight 0 in their contribution
      // and may be outside `pixels`. Another row replaces them.
      let line = row < firstRow ? max(i, across.reduction.step) : i
      starts[i] = layout.index(x: real.lowerBound, y: down.mirrored(first + line))
    }
    let at = real.lowerBound - line.lowerBound
    sumDown(
      pixels, starts, across.reduction, count: real.count, ahead: ahead, carried: &carried,
      into: &sums, at: at)
  }
}

// MARK: Into tiles

/// Converts cells of a line to the plane's unit and stores them in a tile.
private struct CellStore {
  private let toUnit: UnitScale
  /// The bits of green and alpha that are kept, and the bits that are set.
  private let keep, fill: Lanes

  init(scale: Int, isOpaque: Bool) {
    toUnit = UnitScale(from: scale)
    let (keep, fill): (UInt32, UInt32) =
      isOpaque ? (0xffff, UInt32(Plane.full) << 16) : (0xffff_ffff, 0)
    self.keep = unsafe unsafeBitCast(SIMD8<UInt32>(repeating: keep), to: Lanes.self)
    self.fill = unsafe unsafeBitCast(SIMD8<UInt32>(repeating: fill), to: Lanes.self)
  }

  /// Stores `count` cells from column `first` of a line at index `at` of a tile. Returns whether a
  /// value changed.
  @inline(__always)
  func store(
    _ line: borrowing PlaneLine, from first: Int, count: Int,
    into tile: inout MutableSpan<UInt16>, at: Int
  ) -> Bool {
    let values = line.values.span
    let linePitch = line.pitch
    let pitch = CellTile.pitch
    precondition(at >= 0 && at + pitch + 2 * count <= tile.count)
    precondition(first >= 0 && 2 * (first + count) + linePitch <= values.count)
    CellTile.prefetchRow(tile, after: at)
    var difference = Lanes()
    var i = 0
    while i &+ 16 <= 2 &* count {
      let br: Lanes = toUnit(values.load(at: 2 &* first &+ i))
      let raw: Lanes = toUnit(values.load(at: linePitch &+ 2 &* first &+ i))
      let ga = raw & keep | fill
      difference |= br ^ tile.load(at: at &+ i)
      difference |= ga ^ tile.load(at: at &+ pitch &+ i)
      tile.store(br, at: at &+ i)
      tile.store(ga, at: at &+ pitch &+ i)
      i &+= 16
    }
    var rest = SIMD2<UInt16>()
    let (keepOne, fillOne) = (SIMD2(keep[0], keep[1]), SIMD2(fill[0], fill[1]))
    while i < 2 &* count {
      let br: SIMD2<UInt16> = toUnit(values.load(at: 2 &* first &+ i))
      let raw: SIMD2<UInt16> = toUnit(values.load(at: linePitch &+ 2 &* first &+ i))
      let ga = raw & keepOne | fillOne
      rest |= br ^ tile.load(at: at &+ i)
      rest |= ga ^ tile.load(at: at &+ pitch &+ i)
      tile.store(br, at: at &+ i)
      tile.store(ga, at: at &+ pitch &+ i)
      i &+= 2
    }
    return difference != Lanes() || rest != SIMD2()
  }
}

/// Copies `count` cells of a row in a tile to another row. Returns whether a value changed.
private func copyCells(
  _ tiles: inout MutableSpan<UInt16>, from: Int, to: Int, count: Int
) -> Bool {
  let pitch = CellTile.pitch
  precondition(min(from, to) >= 0 && max(from, to) + pitch + 2 * count <= tiles.count)
  var difference = SIMD2<UInt16>()
  for half in 0..<2 {
    for i in 0..<count {
      let at = half &* pitch &+ 2 &* i
      let cell: SIMD2<UInt16> = tiles.load(at: from &+ at)
      difference |= cell ^ tiles.load(at: to &+ at)
      tiles.store(cell, at: to &+ at)
    }
  }
  return difference != SIMD2()
}

/// Converts scaled values to the plane's unit, rounded half up.
private struct UnitScale {
  private let up, half, down: UInt16

  /// `scale`, a power of two, is the factor by which the values are scaled.
  init(from scale: Int) {
    let unit = Int(Plane.unit)
    up = scale < unit ? UInt16((unit / scale).trailingZeroBitCount) : 0
    down = scale > unit ? UInt16((scale / unit).trailingZeroBitCount) : 0
    half = down > 0 ? 1 << (down - 1) : 0
  }

  @inline(__always)
  func callAsFunction<V: SIMD>(_ v: V) -> V where V.Scalar == UInt16 {
    ((v &<< up) &+ half) &>> down
  }
}
