import CPango
import Panes
import Raster

// Cairo. Its surfaces have the pixel format of a `Bitmap`: premultiplied BGRA.

/// A Cairo surface, transparent at first.
@safe struct Canvas: ~Copyable {
  let width, height: Int
  private let surface: OpaquePointer?
  private let context: OpaquePointer?

  /// The limits of a picture, for error messages.
  static let limits =
    "\(PaneContent.sideRange.upperBound) a side and \(PaneContent.pixelLimit) in all"

  /// Whether a pane can hold a picture of this size.
  static func isAllowed(width: Int, height: Int) -> Bool {
    PaneContent.sideRange.contains(width) && PaneContent.sideRange.contains(height)
      && width * height <= PaneContent.pixelLimit
  }

  /// Throws `noMemory`. Traps if the size is not allowed.
  init(width: Int, height: Int) throws(PictureError) {
    precondition(Self.isAllowed(width: width, height: height))
    (self.width, self.height) = (width, height)
    unsafe surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
    unsafe context = cairo_create(surface)
    guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else {
      throw .noMemory(width: width, height: height)
    }
  }

  deinit {
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(surface)
  }

  /// Calls `body` with the Cairo context of the surface.
  mutating func withContext(_ body: (OpaquePointer?) -> Void) { unsafe body(context) }

  /// Fills the canvas with a stretched picture. When shrinking, a pixel is an average of the pixels
  /// that it covers. Beyond its edges the picture is extended by its edge pixels.
  mutating func fill(with picture: borrowing Bitmap) {
    let (across, down) = (
      Double(picture.width) / Double(width), Double(picture.height) / Double(height)
    )
    unsafe picture.pixels.withUnsafeBytes { pixels in
      // Cairo only reads these pixels.
      let bytes = unsafe UnsafeMutablePointer(
        mutating: pixels.baseAddress?.assumingMemoryBound(to: UInt8.self))
      let source = unsafe cairo_image_surface_create_for_data(
        bytes, CAIRO_FORMAT_ARGB32, Int32(picture.width), Int32(picture.height),
        Int32(picture.width * 4))
      let pattern = unsafe cairo_pattern_create_for_surface(source)
      var matrix = cairo_matrix_t()
      unsafe cairo_matrix_init_scale(&matrix, across, down)
      unsafe cairo_pattern_set_matrix(pattern, &matrix)
      unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_BEST)
      unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
      unsafe cairo_set_source(context, pattern)
      unsafe cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
      unsafe cairo_paint(context)
      // Removes Cairo's reference to the caller's pixels.
      unsafe cairo_set_source_rgb(context, 0, 0, 0)
      unsafe cairo_pattern_destroy(pattern)
      unsafe cairo_surface_destroy(source)
    }
  }

  /// A copy of the pixels.
  func bitmap() -> Bitmap {
    unsafe cairo_surface_flush(surface)
    let perRow = unsafe Int(cairo_image_surface_get_stride(surface))
    guard let bytes = unsafe cairo_image_surface_get_data(surface) else {
      return Bitmap(width: width, height: height)
    }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      let row = unsafe UnsafeRawBufferPointer(start: bytes + y * perRow, count: width * 4)
      unsafe pixels.append(contentsOf: row.bindMemory(to: UInt32.self))
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }
}
