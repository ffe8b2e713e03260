import Raster
import Testing

@testable import Pictures

private func failure(_ text: String) -> PictureError? {
  do {
    _ = try Font(parsing: text)
    return nil
  } catch {
    return error
  }
}

@Suite struct FontTests {
  @Test(arguments: [
    "Sans", "sans", "Serif Bold 24", "Monospace 9", "sans-serif 12", "system-ui 30", "cursive",
    "DejaVu Sans 12", "dejavusans 12", "DEJAVU SANS Bold Oblique 12", "DejaVu Sans Mono 12px",
    "No Such Font,DejaVu Sans 12", "Bold", "Bold Italic 12", "24", "DejaVu Sans,", ",",
  ])
  func installedAndGenericFamiliesAreAccepted(_ text: String) {
    #expect(failure(text) == nil)
  }

  @Test func omittedPartsAreThoseOfSans18() throws {
    #expect(try Font(parsing: "Serif").pixels == 24)
    #expect(try Font(parsing: "Serif 30").pixels == 40)
    #expect(try Font(parsing: "Serif 30px").pixels == 30)
    func picture(_ font: String) throws -> Bitmap {
      try Label("Aa", Font(parsing: font)).drawn(scale: 1).picture
    }
    let model = try picture("Sans 18")
    for font in ["18", "Sans", Font.standardText] { expectSame(try picture(font), model) }
    let isBold = try picture("Bold") != model
    #expect(isBold)
  }

  /// Also a family whose last word Pango reads as a style.
  @Test func everyInstalledFamilyIsAccepted() throws {
    let families = fontFamilies()
    #expect(families.contains("DejaVu Sans") && families == families.sorted())
    for family in families {
      #expect(failure("\(family) 12") == nil)
      #expect(failure("\(family) Bold Italic") == nil)
      #expect(failure(family.lowercased()) == nil)
    }
  }

  @Test(arguments: [
    ("DejaVu Sanz 12", "DejaVu Sanz", "DejaVu Sans"),
    ("dejavu serf", "dejavu serf", "DejaVu Serif"),
    ("Sens", "Sens", "Sans"), ("Sans Blod 12", "Sans Blod", "Sans"), ("Sans -5", "Sans -5", "Sans"),
    ("monospaced 12", "monospaced", "Monospace"),
  ])
  func errorOfUnknownFamilyNamesTheNearest(_ text: String, _ name: String, _ nearest: String) {
    guard case .unknownFont(name, let names) = failure(text) else {
      Issue.record("\(String(describing: failure(text)))")
      return
    }
    #expect(names.contains(nearest))
  }

  @Test func errorOfFamilyUnlikeAllOthersNamesNone() {
    let error = failure("Qwxyzzy Plugh 12")
    #expect(error == .unknownFont("Qwxyzzy Plugh", nearest: []))
    #expect(error.map { "\($0)".contains("fc-list") } == true)
  }

  @Test(arguments: ["Sans 0", "Sans 0.5", "Sans 1001", "Sans 1e6", "Sans 0px", "Sans 2000px"])
  func sizeOutOfRangeIsRefused(_ text: String) {
    guard case .fontSize = failure(text) else {
      Issue.record("\(String(describing: failure(text)))")
      return
    }
  }

  @Test(arguments: ["", " ", "\t\n"]) func blankFontIsRefused(_ text: String) {
    #expect(failure(text) == .unreadableFont(text))
  }
}
