import Panes

/// The font of a label, in the syntax of Pango, such as "Sans Bold 24". Missing parts are those of
/// "Sans 18".
package struct Font: Equatable, Sendable {
  /// The description that Pango reads.
  package let text: String
  /// The size of an em in pixels, on an output with the scale 1.
  let pixels: Double

  /// The default font.
  package static let standardText = "Sans 18"
  private static let standardPoints = 18.0
  /// At 96 dots per inch.
  private static let pixelsPerPoint = 96.0 / 72

  /// Throws `unreadableFont` if the text is blank, `noFonts`, `unknownFont` if none of the named
  /// families is installed, or `fontSize`.
  package init(parsing text: String) throws(PictureError) {
    guard !text.trimmed.isEmpty else { throw .unreadableFont(text) }
    var known = fontFamilies()
    if known.isEmpty { throw .noFonts }
    known += genericFamilies
    self.text = try readable(text, among: known)
    pixels = try Self.pixels(of: FontDescription(parsing: self.text).size)
  }

  private static func pixels(of size: FontDescription.Size?) throws(PictureError) -> Double {
    let pixels =
      switch size {
      case .none: standardPoints * pixelsPerPoint
      case .points(let points): points * pixelsPerPoint
      case .pixels(let pixels): pixels
      }
    guard (1.0...1000).contains(pixels / pixelsPerPoint) else {
      throw .fontSize(size == .pixels(pixels) ? "\(pixels) pixels" : "\(pixels / pixelsPerPoint)")
    }
    return pixels
  }

  /// The Pango description for an output with the scale `scale`.
  func description(scale: Double) -> FontDescription {
    var description = FontDescription(parsing: text)
    if description.families.isEmpty { description.setFamily("Sans") }
    description.setSize(pixels: pixels * scale)
    return description
  }
}

/// The text, or an equivalent that Pango parses correctly: in "Nimbus Roman" Pango takes the last
/// word for a style unless a comma follows the family.
private func readable(_ text: String, among known: [String]) throws(PictureError) -> String {
  let families = FontDescription(parsing: text).families
  if known.hasOne(of: families) { return text }
  let separated = known.separated(in: text)
  // Words that are no style either are parsed as one more family.
  let second = FontDescription(parsing: separated).families
  if second.count == 1, known.hasOne(of: second) { return separated }
  throw .unknownFont(families[0], nearest: known.nearestFamilies(to: families[0]))
}

/// Generic families, which fontconfig maps to an installed font.
private let genericFamilies = [
  "Sans", "Sans-Serif", "Serif", "Mono", "Monospace", "Cursive", "Fantasy", "System-UI",
  "UI-Sans-Serif", "UI-Serif", "UI-Monospace", "UI-Rounded", "Emoji", "Math",
]

// Names of families.
extension [String] {
  /// Whether one of the named families is in this list; true if none is named.
  fileprivate func hasOne(of names: [String]) -> Bool {
    names.isEmpty || names.contains { name in contains { $0.familyKey == name.familyKey } }
  }

  /// The description of a font with a comma after the family with which it starts, if it starts
  /// with one.
  fileprivate func separated(in text: String) -> String {
    if text.contains(",") { return text }
    let start = filter { (text.lowercased() + " ").hasPrefix($0.lowercased() + " ") }
      .max { $0.count < $1.count }
    guard let start else { return text }
    return text.prefix(start.count) + "," + text.dropFirst(start.count)
  }

  /// The families that a user may have meant by an unknown name, ignoring case.
  fileprivate func nearestFamilies(to name: String) -> [String] {
    let names = Dictionary(map { ($0.lowercased(), $0) }) { first, _ in first }
    let nearest = name.lowercased().nearest(in: Array(names.keys)).compactMap { names[$0] }
    if !nearest.isEmpty { return nearest }
    // In "Sans Blod", the misspelt style is parsed as a part of the name.
    let start = filter { name.lowercased().hasPrefix($0.lowercased() + " ") }
      .max { $0.count < $1.count }
    return start.map { [$0] } ?? []
  }
}

extension String {
  /// The form in which fontconfig compares family names.
  fileprivate var familyKey: String { lowercased().filter { $0 != " " } }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    let front = drop { $0.isWhitespace }
    return String(front.reversed().drop { $0.isWhitespace }.reversed())
  }
}
