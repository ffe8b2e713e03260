import Linux

extension PaneSettings {
  /// The shortest good conditions for a window. They hold for it and for others of its kind, but for none of another kind
  /// that is shown now, and they still hold when its program has been started again, unless it names its windows by
  /// nothing that lasts. `windows` are all shown windows.
  package init(matching window: WindowProperties, among windows: [WindowProperties]) {
    self.init()
    if [.dock, .notification].contains(window.type) {
      // A desktop has few programs with such windows, and all of them look alike.
      windowType = window.type
    } else if readName(of: window) {
      if window.type.isPopup { windowType = window.type }
      refine(for: window, among: windows)
    } else {
      readLastResort(of: window)
    }
  }

  /// Reads the word that names the kind of a window best; returns false if it has none.
  private mutating func readName(of window: WindowProperties) -> Bool {
    if Self.isUsable(window.windowClass) {
      windowClass = window.windowClass
    } else if Self.isUsable(window.instance) {
      instance = window.instance
    } else if window.hasLastingRole {
      role = window.role
    } else {
      return false
    }
    return true
  }

  private mutating func readLastResort(of window: WindowProperties) {
    if window.type.isPopup {
      windowType = window.type
    } else if let pattern = TextPattern.exact(window.title) {
      title = pattern
    } else {
      self.window = WindowNumber(window.id)
    }
  }

  /// Adds conditions as long as windows of another kind fulfil the others.
  private mutating func refine(for window: WindowProperties, among windows: [WindowProperties]) {
    func fits(other isOther: (WindowProperties) -> Bool) -> Bool {
      guard let match = try? windowMatch() else { return false }
      return windows.contains { isOther($0) && match.includes($0) }
    }
    if fits(other: { $0.type != window.type }) { windowType = window.type }
    if fits(other: { $0.isOverrideRedirect != window.isOverrideRedirect }) {
      overrideRedirect = window.isOverrideRedirect
    }
    if Self.isUsable(window.instance), fits(other: { $0.instance != window.instance }) {
      instance = window.instance
    }
    if window.hasLastingRole, fits(other: { $0.role != window.role }) { role = window.role }
  }

  /// Whether a word is one that a setting takes and a terminal can show.
  fileprivate static func isUsable(_ word: String) -> Bool {
    (1...255).contains(word.utf8.count)
      && word.unicodeScalars.allSatisfy(\.isPrintedUnchanged)
  }
}

extension WindowProperties {
  /// Whether it has a role that identifies its kind. A role with a number or a time identifies a single window.
  fileprivate var hasLastingRole: Bool {
    PaneSettings.isUsable(role) && !role.contains(where: \.isNumber)
  }
}

extension WindowType {
  /// Whether windows of this type belong to another one of the same program and are shown for a moment.
  fileprivate var isPopup: Bool {
    switch self {
    case .menu, .dropdownMenu, .popupMenu, .tooltip, .combo, .dnd, .splash: true
    case .desktop, .dock, .toolbar, .utility, .dialog, .notification, .normal: false
    }
  }
}
