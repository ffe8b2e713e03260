import CPango

/// The names of the families of all fonts that Pango can use, sorted, in every language in which
/// they have a name.
func fontFamilies() -> [String] {
  let all = unsafe FcPatternCreate()
  defer { unsafe FcPatternDestroy(all) }
  let wanted = unsafe FcObjectSetCreate()
  defer { unsafe FcObjectSetDestroy(wanted) }
  unsafe FcObjectSetAdd(wanted, FC_FAMILY)
  unsafe FcObjectSetAdd(wanted, FC_FONTFORMAT)
  guard let fonts = unsafe FcFontList(nil, all, wanted) else { return [] }
  defer { unsafe FcFontSetDestroy(fonts) }
  var families: Set<String> = []
  for i in unsafe 0..<Int(fonts.pointee.nfont) {
    let font = unsafe fonts.pointee.fonts[i]
    // Pango does not use bitmap and Type 1 fonts.
    let formats = unsafe texts(of: font, FC_FONTFORMAT)
    if formats.contains("TrueType") || formats.contains("CFF") {
      unsafe families.formUnion(texts(of: font, FC_FAMILY))
    }
  }
  return families.sorted()
}

/// All text values of a property of a font.
private func texts(of font: OpaquePointer?, _ key: String) -> [String] {
  var texts: [String] = []
  var text: UnsafeMutablePointer<FcChar8>?
  while unsafe FcPatternGetString(font, key, Int32(texts.count), &text) == FcResultMatch,
    let found = unsafe text
  {
    unsafe texts.append(String(cString: found))
  }
  return texts
}
