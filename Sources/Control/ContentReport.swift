import Frost
package import Panes

/// The description of an image or a label in requests and reports, without its pixels. Texts are in
/// the syntax of the command line.
package struct ContentReport: Codable, Equatable, Sendable {
  /// The path of a PNG file; nil for a label.
  package var image: String?
  /// Its text and its font; nil for an image.
  package var label, font: String?
  /// The colour of a label without vibrancy; nil means white.
  package var color: String?
  /// Where a label is wrapped, and what of it is left out; nil means `word` and `end`.
  package var wrap, ellipsize: String?
  /// Its position; nil means the centre.
  package var at: String?
  /// Its vibrancy; nil if it has its own colours.
  package var vibrancy: String?
  /// Whether a second picture has the glyphs with colours of their own; nil means that there is none.
  package var emoji: Bool?
  /// The scale for which it was drawn; nil if it is right for all.
  package var scale: Double?
  /// The size of the room for which a text was wrapped or shortened; nil if it was not.
  package var room: String?
  /// The smallest room in which the text keeps its natural size; nil if it does in all.
  package var leastRoom: String?
  /// The size of its picture in pixels.
  package var width, height: Int

  typealias CodingKeys = ContentKey

  /// The sizes of its pictures.
  var sizes: [(width: Int, height: Int)] {
    Array(repeating: (width, height), count: emoji == true ? 2 : 1)
  }

  /// The description of existing content.
  package init(_ content: PaneContent) {
    switch content.source {
    case .image(let path): image = path
    case .label(let text):
      (label, font) = (text.text, text.font)
      if text.color != Color(white: 1) { color = text.color.text }
      if text.fit.wrapping != .word { wrap = text.fit.wrapping.rawValue }
      if text.fit.ellipsis != .end { ellipsize = text.fit.ellipsis.rawValue }
    }
    at = content.place.text
    vibrancy = content.vibrancy?.rawValue
    emoji = content.drawing.emoji == nil ? nil : true
    scale = content.drawing.scope?.scale
    switch content.drawing.scope?.sizes {
    case .exactly(let width, let height): room = "\(width)x\(height)"
    case .atLeast(let width, let height): leastRoom = "\(width)x\(height)"
    case .any, nil: break
    }
    width = content.picture.width
    height = content.picture.height
  }
}

/// The keys of an object in the list `content`.
enum ContentKey: String, CodingKey {
  case image, label, font, color, wrap, ellipsize, at, vibrancy, emoji, scale, room, leastRoom,
    width, height

  var isSize: Bool { self == .width || self == .height }
  static let sizeType = "a whole number"

  /// The keys that an object with the key `kind`, `image` or `label`, may also have.
  static func keys(beside kind: String) -> [ContentKey] {
    let forLabels: [ContentKey] = [.font, .color, .wrap, .ellipsize, .emoji, .room, .leastRoom]
    return (kind == ContentKey.label.rawValue ? forLabels : [])
      + [.at, .vibrancy, .scale, .width, .height]
  }
}

/// A content report that is decoded from a request. Decoding throws a `RequestError` if it has a
/// key that its kind does not have, or a size that is not a whole number.
struct CheckedContent: Decodable {
  let report: ContentReport

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    try container.checkContentKeys { ContentKey.keys(beside: $0).map(\.rawValue) }
    // If a fraction is decoded as an `Int`, the decoder reports invalid JSON.
    for key in [ContentKey.width, .height].map({ AnyKey($0.rawValue) }) {
      if let size = try container.decodeIfPresent(Double.self, forKey: key),
        Int(exactly: size) == nil
      {
        throw RequestError.wrongType(key: key.stringValue, expected: ContentKey.sizeType)
      }
    }
    report = try ContentReport(from: decoder)
  }
}

extension KeyedDecodingContainer where Key == AnyKey {
  /// Throws unless there is exactly one of the keys `image` and `label`, and all other keys are in
  /// `known` of it.
  func checkContentKeys(_ known: (String) -> [String]) throws {
    let keys = allKeys.map(\.stringValue)
    let kinds = [ContentKey.image, .label].map(\.rawValue).filter(keys.contains)
    guard kinds.count == 1 else { throw RequestError.imageOrLabel }
    // The first in alphabetical order, so that the error is deterministic.
    if let key = keys.filter({ !(kinds + known(kinds[0])).contains($0) }).min() {
      throw RequestError.unknownContentKey(key, beside: kinds[0], known: known(kinds[0]))
    }
  }
}
