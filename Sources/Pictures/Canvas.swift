import CPango
import Frost
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

  /// The largest height of a picture of a width, which must be allowed.
  static func rowLimit(ofWidth width: Int) -> Int {
    min(PaneContent.sideRange.upperBound, PaneContent.pixelLimit / width)
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
    var matrix = cairo_matrix_t()
    unsafe cairo_matrix_init_scale(
      &matrix, Double(picture.width) / Double(width), Double(picture.height) / Double(height))
    paint(
      picture, matrix, CAIRO_FILTER_BEST, CAIRO_EXTEND_PAD, CAIRO_OPERATOR_SOURCE)
  }

  /// Fills the canvas with a colour, whose alpha does not count.
  mutating func fill(with color: Color) {
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    unsafe cairo_set_source_rgb(context, color.red, color.green, color.blue)
    unsafe cairo_paint(context)
  }

  /// Draws a picture over what is there, at a place, once or again and again.
  mutating func draw(_ picture: borrowing Bitmap, at place: WallpaperPlace, isRepeated: Bool) {
    // From pixels of the canvas to those of the picture.
    var matrix = cairo_matrix_t()
    unsafe cairo_matrix_init(
      &matrix, 1 / place.scaleX, 0, 0, 1 / place.scaleY, -place.x / place.scaleX,
      -place.y / place.scaleY)
    paint(
      picture, matrix, CAIRO_FILTER_GOOD, isRepeated ? CAIRO_EXTEND_REPEAT : CAIRO_EXTEND_NONE,
      CAIRO_OPERATOR_OVER)
  }

  private mutating func paint(
    _ picture: borrowing Bitmap, _ matrix: cairo_matrix_t, _ filter: cairo_filter_t,
    _ extend: cairo_extend_t, _ operation: cairo_operator_t
  ) {
    unsafe picture.pixels.withUnsafeBytes { pixels in
      // Cairo only reads these pixels.
      let bytes = unsafe UnsafeMutablePointer(
        mutating: pixels.baseAddress?.assumingMemoryBound(to: UInt8.self))
      let source = unsafe cairo_image_surface_create_for_data(
        bytes, CAIRO_FORMAT_ARGB32, Int32(picture.width), Int32(picture.height),
        Int32(picture.width * 4))
      let pattern = unsafe cairo_pattern_create_for_surface(source)
      var matrix = matrix
      unsafe cairo_pattern_set_matrix(pattern, &matrix)
      unsafe cairo_pattern_set_filter(pattern, filter)
      unsafe cairo_pattern_set_extend(pattern, extend)
      unsafe cairo_set_source(context, pattern)
      unsafe cairo_set_operator(context, operation)
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
