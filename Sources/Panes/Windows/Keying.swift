/// Glass over a window, in place of its even background; see `BackgroundKey`.
package struct Keying: Equatable, Sendable {
  /// The background that becomes glass.
  package var background: BackgroundChoice
  /// The share of the background that stays, 0 to 1.
  package var opacity: Double
  /// Whether pictures and highlighted text stay as they are, also where they have the colour of the background.
  package var keepsPictures: Bool

  /// Text of all colours is readable; more of the background than this looks faint.
  package static let defaultOpacity = 0.6
  /// The valid values of `opacity`.
  package static let opacityRange = 0.0...1.0
}

/// The background of windows that becomes glass.
package enum BackgroundChoice: Equatable, Sendable {
  /// None: the glass is beneath the window, and visible where that is translucent.
  case none
  /// The colour that most of the window has, where glass beneath the window would not be visible.
  case auto
  /// This colour, 0xRRGGBB.
  case color(UInt32)

  /// Parses `none`, `auto` or `#RRGGBB`. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    switch text {
    case "none": self = .none
    case "auto": self = .auto
    default:
      guard let color = colorNumber(text, digits: 6) else {
        throw .unreadable(setting: "background", text: text, expected: "none, auto or #RRGGBB")
      }
      self = .color(color)
    }
  }

  /// The text that `init(parsing:)` reads.
  package var text: String {
    switch self {
    case .none: "none"
    case .auto: "auto"
    case .color(let color): colorText(color)
    }
  }
}

/// Whether something is visible through windows.
package enum Translucency: String, CaseIterable, Sendable {
  /// Where an opacity or the pixels of a window tell it.
  case auto
  /// Through all, also where a rule of the compositor makes them translucent, which leaves no trace on the window.
  case always

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "translucent")
  }
}
