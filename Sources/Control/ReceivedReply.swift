package import Linux
package import Raster

/// A reply, and the file that came with it.
package struct ReceivedReply: ~Copyable {
  /// The reply.
  package let reply: Reply
  /// The file; nil if none came.
  package let attachment: FileDescriptor?

  /// The picture of the reply to `snapshot`, premultiplied; nil if it is another reply or its file is too small.
  package func picture() -> Bitmap? {
    guard case .picture(let report) = reply, let count = report.pixelCount,
      let pixels = pixels(count)
    else { return nil }
    if report.stride == report.width {
      return Bitmap(width: report.width, height: report.height, pixels: pixels)
    }
    let rows = (0..<report.height).map { row in
      pixels[row * report.stride..<row * report.stride + report.width]
    }
    return Bitmap(width: report.width, height: report.height, pixels: Array(rows.joined()))
  }

  /// The first `count` pixels of the file; nil if there are fewer.
  private func pixels(_ count: Int) -> [UInt32]? {
    switch attachment {
    case .some(let file): try? file.readPixels(count)
    case .none: nil
    }
  }
}
