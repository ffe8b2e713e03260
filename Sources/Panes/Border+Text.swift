package import Frost

extension Border {
  /// In pixels.
  package static let widthRange = 0.0...100.0

  /// Reads `none` or `WIDTH #RRGGBB[AA]`.
  package init(parsing text: String) throws(PaneError) {
    if text == "none" {
      self = .none
      return
    }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, let width = Double(words[0]) else {
      throw .unreadable(
        setting: "border", text: text, expected: "'WIDTH #RRGGBB[AA]', as in '1 #FFFFFF40', or none"
      )
    }
    guard Self.widthRange.contains(width) else {
      throw .outOfRange(setting: "border", text: "\(width)", expected: "a width of 0 to 100 pixels")
    }
    self.init(width: width, color: try Color(parsing: words[1], as: "border"))
  }

  /// As it can be read again.
  package var text: String {
    self == .none ? "none" : "\(shortest(width)) \(color.text)"
  }
}

/// A number without a point where it is whole.
func shortest(_ number: Double) -> String {
  Int(exactly: number).map { "\($0)" } ?? "\(number)"
}
