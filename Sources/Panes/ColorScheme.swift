/// Whether a look suits light or dark surroundings.
package enum ColorScheme: String, CaseIterable, Sendable {
  case light, dark
}

extension ColorScheme {
  /// The scheme for a backdrop of a mean relative luminance from 0 to 1. `last` is the present one, nil if there is
  /// none; then the scheme is the one whose text, black or white, has the higher contrast with the backdrop (WCAG 2).
  /// The limits of a change are so far apart that a pane keeps its scheme while windows behind it change, unless almost
  /// all of its backdrop does.
  package init(onLuminance luminance: Double, last: ColorScheme?) {
    let limit =
      switch last {
      case nil: 0.179
      case .dark: 0.5
      case .light: 0.05
      }
    self = luminance > limit ? .light : .dark
  }
}

/// The scheme of a pane that a user selects.
package enum SchemeChoice: String, CaseIterable, Sendable {
  case light, dark
  /// The scheme of the desktop, if it states one; otherwise that of the backdrop.
  case auto

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "scheme")
  }

  /// The selected scheme; nil for `auto`.
  package var scheme: ColorScheme? { ColorScheme(rawValue: rawValue) }
}

/// The defaults of the settings of a look that a user did not declare.
package enum PaneStyle: String, CaseIterable, Sendable {
  /// A sheet of glass: the material `glass-light` or `glass-dark`, a corner, a border and a shadow.
  case glass
  /// The same sheet with the material `clear`, which has no tint. The default behind windows.
  case clear
  /// A blur of sigma 20, and nothing else.
  case plain

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "style")
  }
}
