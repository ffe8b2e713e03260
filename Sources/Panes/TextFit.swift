/// How a label that is too large for its pane is fitted.
package struct TextFit: Equatable, Sendable {
  /// Where lines that are too long are broken.
  package enum Wrapping: String, CaseIterable, Sendable {
    /// Between words, and inside those that are too long for a line.
    case word
    /// Anywhere.
    case char
    /// Nowhere.
    case none
  }

  /// The part of a text that does not fit after it was wrapped, which is replaced by "…".
  package enum Ellipsis: String, CaseIterable, Sendable {
    case end, middle, start
    /// None: it is cut off by the edge of the pane.
    case none
  }

  package var wrapping: Wrapping
  package var ellipsis: Ellipsis

  package init(_ wrapping: Wrapping = .word, _ ellipsis: Ellipsis = .end) {
    self.wrapping = wrapping
    self.ellipsis = ellipsis
  }
}

extension TextFit.Wrapping {
  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "wrap")
  }
}

extension TextFit.Ellipsis {
  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "ellipsize")
  }
}
