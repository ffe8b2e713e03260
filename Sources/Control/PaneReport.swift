package import Panes

/// The current state of a pane. In JSON the settings are keys of the same object.
package struct PaneReport: Equatable, Sendable {
  /// The name of the pane.
  package var name: String
  /// Where it is, or would be if it were shown; none if it waits for its output.
  package var places: [PlaceReport]
  /// Whether it is wanted on the screen.
  package var isShown: Bool
  /// The values of its settings by name, including defaults. A pane without a named material has no
  /// `material`.
  package var settings: [String: ReportedValue]
  /// The number of times that it was presented.
  package var frames: Int
  /// The time until it is removed by itself; nil if it stays.
  package var remainingSeconds: Double?

  package init(
    name: String, places: [PlaceReport], isShown: Bool, settings: [String: ReportedValue],
    frames: Int, remainingSeconds: Double? = nil
  ) {
    self.name = name
    self.places = places
    self.isShown = isShown
    self.settings = settings
    self.frames = frames
    self.remainingSeconds = remainingSeconds
  }

  /// The report of `pane` in a scheme, with the values of all settings. `size` is that on its first output.
  package init(
    _ pane: Pane, in scheme: ColorScheme, size: (width: Int, height: Int), places: [PlaceReport],
    frames: Int, remaining: Duration? = nil
  ) {
    var settings: [String: ReportedValue] = [:]
    let shown = ShownPane(pane, in: scheme, size: size)
    for setting in Setting.all {
      settings[setting.name] = setting.effective(shown).map { ReportedValue($0) }
    }
    self.init(
      name: pane.name, places: places, isShown: pane.isShown, settings: settings, frames: frames,
      remainingSeconds: remaining.map { $0 / .seconds(1) })
  }

  /// The part of the pane on its first output, in X geometry syntax; empty if it waits for its output. In JSON it is a key
  /// of its own.
  package var rect: String { places.first?.rect ?? "" }
}

/// A place of a pane.
package struct PlaceReport: Codable, Equatable, Sendable {
  /// The name of the output.
  package var output: String
  /// The whole pane, and its visible part, in X geometry syntax.
  package var frame, rect: String
  /// Whether a drawer is `open`, `closed` or `moving`; nil for other panes.
  package var drawer: String?
  /// True if it waits for wallpaper that windows cover; nil if not.
  package var awaitsWallpaper: Bool?
  /// True if no output shows anything there; nil if one does.
  package var isOffOutputs: Bool?

  package init(
    output: String, frame: String, rect: String, drawer: String? = nil,
    awaitsWallpaper: Bool = false, isOffOutputs: Bool = false
  ) {
    self.awaitsWallpaper = awaitsWallpaper ? true : nil
    self.isOffOutputs = isOffOutputs ? true : nil
    self.output = output
    self.frame = frame
    self.rect = rect
    self.drawer = drawer
  }
}

/// The value of a setting in a report; content has no pixels.
package enum ReportedValue: Equatable, Sendable {
  case number(Double)
  case flag(Bool)
  case text(String)
  case texts([String])
  case contents([ContentReport])

  /// The value without the pixels of content.
  package init(_ value: SettingValue) {
    switch value {
    case .number(let number): self = .number(number)
    case .flag(let flag): self = .flag(flag)
    case .text(let text): self = .text(text)
    case .texts(let texts): self = .texts(texts)
    case .contents(let contents): self = .contents(contents.map { ContentReport($0) })
    }
  }
}

extension PaneReport: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    name = try container.decode(String.self, forKey: AnyKey("name"))
    places = try container.decode([PlaceReport].self, forKey: AnyKey("places"))
    isShown = try container.decode(Bool.self, forKey: AnyKey("isShown"))
    frames = try container.decode(Int.self, forKey: AnyKey("frames"))
    remainingSeconds = try container.decodeIfPresent(
      Double.self, forKey: AnyKey("remainingSeconds"))
    settings = [:]
    for setting in Setting.all {
      let key = AnyKey(setting.name)
      guard container.contains(key) else { continue }
      settings[setting.name] =
        switch setting.kind {
        case .number: .number(try container.decode(Double.self, forKey: key))
        case .flag: .flag(try container.decode(Bool.self, forKey: key))
        case .text: .text(try container.decode(String.self, forKey: key))
        case .texts: .texts(try container.decode([String].self, forKey: key))
        case .contents: .contents(try container.decode([ContentReport].self, forKey: key))
        }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(name, forKey: AnyKey("name"))
    try container.encode(rect, forKey: AnyKey("rect"))
    try container.encode(places, forKey: AnyKey("places"))
    try container.encode(isShown, forKey: AnyKey("isShown"))
    try container.encode(frames, forKey: AnyKey("frames"))
    try container.encodeIfPresent(remainingSeconds, forKey: AnyKey("remainingSeconds"))
    for (name, value) in settings {
      let key = AnyKey(name)
      switch value {
      case .number(let number): try container.encode(number, forKey: key)
      case .flag(let flag): try container.encode(flag, forKey: key)
      case .text(let text): try container.encode(text, forKey: key)
      case .texts(let texts): try container.encode(texts, forKey: key)
      case .contents(let contents): try container.encode(contents, forKey: key)
      }
    }
  }
}
