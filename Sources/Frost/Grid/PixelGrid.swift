package import Raster

/// The pixels of an output at full resolution, BGRX, in tiles of 32 x 32 pixels. They are visible
/// through the soft parts of a pane (shadow, corners) if the display does not blend its overlay
/// with the pixels below.
///
/// The grid does not record which of its pixels are current; the caller does. It is a class for the
/// same reason as `CellGrid`.
package final class PixelGrid {
  /// The pixels that the grid can hold.
  package let output: Rect
  /// The division of the output into tiles.
  package let tiles: TileLayout
  private var memory: TileMemory<UInt32>
  /// The bits of a pixel that count as a change.
  private let comparedBits: UInt32

  /// A grid whose pixels are all zero. Tiles occupy no memory until they are written. The fourth byte of a pixel counts as a change
  /// if it is alpha; on a screen it has no meaning.
  package init(output: Rect, comparesAlpha: Bool = false) {
    self.output = output
    comparedBits = comparesAlpha ? .max : 0x00ff_ffff
    tiles = TileLayout(covering: output, width: Self.side, height: Self.side)
    memory = TileMemory(tileCount: tiles.tileCount)
  }

  /// Copies the pixels of `rect` within the output into the grid. Traps if `layout` does not cover
  /// them. Returns a region of whole rows of `rect` within tiles that contains every pixel whose
  /// colour changed; it is empty if none changed. The fourth byte is copied, but only compared if it is alpha.
  package func update(with pixels: Span<UInt32>, _ layout: PixelLayout, _ rect: Rect) -> Region {
    let rect = rect.intersection(output)
    precondition(layout.bounds.contains(rect) && pixels.count >= layout.pixelCount)
    var changed: [Rect] = []
    memory.withMutableElements { elements in
      tiles.forEachTile(of: rect) { part in
        let rows = copy(part, of: pixels, layout, into: &elements)
        if !rows.isEmpty { changed.append(Rect(part.rect.columns, rows)) }
      }
    }
    return Region(disjoint: changed)
  }

  /// Copies the pixels of a part of a tile. Returns the range from the first to the last row in
  /// which a colour changed; it may be empty.
  @_lifetime(elements: copy elements)
  private func copy(
    _ part: TilePart, of pixels: Span<UInt32>, _ layout: PixelLayout,
    into elements: inout MutableSpan<UInt32>
  ) -> Range<Int> {
    var rows = 0..<0
    let rect = part.rect
    var to = index(of: part)
    var from = layout.index(x: rect.x, y: rect.y)
    for y in rect.rows {
      // The two cache lines of a tile's row, 4 rows ahead.
      pixels.prefetch(at: from &+ 4 &* layout.stride)
      pixels.prefetch(at: from &+ 4 &* layout.stride &+ 16)
      if copyRow(of: pixels, at: from, to: &elements, at: to, count: rect.width) {
        rows = (rows.isEmpty ? y : rows.lowerBound)..<y + 1
      }
      to &+= Self.side
      from &+= layout.stride
    }
    return rows
  }

  /// Copies `count` pixels. Returns whether a colour changed.
  @inline(__always)
  @_lifetime(elements: copy elements)
  private func copyRow(
    of pixels: Span<UInt32>, at from: Int, to elements: inout MutableSpan<UInt32>, at to: Int,
    count: Int
  ) -> Bool {
    var differences = SIMD8<UInt32>()
    var i = 0
    while i &+ 8 <= count {
      let eight: SIMD8<UInt32> = pixels.load(at: from &+ i)
      differences |= eight ^ elements.load(at: to &+ i)
      elements.store(eight, at: to &+ i)
      i &+= 8
    }
    var halves = differences.lowHalf | differences.highHalf
    while i < count {
      halves[0] |= pixels[from &+ i] ^ elements[to &+ i]
      elements[to &+ i] = pixels[from &+ i]
      i &+= 1
    }
    return (halves[0] | halves[1] | halves[2] | halves[3]) & comparedBits != 0
  }

  /// Copies the pixels of `rect` within the output to `target`. Traps if `layout` does not cover
  /// them.
  package func copy(_ rect: Rect, into target: inout MutableSpan<UInt32>, _ layout: PixelLayout) {
    forEachRow(of: rect, layout, count: target.count) { elements, from, to, count in
      copyPixels(from: elements, at: from, to: &target, at: to, count: count)
    }
  }

  /// Composes the part `rect` of a picture, premultiplied BGRA, over the output, in place. Traps if
  /// `layout` does not cover that part. The fourth byte of the result has no meaning.
  package func compose(
    _ rect: Rect, of pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    forEachRow(of: rect, layout, count: pixels.count) { elements, from, to, count in
      composeRow(of: &pixels, at: to, over: elements, at: from, count: count)
    }
  }

  /// Calls `body` for each row of each tile in `rect`, with the index of its first pixel in the
  /// grid and in `layout`, and the number of its pixels in `rect`. `count` is the number of pixels
  /// in the memory of `layout`.
  private func forEachRow(
    of rect: Rect, _ layout: PixelLayout, count: Int,
    _ body: (_ elements: Span<UInt32>, _ from: Int, _ to: Int, _ count: Int) -> Void
  ) {
    let rect = rect.intersection(output)
    precondition(layout.bounds.contains(rect) && count >= layout.pixelCount)
    memory.withElements { elements in
      tiles.forEachTile(of: rect) { part in
        let rect = part.rect
        var from = index(of: part)
        var to = layout.index(x: rect.x, y: rect.y)
        let end = from &+ Self.side &* rect.height
        while from < end {
          body(elements, from, to, rect.width)
          from &+= Self.side
          to &+= layout.stride
        }
      }
    }
  }

  /// The index of the first pixel of a part of a tile.
  private func index(of part: TilePart) -> Int {
    (part.tile * Self.side + part.rows.lowerBound) * Self.side + part.columns.lowerBound
  }

  /// The width and height of a tile.
  private static var side: Int { 32 }

  /// Releases the memory of a tile. Its pixels become zero.
  package func discard(tile: Int) { memory.discard(tile: tile) }
}
