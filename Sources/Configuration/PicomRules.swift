import Linux

/// What picom does with windows by its own settings, which leave no trace on them.
package struct PicomRules: Equatable, Sendable {
  /// The names of the settings that make windows translucent, such as `opacity-rule`.
  package private(set) var translucency: [String] = []
  /// The radius of the corners that it gives to windows, in pixels.
  package private(set) var cornerRadius = 0

  /// The rules of a process of picom: those of its options and of its file. What cannot be read counts as absent.
  package init(ofProcess process: Int, environment: (String) -> String?) {
    let words = textOfKernelFile("/proc/\(process)/cmdline").split(separator: "\0")
    let options = words.dropFirst().map(String.init)
    var file: [UInt8]?
    for path in Self.files(options, of: process, environment) where file == nil {
      file = try? readRegularFile(path, upTo: 1 << 20)
    }
    self.init(options: options, file: file)
  }

  /// The rules of options and of the text of a file. Options come first.
  package init(options: [String], file: [UInt8]?) {
    let source = file.flatMap { try? ConfigurationSource($0, path: "picom.conf", home: nil) }
    if let settings = source.flatMap({ try? parseConfiguration($0) })?.members {
      for (name, value) in settings { apply(name, value) }
    }
    var options = options[...]
    while let option = options.popFirst() {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = Self.optionNames[parts.first ?? ""] else { continue }
      apply(name, text: parts.count > 1 ? parts[1] : options.popFirst() ?? "")
    }
  }

  /// The settings of options.
  private static let optionNames = [
    "-i": "inactive-opacity", "--inactive-opacity": "inactive-opacity",
    "--active-opacity": "active-opacity", "--opacity-rule": "opacity-rule",
    "--corner-radius": "corner-radius",
  ]

  private mutating func apply(_ name: String, _ value: ConfigurationValue) {
    switch name {
    case "opacity-rule": setTranslucent(name, value.elements?.isEmpty == false)
    case "rules":
      setTranslucent(name, value.elements?.contains { $0.isTranslucent } == true)
    case "wintypes":
      setTranslucent(name, value.members?.contains { $0.value.isTranslucent } == true)
    default: if let text = value.text { apply(name, text: text) }
    }
  }

  private mutating func apply(_ name: String, text: String) {
    switch name {
    case "inactive-opacity", "active-opacity":
      if let opacity = Double(text) { setTranslucent(name, opacity < 1) }
    case "opacity-rule": setTranslucent(name, !text.isEmpty)
    case "corner-radius": if let radius = Int(text) { cornerRadius = max(0, radius) }
    default: break
    }
  }

  private mutating func setTranslucent(_ name: String, _ isOn: Bool) {
    translucency.removeAll { $0 == name }
    if isOn { translucency.append(name) }
  }

  // MARK: File

  /// The files that picom may have read: the named one, or the first of these that exists (picom(1)).
  private static func files(
    _ options: [String], of process: Int, _ environment: (String) -> String?
  ) -> [String] {
    for (index, option) in options.enumerated() {
      let path =
        option == "--config"
        ? options.dropFirst(index + 1).first
        : option.hasPrefix("--config=") ? String(option.dropFirst(9)) : nil
      if let path { return [path.isAbsolutePath ? path : "/proc/\(process)/cwd/\(path)"] }
    }
    let home = environment("HOME") ?? ""
    let own = environment("XDG_CONFIG_HOME") ?? "\(home)/.config"
    let shared = (environment("XDG_CONFIG_DIRS") ?? "/etc/xdg").split(separator: ":").map(
      String.init)
    return ([own] + shared).flatMap { ["\($0)/picom/picom.conf", "\($0)/picom.conf"] }
  }
}

extension ConfigurationValue {
  /// Whether it is a group with an opacity below 1.
  fileprivate var isTranslucent: Bool {
    (member("opacity")?.text).flatMap { Double($0) }.map { $0 < 1 } == true
  }
}
