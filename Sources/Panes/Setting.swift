/// A setting of panes: its name, its help, and the conversion of its value from and to text.
/// `Setting.all` is the only list of settings; the command line, the protocol, the reports and the
/// checks of the documents are derived from it.
package struct Setting: Sendable {
  /// The subject of a setting, for grouping.
  package enum Group: Sendable {
    case place, window, look, decoration, behavior, content
  }

  /// The type of its value in JSON and on the command line.
  package enum Kind: Sendable {
    case number, text
    /// True or false.
    case flag
    /// A list of texts; on the command line the option is repeated, and `none` is the empty list.
    case texts
    /// Images and labels, whose pixels are not text.
    case contents
  }

  /// The key in JSON and the long option of the command line.
  package let name: String
  /// The subject.
  package let group: Group
  /// The type of the value.
  package let kind: Kind
  /// The name of the value in help.
  package let valueName: String
  /// One or more sentences for the help.
  package let help: String

  /// Sets the value from a `SettingValue`. Throws `unreadable` if its kind or its syntax is wrong,
  /// or `outOfRange`.
  package private(set) var read:
    @Sendable (SettingValue, inout PaneSettings) throws(PaneError) -> Void
  /// The declared value; nil if there is none.
  package let write: @Sendable (PaneSettings) -> SettingValue?
  /// The value that applies to a pane: the declared or the default one; nil if there is none.
  package let effective: @Sendable (ShownPane) -> SettingValue?
  /// Throws `outOfRange` if the declared value is out of range.
  let check: @Sendable (PaneSettings) throws(PaneError) -> Void
  /// Removes the declared value, so that the default applies.
  let reset: @Sendable (inout PaneSettings) -> Void
  /// Copies the value from the first to the second settings, if the first declare one.
  let copy: @Sendable (PaneSettings, inout PaneSettings) -> Void

  /// The setting with a name. Throws `unknownSetting`.
  package static func named(_ name: String) throws(PaneError) -> Setting {
    guard let setting = all.first(where: { $0.name == name }) else {
      throw .unknownSetting(name, all: all.map(\.name))
    }
    return setting
  }
}

/// A pane in one of the schemes, with its size on an output.
package struct ShownPane: Sendable {
  let pane: Pane
  let look: PaneLook

  /// `size` is that of the pane on its output, in pixels.
  package init(_ pane: Pane, in scheme: ColorScheme, size: (width: Int, height: Int)) {
    self.pane = pane
    // In the unit of the pane, like the declared values.
    look = pane.look(in: scheme, size: size)
  }
}

/// The value of a setting in the form of JSON and of the command line.
package enum SettingValue: Equatable, Sendable {
  case number(Double)
  case flag(Bool)
  case text(String)
  case texts([String])
  case contents([PaneContent])
}

// MARK: Kinds of settings

extension Setting {
  typealias Path<Value> = any WritableKeyPath<PaneSettings, Value?> & Sendable

  /// The common part of the settings of all kinds.
  private init<Value>(
    _ name: String, _ group: Group, _ kind: Kind, _ path: Path<Value>, _ valueName: String,
    _ help: String,
    read: @escaping @Sendable (SettingValue) throws(PaneError) -> Value,
    write: @escaping @Sendable (Value) -> SettingValue,
    effective: @escaping @Sendable (ShownPane) -> Value?,
    check: @escaping @Sendable (Value) throws(PaneError) -> Void
  ) {
    self.name = name
    self.group = group
    self.kind = kind
    self.valueName = valueName
    self.help = help
    self.read = { value, settings throws(PaneError) in
      let value = try read(value)
      try check(value)
      settings[keyPath: path] = value
    }
    self.write = { $0[keyPath: path].map(write) }
    self.effective = { effective($0).map(write) }
    self.check = { settings throws(PaneError) in
      if let value = settings[keyPath: path] { try check(value) }
    }
    reset = { $0[keyPath: path] = nil }
    copy = { from, to in if let value = from[keyPath: path] { to[keyPath: path] = value } }
  }

