package import Frost

/// The settings of a daemon as a whole that a user declared. One that is nil has its default value.
/// `DaemonSetting.all` describes each of them.
package struct DaemonSettings: Equatable, Sendable {
  /// The frame rate.
  package var framesPerSecond: Double?
  /// The largest number of threads for a large frame.
  package var threads: Int?
  /// The largest share of a processor; and while the machine runs on its battery.
  package var budget, batteryBudget: ProcessorBudget?
  /// The limits of the cache of backdrops.
  package var cacheByteCount, cacheTileCount: Int?
  /// The length of the cross-fade of panes after a change of their output.
  package var rotationFade: Fade?
  /// The scales of outputs, where they are not those of the desktop.
  package var outputScales: OutputScales?
  /// The absolute path of the picture that the compositor's wallpaper program shows.
  package var wallpaper: String?
  /// How that program places it.
  package var wallpaperMode: WallpaperMode?
  /// The colour that it shows around it, or alone.
  package var wallpaperColor: Color?

  /// No declared settings.
  package init() {}

  /// The defaults; nil for the threads, the budget on battery and scales, whose defaults depend on other values.
  package static let standard = DaemonSetting.all.reduce(into: DaemonSettings()) {
    settings, setting in
    try? setting.read(setting.standard, &settings)
  }

  /// The settings, or those of `other` where these have none.
  package func filled(from other: DaemonSettings) -> DaemonSettings {
    var result = other
    for setting in DaemonSetting.all { setting.copy(self, &result) }
    return result
  }
}

