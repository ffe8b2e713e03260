/// A reader of bytes that a client, a file, a window or a compositor chooses. None may trap, hang or leak. Some targets check more,
/// for example that a request is read again from its own text.
enum FuzzTarget: String, CaseIterable {
  /// Lines of JSON from a client, performed by an engine.
  case requests
  /// The text of a configuration, and the text that `config save` makes of it.
  case configuration
  /// The file with the panes of the last daemon.
  case saved
  /// A setting of panes as text.
  case settings
  /// A regular expression and a title.
  case patterns
  /// Properties of windows and of the root.
  case properties
  /// The region for which a window asks for blur.
  case blur
  /// Events of outputs, pointers and fingers of a Wayland compositor.
  case wayland
  case png
  /// The text and the font of a label.
  case labels

  nonisolated(unsafe) static var chosen = FuzzTarget.requests

  func run(_ bytes: [UInt8]) {
    switch self {
    case .requests: performRequests(bytes)
    case .configuration: readConfiguration(bytes)
    case .saved: loadPanes(bytes)
    case .settings: readSetting(bytes)
    case .patterns: searchPattern(bytes)
    case .properties: readProperties(bytes)
    case .blur: readBlurRequest(bytes)
    case .wayland: handleWaylandEvents(bytes)
    case .png: decodePNG(bytes)
    case .labels: drawLabel(bytes)
    }
  }
}

/// Values from the bytes of an input; zeros at its end.
struct Bytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }

  mutating func text() -> String {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }
}
