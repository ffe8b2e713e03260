import CPango

/// A Pango font description.
@safe struct FontDescription: ~Copyable {
  let pointer: OpaquePointer?

  /// Parses a text such as "Sans Bold 24". Pango reports no errors.
  init(parsing text: String) {
    unsafe pointer = pango_font_description_from_string(text)
  }

  deinit { unsafe pango_font_description_free(pointer) }

  /// The named families, in the order of preference.
  var families: [String] {
    guard let names = unsafe pango_font_description_get_family(pointer) else { return [] }
    return unsafe String(cString: names).split(separator: ",").map { $0.trimmed }
      .filter { !$0.isEmpty }
  }

  /// The size of an em.
  enum Size: Equatable {
    case points(Double)
    case pixels(Double)
  }

  /// The size; nil if the text has none.
  var size: Size? {
    let fields = unsafe pango_font_description_get_set_fields(pointer)
    guard fields.rawValue & PANGO_FONT_MASK_SIZE.rawValue != 0 else { return nil }
    let size = unsafe Double(pango_font_description_get_size(pointer)) / Double(PANGO_SCALE)
    let isAbsolute = unsafe pango_font_description_get_size_is_absolute(pointer) != 0
    return isAbsolute ? .pixels(size) : .points(size)
  }

  mutating func setSize(pixels: Double) {
    unsafe pango_font_description_set_absolute_size(pointer, pixels * Double(PANGO_SCALE))
  }

  mutating func setFamily(_ name: String) {
    unsafe pango_font_description_set_family(pointer, name)
  }
}