/// A setting of a daemon: its name in the configuration and on the command line, its help, and the conversion of its value
/// from and to text.
package struct DaemonSetting: Sendable {
  /// The key in the configuration and the long option of the command line.
  package let name: String
  /// The name of the value in help.
  package let valueName: String
  /// One or more sentences for the help.
  package let help: String
  /// The value of a daemon without this setting, as users write it.
  package let standard: String
  /// Sets the value from a text. Throws `unreadable` or `outOfRange`.
  package let read: @Sendable (String, inout DaemonSettings) throws(PaneError) -> Void
  /// The declared value as text; nil if there is none.
  package let write: @Sendable (DaemonSettings) -> String?
  /// Copies the value from the first to the second settings, if the first declare one.
  let copy: @Sendable (DaemonSettings, inout DaemonSettings) -> Void

  private init<Value>(
    _ name: String, _ path: any WritableKeyPath<DaemonSettings, Value?> & Sendable,
    _ valueName: String, _ help: String, standard: String,
    read: @escaping @Sendable (String) throws(PaneError) -> Value,
    write: @escaping @Sendable (Value) -> String
  ) {
    (self.name, self.valueName, self.help) = (name, valueName, help)
    self.standard = standard
    self.read = { text, settings throws(PaneError) in settings[keyPath: path] = try read(text) }
    self.write = { $0[keyPath: path].map(write) }
    copy = { from, to in if let value = from[keyPath: path] { to[keyPath: path] = value } }
  }

  /// All settings of a daemon, in the order of help.
  package static let all = [
    rate, threads, budget, batteryBudget, cacheBytes, cacheCount, rotationFade, outputs,
    wallpaper, wallpaperMode, wallpaperColor,
  ]

  /// The frame rate.
  package static let rate = DaemonSetting(
    "rate", \.framesPerSecond, "frames", "The frame rate, in frames per second, 1 to 1000.",
    standard: "60",
    read: { text throws(PaneError) in
      guard let number = Double(text) else {
        throw .unreadable(setting: "rate", text: text, expected: "a number")
      }
      guard (1...1000).contains(number) else {
        throw .outOfRange(setting: "rate", text: text, expected: "1 to 1000 frames per second")
      }
      return number
    }, write: { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" })

  /// The number of threads.
  package static let threads = DaemonSetting(
    "threads", \.threads, "count",
    "The largest number of threads for a frame of more than 2 megapixels, or 1 on Wayland, 1 to 16; smaller frames use "
      + "one.",
    standard: "the number of processors, at most 4",
    read: { text throws(PaneError) in try count(text, of: "threads", in: 1...16) },
    write: { "\($0)" })

  /// The share of a processor.
  package static let budget = DaemonSetting(
    "cpu-budget", \.budget, "share",
    "The largest share of one processor, such as 20%, or none. If the panes cost more, their frame rate falls, to 1 frame per "
      + "second at the lowest.",
    standard: "none",
    read: { text throws(PaneError) in try ProcessorBudget(parsing: text, setting: "cpu-budget") },
    write: \.text)

  /// The same on battery.
  package static let batteryBudget = DaemonSetting(
    "cpu-budget-on-battery", \.batteryBudget, "share",
    "The same while the machine runs on its battery.", standard: "that of cpu-budget",
    read: { text throws(PaneError) in
      try ProcessorBudget(parsing: text, setting: "cpu-budget-on-battery")
    }, write: \.text)

  /// The memory of the cache.
  package static let cacheBytes = DaemonSetting(
    "cache-bytes", \.cacheByteCount, "size",
    "The largest memory of the cache of backdrops: bytes, or a number with K, M or G.",
    standard: "16M",
    read: { text throws(PaneError) in
      guard let count = byteCount(text) else {
        throw .unreadable(
          setting: "cache-bytes", text: text,
          expected: "a number of bytes up to 1T, or a number with K, M or G, such as 16M")
      }
      return count
    },
    write: { count in
      let units = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]
      let unit = units.first { count > 0 && count % $0.1 == 0 }
      return unit.map { "\(count / $0.1)\($0.0)" } ?? "\(count)"
    })

  /// The number of tiles of the cache.
  package static let cacheCount = DaemonSetting(
    "cache-count", \.cacheTileCount, "count",
    "The largest number of tiles of 4 KiB in the cache, 0 to 16777216.", standard: "4096",
    read: { text throws(PaneError) in try count(text, of: "cache-count", in: 0...1 << 24) },
    write: { "\($0)" })

  /// The fade after a change of an output.
  package static let rotationFade = DaemonSetting(
    "rotation-fade", \.rotationFade, "MS",
    "The length of the cross-fade of panes when their output rotates or gets another size or place, in milliseconds, 0 to "
      + "10000; 0 means none.",
    standard: "350",
    read: { text throws(PaneError) in try Fade(parsing: text, of: "rotation-fade") },
    write: { fade in
      let time = fade.milliseconds
      return time == time.rounded() ? "\(Int(time))" : "\(time)"
    })

  /// The scales of outputs. In the configuration it is a list of groups.
  package static let outputs = DaemonSetting(
    "outputs", \.outputScales, "scales",
    "X11: outputs with their scales, such as eDP-1=2,HDMI-1=1.",
    standard: "the scale of the desktop",
    read: { text throws(PaneError) in try OutputScales(parsing: text) }, write: \.text)

  /// The picture of the wallpaper. Its path is made absolute before it is read.
  package static let wallpaper = DaemonSetting(
    "wallpaper", \.wallpaper, "file",
    "Wayland: the picture that the wallpaper program shows, a PNG file, for panes that see the wallpaper. X servers tell it.",
    standard: "what the screen shows where no window is",
    read: { text throws(PaneError) in
      guard text.utf8.first == UInt8(ascii: "/"), !text.utf8.contains(0) else {
        throw .unreadable(setting: "wallpaper", text: text, expected: "the path of a PNG file")
      }
      return text
    }, write: { $0 })

  /// How the picture is placed.
  package static let wallpaperMode = DaemonSetting(
    "wallpaper-mode", \.wallpaperMode, "mode",
    "Wayland: how the wallpaper program places it: \(modes(", ")).", standard: "fill",
    read: { text throws(PaneError) in
      guard let mode = WallpaperMode(rawValue: text) else {
        throw .unreadable(setting: "wallpaper-mode", text: text, expected: modes(" or "))
      }
      return mode
    }, write: \.rawValue)

  /// The colour around the picture.
  package static let wallpaperColor = DaemonSetting(
    "wallpaper-color", \.wallpaperColor, "color",
    "Wayland: the colour around the picture of the wallpaper; without a picture, the colour of the wallpaper.",
    standard: "none; black around a picture",
    read: { text throws(PaneError) in
      let color = try Color(parsing: text, as: "wallpaper-color")
      guard color.alpha == 1 else {
        throw .unreadable(setting: "wallpaper-color", text: text, expected: "#RRGGBB")
      }
      return color
    }, write: { String($0.text.prefix(7)) })

  private static func modes(_ last: String) -> String {
    let names = WallpaperMode.allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + last + (names.last ?? "")
  }
}

private func count(
  _ text: String, of name: String, in range: ClosedRange<Int>
) throws(PaneError) -> Int {
  guard let number = Int(text) else {
    throw .unreadable(setting: name, text: text, expected: "a whole number")
  }
  guard range.contains(number) else {
    throw .outOfRange(
      setting: name, text: text, expected: "\(range.lowerBound) to \(range.upperBound)")
  }
  return number
}

/// A number of bytes: `4096`, or with a unit of 1024 bytes and its powers: `64K`, `16M`, `1G`. Nil if the text is not in this
/// form, or if the number is larger than 1 TiB.
private func byteCount(_ text: String) -> Int? {
  let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
  let unit = text.last.flatMap { units[$0] }
  let digits = unit == nil ? text[...] : text.dropLast()
  guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
    let number = Int(digits), number <= 1 << 40 / (unit ?? 1)
  else { return nil }
  return number * (unit ?? 1)
}
