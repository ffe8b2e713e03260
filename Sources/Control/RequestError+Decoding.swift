import FoundationEssentials

extension RequestError {
  /// The request error for an error of the JSON decoder.
  init(_ error: any Error) {
    switch error {
    case let error as RequestError:
      self = error
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      self = Self.wrongType(type, context.codingPath) ?? .notAnObject
    case DecodingError.keyNotFound(let key, _):
      self = .missingKey(key.stringValue)
    default:
      self = .notAnObject
    }
  }

  /// The error for a value of the wrong type; nil if the value has no key. For an element of a
  /// list, the error names the list.
  private static func wrongType(_ type: any Any.Type, _ path: [any CodingKey]) -> RequestError? {
    guard let key = path.last(where: { $0.intValue == nil })?.stringValue else { return nil }
    let isElement = path.last?.intValue != nil
    return .wrongType(key: key, expected: isElement ? listName(key) : typeName(type, key))
  }

  private static func typeName(_ type: any Any.Type, _ key: String) -> String {
    switch type {
    case _ where ContentKey(rawValue: key)?.isSize == true: ContentKey.sizeType
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is [String].Type, is [Any].Type: listName(key)
    default: "a number"
    }
  }

  private static func listName(_ key: String) -> String {
    key == Key.content.rawValue || key == Key.panes.rawValue
      ? "a list of objects" : "a list of texts"
  }
}
