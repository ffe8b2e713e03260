import Panes

/// What a label is written in, as users write it: "Sans Bold 24". Whatever is left out is that of
/// "Sans 18".
package struct Font: Equatable, Sendable {
  package let text: String
  /// Of an em, on an output whose scale is 1.
  let pixels: Double

  package static let standardText = "Sans 18"
  private static let standardPoints = 18.0
  /// At 96 dots an inch.
  private static let pixelsPerPoint = 96.0 / 72

  /// Fails when none of the families that `text` names is there.
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

  /// The same for Pango, on an output of this scale.
  func description(scale: Double) -> FontDescription {
    var description = FontDescription(parsing: text)
    if description.families.isEmpty { description.setFamily("Sans") }
    description.setSize(pixels: pixels * scale)
    return description
  }
}

/// The text, or another of the same meaning that Pango understands: of "Nimbus Roman" it takes the last
/// word for a style, unless there is a comma behind it.
private func readable(_ text: String, among known: [String]) throws(PictureError) -> String {
  let families = FontDescription(parsing: text).families
  if known.hasOne(of: families) { return text }
  let separated = known.separated(in: text)
  // What is no style either is left as one more family.
  let second = FontDescription(parsing: separated).families
  if second.count == 1, known.hasOne(of: second) { return separated }
  throw .unknownFont(families[0], nearest: known.nearestFamilies(to: families[0]))
}

/// What is no font, but always means one.
private let genericFamilies = [
  "Sans", "Sans-Serif", "Serif", "Mono", "Monospace", "Cursive", "Fantasy", "System-UI",
  "UI-Sans-Serif", "UI-Serif", "UI-Monospace", "UI-Rounded", "Emoji", "Math",
]

// Names of families.
extension [String] {
  /// Whether one of the families that are tried in turn is there; if none is named, one is.
  fileprivate func hasOne(of names: [String]) -> Bool {
    names.isEmpty || names.contains { name in contains { $0.familyKey == name.familyKey } }
  }

  /// The description of a font, with a comma behind the family that it starts with, if any.
  fileprivate func separated(in text: String) -> String {
    if text.contains(",") { return text }
    let start = filter { (text.lowercased() + " ").hasPrefix($0.lowercased() + " ") }
      .max { $0.count < $1.count }
    guard let start else { return text }
    return text.prefix(start.count) + "," + text.dropFirst(start.count)
  }

  /// Those that one may have meant by a name that is none of them, whatever their case.
  fileprivate func nearestFamilies(to name: String) -> [String] {
    let names = Dictionary(map { ($0.lowercased(), $0) }) { first, _ in first }
    let nearest = name.lowercased().nearest(among: Array(names.keys)).compactMap { names[$0] }
    if !nearest.isEmpty { return nearest }
    // "Sans Blod": a style that is none is taken for a part of the name.
    let start = filter { name.lowercased().hasPrefix($0.lowercased() + " ") }
      .max { $0.count < $1.count }
    return start.map { [$0] } ?? []
  }
}

extension String {
  /// As fontconfig compares them.
  fileprivate var familyKey: String { lowercased().filter { $0 != " " } }
}

extension StringProtocol {
  /// Without blank space at its ends.
  var trimmed: String {
    let front = drop { $0.isWhitespace }
    return String(front.reversed().drop { $0.isWhitespace }.reversed())
  }
}
