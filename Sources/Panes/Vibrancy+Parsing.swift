package import Frost

extension Vibrancy {
  /// Parses the name of a style. Throws `unknownVibrancy`.
  package init(parsing text: String) throws(PaneError) {
    self = try Self.find(text, in: allStyleNames)
  }

  /// Parses the name of a style, or `none`, which gives nil. Throws `unknownVibrancy`.
  package static func parsed(_ text: String) throws(PaneError) -> Vibrancy? {
    text == "none" ? nil : try find(text, in: ["none"] + allStyleNames)
  }

  private static func find(_ text: String, in names: [String]) throws(PaneError) -> Vibrancy {
    guard let style = Vibrancy(rawValue: text) else {
      throw .unknownVibrancy(text, nearest: text.nearest(in: names), all: names)
    }
    return style
  }
}

private let allStyleNames = Vibrancy.allCases.map(\.rawValue)
