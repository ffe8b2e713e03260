import CPango
import Frost
import Panes
import Raster

/// A text that Pango has shaped and divided into lines.
@safe struct TextLayout: ~Copyable {
  private let layout: OpaquePointer?

  init(_ text: String, _ font: borrowing FontDescription) {
    let context = unsafe pango_font_map_create_context(pango_cairo_font_map_get_default())
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(context)) }
    let options = unsafe cairo_font_options_create()
    defer { unsafe cairo_font_options_destroy(options) }
    // No subpixel antialiasing, because the position of the text on the screen is not known here.
    unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
    unsafe pango_cairo_context_set_font_options(context, options)
    unsafe layout = pango_layout_new(context)
    unsafe pango_layout_set_font_description(layout, font.pointer)
    unsafe pango_layout_set_text(layout, text, -1)
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// The bounding box of the drawn pixels (`ink`), and that of the lines by the metrics of their font (`logical`). In general
  /// neither contains the other.
  var extents: (ink: Rect, logical: Rect) {
    var ink = PangoRectangle()
    var logical = PangoRectangle()
    unsafe pango_layout_get_pixel_extents(layout, &ink, &logical)
    return (Rect(ink), Rect(logical))
  }

  /// Centres all lines at the longest one.
  func centerLines() { unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER) }

  /// Wraps and shortens the text if it is larger than `room`. Each paragraph keeps one line. Returns the sizes of
  /// the room for which the result is the same.
  func shrink(to room: (width: Int, height: Int), _ fit: TextFit) -> DrawingScope.Sizes {
    let size = extents.logical
    if fit.wrapping == .none && fit.ellipsis == .none { return .any }
    if size.width <= room.width && size.height <= room.height {
      return .atLeast(width: size.width, height: size.height)
    }
    let units = Int(PANGO_SCALE)
    unsafe pango_layout_set_width(layout, Int32(clamping: room.width * units))
    if fit.wrapping != .none {
      unsafe pango_layout_set_wrap(
        layout, fit.wrapping == .word ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_CHAR)
      // Without it, an ellipsis would leave one line of each paragraph.
      unsafe pango_layout_set_height(layout, Int32(clamping: room.height * units))
    }
    unsafe pango_layout_set_ellipsize(layout, fit.ellipsis.mode)
    return .exactly(width: room.width, height: room.height)
  }

  /// The number of characters that no font has.
  var missingCount: Int { unsafe Int(pango_layout_get_unknown_glyphs_count(layout)) }

  /// Draws the part `place` of the layout to a canvas of the same size. Glyphs with colours of
  /// their own keep them.
  func draw(_ place: Rect, in color: Color, on canvas: inout Canvas) {
    unsafe canvas.withContext { context in
      unsafe cairo_translate(context, Double(-place.x), Double(-place.y))
      unsafe cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
      unsafe pango_cairo_show_layout(context, layout)
    }
  }
}

extension TextFit.Ellipsis {
  fileprivate var mode: PangoEllipsizeMode {
    switch self {
    case .end: PANGO_ELLIPSIZE_END
    case .middle: PANGO_ELLIPSIZE_MIDDLE
    case .start: PANGO_ELLIPSIZE_START
    case .none: PANGO_ELLIPSIZE_NONE
    }
  }
}

extension Rect {
  fileprivate init(_ rectangle: PangoRectangle) {
    self.init(
      x: Int(rectangle.x), y: Int(rectangle.y), width: Int(rectangle.width),
      height: Int(rectangle.height))
  }
}
