package import Panes

/// What can be wrong with a line that should be a request, and with the file that came with it.
package enum RequestError: Error, Equatable, Sendable {
  /// No JSON, other JSON, or JSON with a number that a `Double` does not reach.
  case notAnObject
  case lineTooLong(limit: Int)
  case unknownRequest(String)
  case missingKey(String)
  /// A key that this request does not take.
  case unknownKey(String, request: String)
  case wrongType(key: String, expected: String)
  case pane(PaneError)
  /// An object in `content` that is neither of them, or both.
  case imageOrLabel
  /// A key that an `image` or a `label` does not take.
  case unknownContentKey(String, beside: String)
  /// There is content, and no file came with the request.
  case noPixelFile
  /// Reading it could keep us waiting.
  case badPixelFile
  case tooFewPixels(needed: Int)
  case notPremultiplied
}

extension RequestError: CustomStringConvertible {
  /// One line: what is wrong, and what would be right.
  package var description: String {
    switch self {
    case .notAnObject:
      "cannot read this line as a JSON object; a request is one, such as {\"request\":\"list\"}"
    case .lineTooLong(let limit):
      "a request has at most \(limit) bytes; this line is longer"
    case .unknownRequest(let verb):
      "there is no request '\(verb)'; there are: \(list(Verb.allCases.map(\.rawValue)))"
    case .missingKey(let key):
      "the key '\(key)' is missing"
    case .unknownKey(let key, let request):
      "'\(request)' has no key '\(key)'; it has: \(list(Self.keys(of: request)))"
    case .wrongType(let key, let expected):
      "the value of '\(key)' must be \(expected)"
    case .pane(let error):
      "\(error)"
    case .imageOrLabel:
      "content: each object has either the key 'image' or the key 'label'"
    case .unknownContentKey(let key, let kind):
      "content: beside '\(kind)' there is no key '\(key)'; there are: "
        + list(ContentKey.keys(beside: kind).map(\.rawValue))
    case .noPixelFile:
      "content: its pixels are missing; attach a file that holds them to the request"
    case .badPixelFile:
      "content: the file that came with the request is not in memory; memfd_create makes one"
    case .tooFewPixels(let needed):
      "content: its pictures have \(needed) pixels, and the file that came with the request has fewer"
    case .notPremultiplied:
      "content: a pixel has a colour above its alpha; colours are to be multiplied by alpha"
    }
  }

  private static func keys(of request: String) -> [String] {
    [Key.request.rawValue] + (Verb(rawValue: request)?.keys.map(\.rawValue) ?? [])
  }

  private func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