  /// A setting whose value is a number in `range`.
  static func number(
    _ name: String, _ group: Group, _ path: Path<Double>, in range: ClosedRange<Double>,
    _ valueName: String, _ help: String, effective: @escaping @Sendable (ShownPane) -> Double?
  ) -> Setting {
    Setting(
      name, group, .number, path, valueName, help,
      read: { value throws(PaneError) in
        guard case .number(let number) = value else {
          throw .unreadable(setting: name, text: "\(value)", expected: "a number")
        }
        return number
      }, write: { .number($0) }, effective: { effective($0) },
      check: { value throws(PaneError) in
        // NaN is in no range.
        guard !range.contains(value) else { return }
        throw .outOfRange(
          setting: name, text: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)")
      })
  }

  /// A setting whose value is true or false.
  static func flag(
    _ name: String, _ group: Group, _ path: Path<Bool>, _ help: String,
    effective: @escaping @Sendable (ShownPane) -> Bool?
  ) -> Setting {
    Setting(
      name, group, .flag, path, "", help,
      read: { value throws(PaneError) in
        guard case .flag(let flag) = value else {
          throw .unreadable(setting: name, text: "\(value)", expected: "true or false")
        }
        return flag
      }, write: { .flag($0) }, effective: { effective($0) }, check: { _ in })
  }

  /// A setting whose value is written as a text.
  static func text<Value>(
    _ name: String, _ group: Group, _ path: Path<Value>, _ valueName: String, _ help: String,
    read: @escaping @Sendable (String) throws(PaneError) -> Value,
    write: @escaping @Sendable (Value) -> String,
    effective: @escaping @Sendable (ShownPane) -> Value?
  ) -> Setting {
    Setting(
      name, group, .text, path, valueName, help,
      read: { value throws(PaneError) in
        guard case .text(let text) = value else {
          throw .unreadable(setting: name, text: "\(value)", expected: "a text")
        }
        return try read(text)
      }, write: { .text(write($0)) }, effective: effective, check: { _ in })
  }

  /// The same setting, which also accepts a word that declares another setting.
  func taking(
    _ word: String, _ declare: @escaping @Sendable (inout PaneSettings) throws(PaneError) -> Void
  ) -> Setting {
    var setting = self
    setting.read = { [read] value, settings throws(PaneError) in
      if value == .text(word) { try declare(&settings) } else { try read(value, &settings) }
    }
    return setting
  }

  /// A setting whose value is a list of at most `limit` texts.
  static func texts<Element>(
    _ name: String, _ group: Group, _ path: Path<[Element]>, _ valueName: String, _ help: String,
    limit: Int, read: @escaping @Sendable (String) throws(PaneError) -> Element,
    write: @escaping @Sendable (Element) -> String,
    effective: @escaping @Sendable (ShownPane) -> [Element]?
  ) -> Setting {
    Setting(
      name, group, .texts, path, valueName, help,
      read: { value throws(PaneError) in
        guard case .texts(let texts) = value else {
          throw .unreadable(setting: name, text: "\(value)", expected: "a list of texts")
        }
        var elements: [Element] = []
        for text in texts { elements.append(try read(text)) }
        return elements
      }, write: { .texts($0.map(write)) }, effective: { effective($0) },
      check: { elements throws(PaneError) in
        guard elements.count > limit else { return }
        throw .outOfRange(
          setting: name, text: "\(elements.count) values", expected: "at most \(limit)")
      })
  }

  /// A setting whose value is a list of images and labels.
  static func contents(_ name: String, _ path: Path<[PaneContent]>, _ help: String) -> Setting {
    Setting(
      name, .content, .contents, path, "FILE.png", help,
      read: { value throws(PaneError) in
        guard case .contents(let contents) = value else {
          throw .unreadable(setting: name, text: "\(value)", expected: "images and labels")
        }
        return contents
      }, write: { .contents($0) }, effective: { $0.pane.contents },
      check: { contents throws(PaneError) in try PaneContent.check(contents) })
  }
}
