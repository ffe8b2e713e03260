/// Conditions on a window, all of which must hold. A condition that is nil holds for every window.
package struct WindowMatch: Equatable, Sendable {
  /// Compared without regard to case.
  package var windowClass, instance, role: String?
  package var title: TextPattern?
  package var type: WindowType?
  /// The identifier of the window or of its frame.
  package var window: WindowNumber?
  package var isOverrideRedirect: Bool?
  /// Whether it asks for blur.
  package var asksForBlur: Bool?
  /// The window must fulfil none of these.
  package var exclusions: [WindowCondition] = []

  package init() {}

  /// Whether nothing but the request for blur matters.
  package var isForAnyRequest: Bool {
    var other = self
    other.asksForBlur = nil
    other.exclusions = []
    return asksForBlur == true && other == WindowMatch()
  }

  /// Whether the conditions name windows, so that only windows that the user knows fulfil them. A type or a state does
  /// not, nor does an exclusion, or an expression that fits a window without a title.
  package var namesWindows: Bool {
    windowClass != nil || instance != nil || role != nil || window != nil
      || title.map { $0.search("") == .absent } ?? false
  }

  /// Whether all conditions hold. False if a search in the title gives up.
  package func includes(_ window: WindowProperties) -> Bool { search(window) == .found }

  /// `found` if all conditions hold, `tooCostly` if this depends on a search in the title that gives up.
  package func search(_ window: WindowProperties) -> TextPattern.Finding {
    if !hasEqualProperties(window) { return .absent }
    var finding = title?.search(window.title) ?? .found
    for exclusion in exclusions where finding != .absent {
      switch exclusion.match.search(window) {
      case .found: finding = .absent
      case .tooCostly: finding = .tooCostly
      case .absent: break
      }
    }
    return finding
  }

  /// Whether the conditions hold that need no search in the title.
  private func hasEqualProperties(_ window: WindowProperties) -> Bool {
    func isSame(_ wanted: String?, _ text: String) -> Bool {
      wanted.map { $0.lowercased() == text.lowercased() } ?? true
    }
    return isSame(windowClass, window.windowClass) && isSame(instance, window.instance)
      && isSame(role, window.role) && type.map { $0 == window.type } ?? true
      && self.window.map { [window.id, window.frame].contains($0.number) } ?? true
      && isOverrideRedirect.map { $0 == window.isOverrideRedirect } ?? true
      && asksForBlur.map { $0 == window.asksForBlur } ?? true
  }
}

/// The identifier of a window, as `xwininfo` and `xdotool` print it.
package struct WindowNumber: Equatable, Sendable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }

  /// Parses a decimal or a hexadecimal number, such as 0x1c00007. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    let number =
      text.lowercased().hasPrefix("0x")
      ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    guard let number, number > 0 else {
      throw .unreadable(
        setting: "window", text: text, expected: "the number of a window, such as 0x1c00007")
    }
    self.number = number
  }

  package var text: String { "0x" + String(number, radix: 16) }
}

/// One condition as a text: `class=kitty`, `title=^vim`.
package struct WindowCondition: Equatable, Sendable {
  package let text: String
  package let match: WindowMatch

  /// Throws `unreadable` or the error of the value.
  package init(parsing text: String) throws(PaneError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { throw Self.unreadable(text) }
    let value = String(parts[1])
    var match = WindowMatch()
    switch parts[0] {
    case "class": match.windowClass = value
    case "instance": match.instance = value
    case "role": match.role = value
    case "title": match.title = try TextPattern(parsing: value, setting: "exclude")
    case "type": match.type = try WindowType(parsing: value)
    case "window": match.window = try WindowNumber(parsing: value)
    default: throw Self.unreadable(text)
    }
    self.text = text
    self.match = match
  }

  private static func unreadable(_ text: String) -> PaneError {
    .unreadable(
      setting: "exclude", text: text,
      expected: "class=NAME, instance=NAME, title=REGEX, role=NAME, type=TYPE or window=ID")
  }
}
