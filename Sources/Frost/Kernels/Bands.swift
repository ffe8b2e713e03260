/// Divides `rows` into up to `threads` bands of about equal height and runs `body` for all of them
/// in parallel. With one thread it calls `body` directly.
///
/// `elements` contains the rows, `stride` elements apart; the first of them starts at element
/// `first`. Each call gets its rows and the elements from its first row on. Returns the results in
/// the order of the bands.
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
    // This is safe: each thread writes its own rows of `elements` and its own element of `results`,
    // so no two threads access the same memory, and `run` returns after all threads have finished.
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
