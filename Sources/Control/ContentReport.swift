package import Panes

/// What a pane holds, as requests and reports tell it: all but the pixels. Texts are those that the
/// settings are written in.
package struct ContentReport: Codable, Equatable, Sendable {
  /// The path of a PNG file; nil for a label.
  package var image: String?
  /// Its text and its font; nil for an image.
  package var label, font: String?
  /// In the middle when nothing is said.
  package var at: String?
  /// Nil: it has its own colours.
  package var vibrancy: String?
  /// Of the picture that was made of it.
  package var width, height: Int

  typealias CodingKeys = ContentKey

  package init(_ content: PaneContent) {
    switch content.source {
    case .image(let path): image = path
    case .label(let text, let font): (label, self.font) = (text, font)
    }
    at = content.place.text
    vibrancy = content.vibrancy?.rawValue
    width = content.picture.width
    height = content.picture.height
  }
}

/// Every key that one may have.
enum ContentKey: String, CodingKey {
  case image, label, font, at, vibrancy, width, height

  var isSide: Bool { self == .width || self == .height }
  static let sideType = "a whole number"

  /// What may stand beside `image` or `label`.
  static func keys(beside kind: String) -> [ContentKey] {
    (kind == ContentKey.label.rawValue ? [.font] : []) + [.at, .vibrancy, .width, .height]
  }
}

/// Decodes from an object whose keys are those of an image, or those of a label, and whose sides are
/// whole numbers.
struct CheckedContent: Decodable {
  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    let kinds = [ContentKey.image, .label].map(\.rawValue).filter(keys.contains)
    guard kinds.count == 1 else { throw RequestError.imageOrLabel }
    let known = kinds + ContentKey.keys(beside: kinds[0]).map(\.rawValue)
    // The least, so that the error is the same each time.
    if let key = keys.filter({ !known.contains($0) }).min() {
      throw RequestError.unknownContentKey(key, beside: kinds[0])
    }
    let named = try decoder.container(keyedBy: ContentKey.self)
    // As an `Int` it would be no JSON, says the decoder.
    for key in [ContentKey.width, .height] {
      if let side = try named.decodeIfPresent(Double.self, forKey: key), Int(exactly: side) == nil {
        throw RequestError.wrongType(key: key.rawValue, expected: ContentKey.sideType)
      }
    }
  }
}
