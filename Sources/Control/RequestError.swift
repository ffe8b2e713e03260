import Linux
package import Panes

/// An error in a request or in the file that was sent with it.
package enum RequestError: Error, Equatable, Sendable {
  /// The line is not JSON or not an object, or has a number that a `Double` cannot hold.
  case notAnObject
  /// The text is not a JSON list of objects.
  case notAList
  /// The line exceeds the limit, in bytes.
  case lineTooLong(limit: Int)
  /// The value of `request` is not a request.
  case unknownRequest(String)
  /// A required key is missing.
  case missingKey(String)
  /// The request, or an object in it, has a key that it must not have.
  case unknownKey(String, of: String, known: [String])
  /// A value has the wrong type.
  case wrongType(key: String, expected: String)
  /// A setting or a pane is wrong.
  case pane(PaneError)
  /// The named pane in a list is wrong.
  indirect case paneNamed(String, RequestError)
  /// An object in `content` has neither or both of the keys `image` and `label`.
  case imageOrLabel
  /// An image or a label has a key that it must not have.
  case unknownContentKey(String, beside: String, known: [String])
  /// The request has content, but no file was sent with it.
  case noPixelFile
  /// The process has no descriptor for the file that was sent.
  case noDescriptor
  /// The process cannot get the memory for so many bytes of pixels.
  case noMemory(byteCount: Int)
  /// The file is not in memory, so reading it could block.
  case badPixelFile
  /// The system cannot read the file; its `errno`.
  case unreadablePixelFile(code: Int32)
  /// The file is shorter than the pictures.
  case tooFewPixels(needed: Int)
  /// A colour of a pixel exceeds its alpha.
  case notPremultiplied
}

extension RequestError {
  /// The error with the name of the pane in a list that has it. `notAnObject` is about the whole text.
  func naming(_ pane: String?) -> RequestError {
    guard let pane, self != .notAnObject else { return self }
    return .paneNamed(pane, self)
  }
}

extension RequestError: CustomStringConvertible {
  /// One line that names the error and the correction.
  package var description: String {
    switch self {
    case .notAnObject:
      "cannot read this line as a JSON object; a request is one, such as {\"request\":\"list\"}"
    case .notAList:
      "cannot read this as a JSON list of panes, such as "
        + #"[{"name":"clock","geometry":"400x300-40+40"}]"#
    case .lineTooLong(let limit):
      "a request has at most \(limit) bytes; this line is longer"
    case .unknownRequest(let verb):
      "there is no request '\(verb)'; there are: \(list(Verb.allCases.map(\.rawValue)))"
    case .missingKey(let key):
      "the key '\(key)' is missing"
    case .unknownKey(let key, let object, let known):
      "'\(object)' has no key '\(key)'; it has: \(list(known))"
    case .wrongType(let key, let expected):
      "the value of '\(key)' must be \(expected)"
    case .pane(let error):
      "\(error)"
    case .paneNamed(let name, let error):
      "pane '\(name)': \(error)"
    case .imageOrLabel:
      "content: each object has either the key 'image' or the key 'label'"
    case .unknownContentKey(let key, let kind, let known):
      "content: an object with '\(kind)' has no key '\(key)'; it has: \(list(known))"
    case .noPixelFile:
      "content: the pixels are missing; attach a file with them to the request"
    case .noDescriptor:
      "content: backdropd has too many open files to receive its pixels; raise its limit (ulimit -n)"
    case .noMemory(let byteCount):
      "content: backdropd cannot get the memory for \(byteCount) bytes of pixels; raise its limit (ulimit -v), or free memory"
    case .badPixelFile:
      "content: the file that came with the request is not in memory; make it with memfd_create"
    case .unreadablePixelFile(let code):
      "content: cannot read the file that came with the request: \(errorText(code))"
    case .tooFewPixels(let needed):
      "content: its pictures have \(needed) pixels, but the file that came with it has fewer"
    case .notPremultiplied:
      "content: a pixel has a colour above its alpha; colours must be multiplied by alpha"
    }
  }

  private func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
