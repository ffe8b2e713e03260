/// The largest share of one processor that a daemon uses, or no limit.
package struct ProcessorBudget: Equatable, Sendable {
  /// In percent; nil means no limit.
  package let percent: Double?

  /// No limit.
  package static let none = ProcessorBudget(percent: nil)
  /// The valid percentages: those of 16 processors at most.
  package static let range = 1.0...1600

  private init(percent: Double?) { self.percent = percent }

  /// Parses `20%`, `20` or `none`. Throws `unreadable` or `outOfRange`.
  package init(parsing text: String, setting: String) throws(PaneError) {
    if text == "none" {
      self = .none
      return
    }
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard let percent = Double(digits) else {
      throw .unreadable(
        setting: setting, text: text, expected: "a percentage, such as 20%, or none")
    }
    guard Self.range.contains(percent) else {
      throw .outOfRange(setting: setting, text: text, expected: "1% to 1600% of one processor")
    }
    self.percent = percent
  }

  /// The text that users write.
  package var text: String {
    guard let percent else { return "none" }
    return percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
  }
}
