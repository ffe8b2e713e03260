/// Copies the pixels of `rect` from one picture to another. Traps if `rect` is not in both layouts, or if a
/// span is smaller than its layout.
@_lifetime(target: copy target)
package func copyPixels(
  of rect: Rect, from source: Span<UInt32>, _ sourceLayout: PixelLayout,
  to target: inout MutableSpan<UInt32>, _ targetLayout: PixelLayout
) {
  if rect.isEmpty { return }
  precondition(sourceLayout.bounds.contains(rect) && source.count >= sourceLayout.pixelCount)
  precondition(targetLayout.bounds.contains(rect) && target.count >= targetLayout.pixelCount)
  for y in rect.rows {
    copyPixels(
      from: source, at: sourceLayout.index(x: rect.x, y: y), to: &target,
      at: targetLayout.index(x: rect.x, y: y), count: rect.width)
  }
}

/// Copies `count` pixels from the index `from` of one span to the index `to` of another. Traps if a span has
/// not so many.
@inline(__always)
@_lifetime(target: copy target)
package func copyPixels(
  from source: Span<UInt32>, at from: Int, to target: inout MutableSpan<UInt32>, at to: Int,
  count: Int
) {
  precondition(from >= 0 && count >= 0 && from + count <= source.count)
  precondition(to >= 0 && to + count <= target.count)
  unsafe source.withUnsafeBytes { source in
    unsafe target.withUnsafeMutableBytes { target in
      unsafe (target.baseAddress.unsafelyUnwrapped + 4 * to).copyMemory(
        from: source.baseAddress.unsafelyUnwrapped + 4 * from, byteCount: 4 * count)
    }
  }
}
