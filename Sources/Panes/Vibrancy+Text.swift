package import Frost

extension Vibrancy {
  /// Reads the name of a style.
  package init(parsing text: String) throws(PaneError) {
    self = try Self.find(text, among: allCaseNames)
  }

  /// Reads the name of a style, or `none`, which is nil.
  package static func parsed(_ text: String) throws(PaneError) -> Vibrancy? {
    text == "none" ? nil : try find(text, among: ["none"] + allCaseNames)
  }

  private static func find(
    _ text: String, among names: [String]
  ) throws(PaneError) -> Vibrancy {
    guard let style = Vibrancy(rawValue: text) else {
      throw .unknownVibrancy(text, nearest: text.nearest(among: names), all: names)
    }
    return style
  }
}

private let allCaseNames = Vibrancy.allCases.map(\.rawValue)
