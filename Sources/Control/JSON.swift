import FoundationEssentials
import Panes

/// One line of JSON with its newline, for a value whose encoding cannot fail. A number that JSON
/// cannot represent is written as a text, which the receiver rejects.
func jsonLine(_ value: some Encodable) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
  encoder.nonConformingFloatEncodingStrategy = .convertToString(
    positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
  guard let data = try? encoder.encode(value) else {
    preconditionFailure("texts, numbers and flags can always be encoded")
  }
  return data + [UInt8(ascii: "\n")]
}

/// An arbitrary key of an object.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init(_ key: Key) { stringValue = key.rawValue }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

// MARK: Settings

extension KeyedEncodingContainer where Key == AnyKey {
  /// Encodes the value of a setting, content without its pixels.
  mutating func encode(_ value: SettingValue, of setting: Setting) throws {
    let key = AnyKey(setting.name)
    switch value {
    case .number(let number): try encode(number, forKey: key)
    case .flag(let flag): try encode(flag, forKey: key)
    case .text(let text): try encode(text, forKey: key)
    case .texts(let texts): try encode(texts, forKey: key)
    case .contents(let contents):
      try encode(contents.map { ContentReport($0) }, forKey: key)
    }
  }

  /// Encodes the declared settings.
  mutating func encode(_ settings: PaneSettings) throws {
    for setting in Setting.all {
      if let value = setting.write(settings) { try encode(value, of: setting) }
    }
  }
}

extension KeyedDecodingContainer where Key == AnyKey {
  /// Decodes the settings of a pane. A null is a reset. Content is decoded as `Content`. Throws a
  /// `RequestError` or a `DecodingError`.
  func decodeSettings<Content: Decodable>() throws -> DecodedSettings<Content> {
    var decoded = DecodedSettings<Content>()
    let names = Set(allKeys.map(\.stringValue))
    for setting in Setting.all where names.contains(setting.name) {
      let key = AnyKey(setting.name)
      if try decodeNil(forKey: key) {
        decoded.change.reset.insert(setting.name)
      } else if setting.kind == .contents {
        decoded.contents = try decode([Content].self, forKey: key)
      } else {
        let value = try decodeValue(of: setting)
        do { try setting.read(value, &decoded.change.settings) } catch {
          throw RequestError.pane(error)
        }
      }
    }
    return decoded
  }

  /// Decodes the value of a setting that is not content.
  func decodeValue(of setting: Setting) throws -> SettingValue {
    let key = AnyKey(setting.name)
    return switch setting.kind {
    case .number: .number(try decode(Double.self, forKey: key))
    case .flag: .flag(try decode(Bool.self, forKey: key))
    case .text, .contents: .text(try decode(String.self, forKey: key))
    case .texts: .texts(try decode([String].self, forKey: key))
    }
  }

  /// Throws `unknownKey` if there is a key that is not in `known`. `object` is the name of the
  /// request or list for the error.
  func checkKeys(_ known: [String], of object: String) throws {
    let unknown = allKeys.map(\.stringValue).filter { !known.contains($0) }
    // The first in alphabetical order, so that the error is deterministic.
    if let key = unknown.min() { throw RequestError.unknownKey(key, of: object, known: known) }
  }
}

/// The settings of a pane in a JSON object.
struct DecodedSettings<Content: Decodable> {
  /// All settings without content.
  var change = PaneChange()
  /// The content; nil if the object has no key for it.
  var contents: [Content]?
}
