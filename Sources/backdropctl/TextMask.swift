import CPango

/// Text as it covers pixels, 0 to 255 each.
struct TextMask {
  let width, height: Int
  private let coverage: [UInt8]

  subscript(x: Int, y: Int) -> UInt8 { coverage[y * width + x] }

  fileprivate init(width: Int, height: Int, coverage: [UInt8]) {
    self.width = width
    self.height = height
    self.coverage = coverage
  }
}

/// Draws text of any script by Pango and Cairo. `font` is Pango's description, as in "Sans Bold 24", its
/// size taken at 96 dots an inch. Text that cannot be drawn, for want of memory, is empty.
func renderedText(_ text: String, font: String) -> TextMask {
  let nothing = TextMask(width: 0, height: 0, coverage: [])
  // To ask for its size, a layout needs a surface of the kind that it will be drawn on.
  let trial = unsafe cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)
  defer { unsafe cairo_surface_destroy(trial) }
  let size = unsafe withLayout(of: text, font, on: trial) { _, layout in
    var width: Int32 = 0
    var height: Int32 = 0
    unsafe pango_layout_get_pixel_size(layout, &width, &height)
    return (width: Int(width), height: Int(height))
  }
  guard (1...16384).contains(size.width), (1...16384).contains(size.height) else { return nothing }
  let surface = unsafe cairo_image_surface_create(
    CAIRO_FORMAT_A8, Int32(size.width), Int32(size.height))
  defer { unsafe cairo_surface_destroy(surface) }
  unsafe withLayout(of: text, font, on: surface) { context, layout in
    unsafe pango_cairo_show_layout(context, layout)
  }
  unsafe cairo_surface_flush(surface)
  guard let pixels = unsafe cairo_image_surface_get_data(surface) else { return nothing }
  let stride = unsafe Int(cairo_image_surface_get_stride(surface))
  var coverage: [UInt8] = []
  for y in 0..<size.height {
    unsafe coverage += UnsafeBufferPointer(start: pixels + y * stride, count: size.width)
  }
  return TextMask(width: size.width, height: size.height, coverage: coverage)
}

private func withLayout<Result>(
  of text: String, _ font: String, on surface: OpaquePointer?,
  _ body: (OpaquePointer?, OpaquePointer?) -> Result
) -> Result {
  let context = unsafe cairo_create(surface)
  defer { unsafe cairo_destroy(context) }
  let layout = unsafe pango_cairo_create_layout(context)
  defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
  let description = unsafe pango_font_description_from_string(font)
  defer { unsafe pango_font_description_free(description) }
  unsafe pango_layout_set_text(layout, text, -1)
  unsafe pango_layout_set_font_description(layout, description)
  return unsafe body(context, layout)
}
