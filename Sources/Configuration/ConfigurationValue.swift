/// A value in a configuration, and its place.
struct ConfigurationValue {
  /// The kinds of libconfig. An array is a list.
  indirect enum Content {
    case group([(name: String, value: ConfigurationValue)])
    case list([ConfigurationValue])
    /// A number, and the shortest text that gives it.
    case number(Double, String)
    case flag(Bool)
    case text(String)
  }

  let content: Content
  let place: FilePlace

  /// The members of a group; nil for another value.
  var members: [(name: String, value: ConfigurationValue)]? {
    if case .group(let members) = content { members } else { nil }
  }

  /// The elements of a list; nil for another value.
  var elements: [ConfigurationValue]? {
    if case .list(let elements) = content { elements } else { nil }
  }

  /// A text, or the text of a number; nil for another value.
  var text: String? {
    switch content {
    case .text(let text), .number(_, let text): text
    default: nil
    }
  }

  /// The member of a group with a name.
  func member(_ name: String) -> ConfigurationValue? {
    members?.first { $0.name == name }?.value
  }
}
