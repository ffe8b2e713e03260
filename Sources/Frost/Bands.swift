/// Runs `body` for bands of rows at the same time: one on each of `threads` threads.
///
/// `elements` holds the rows `rows`, `stride` elements from one to the next, from element `first` on;
/// each band gets the part that starts at its own first row. Returns what the bands returned, from
/// the first to the last. With one thread it is a plain call.
func forEachBand<Element: BitwiseCopyable, Result>(
  of rows: Range<Int>, threads: Int, in elements: inout MutableSpan<Element>, at first: Int,
  stride: Int, _ body: (Range<Int>, inout MutableSpan<Element>) -> Result
) -> [Result] {
  let bands = max(1, min(threads, rows.count))
  if bands == 1 {
    var band = elements._mutatingExtracting(first...)
    return [body(rows, &band)]
  }
  let start = { (band: Int) in rows.lowerBound + rows.count * band / bands }
  let count = elements.count
  return unsafe elements.withUnsafeMutableBufferPointer { buffer in
    // Each thread writes its own rows of `elements` and its own element of `results`, the caller
    // waits for all of them: no two touch the same memory, and none outlives this call.
    nonisolated(unsafe) let whole = unsafe buffer
    return unsafe [Result](unsafeUninitializedCapacity: bands) { results, initialized in
      nonisolated(unsafe) let slots = unsafe results
      BandThreads.shared.run(bands) { band in
        let from = first + (start(band) - rows.lowerBound) * stride
        let to = band + 1 == bands ? count : first + (start(band + 1) - rows.lowerBound) * stride
        var part = unsafe MutableSpan(
          _unsafeElements: UnsafeMutableBufferPointer(rebasing: whole[from..<to]))
        unsafe slots.initializeElement(
          at: band, to: body(start(band)..<start(band + 1), &part))
      }
      initialized = bands
    }
  }
}
