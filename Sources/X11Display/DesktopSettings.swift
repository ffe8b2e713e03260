import CXCB
import Panes

/// The settings that a desktop publishes on a window that owns the selection `_XSETTINGS_Sn` (XSETTINGS specification,
/// version 0.5).
struct DesktopSettings {
  private let atoms: Atoms
  /// The window; 0 if there is none.
  private var window: UInt32 = 0
  private(set) var isAsking = false
  /// The scheme of the theme; nil if its name does not say one.
  private(set) var colorScheme: ColorScheme?
  /// The scale of windows; nil if there is none.
  private(set) var scale: Double?

  /// Waits for the server.
  init(_ x: inout XConnection, _ atoms: Atoms) {
    self.atoms = atoms
    x.selectSelectionEvents(atoms.settingsOwner)
    setOwner(x.selectionOwner(atoms.settingsOwner), &x)
  }

  /// Handles a new owner of the selection; 0 means none.
  mutating func setOwner(_ owner: UInt32, _ x: inout XConnection) {
    window = owner
    if owner == 0 {
      (isAsking, colorScheme, scale) = (false, nil, nil)
    } else {
      x.selectEvents(owner, XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
      request(&x)
    }
  }

  /// Handles a change of a property of a window.
  mutating func propertyChanged(_ x: inout XConnection, _ atom: UInt32, of window: UInt32) {
    if window == self.window, atom == atoms.settings { request(&x) }
  }

  private mutating func request(_ x: inout XConnection) {
    isAsking = true
    x.requestProperty(atoms.settings, of: window, upTo: 1 << 16)
  }

  /// Applies the value of the property of a window; nil if that has none or does not exist.
  mutating func apply(_ value: PropertyValue?, of window: UInt32) {
    if window != self.window { return }
    isAsking = false
    let settings = value?.bytes ?? []
    colorScheme = scheme(inSettings: settings)
    scale = windowScale(inSettings: settings)
  }
}

/// The scheme that the name of the theme in a property `_XSETTINGS_SETTINGS` says: that of Adwaita-dark is dark. Nil if
/// the name says none, as those of most light themes and of some dark ones, or if the property cannot be read.
func scheme(inSettings bytes: [UInt8]) -> ColorScheme? {
  var reader = SettingsReader(bytes)
  guard let name = reader.text(of: "Net/ThemeName") else { return nil }
  let words = name.lowercased().split { !$0.isLetter }
  if words.contains("dark") { return .dark }
  return words.contains("light") ? .light : nil
}

/// The scale of windows in a property `_XSETTINGS_SETTINGS`, which XFCE, GNOME and others set; nil if there is none, or if
/// it is outside 1 to 8.
func windowScale(inSettings bytes: [UInt8]) -> Double? {
  var reader = SettingsReader(bytes)
  guard let number = reader.number(of: "Gdk/WindowScalingFactor"), (1...8).contains(number) else {
    return nil
  }
  return Double(number)
}

/// Reads the property `_XSETTINGS_SETTINGS`.
private struct SettingsReader {
  private let isLittleEndian: Bool
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    // The first byte is the order of the others; the second word is a serial number.
    isLittleEndian = bytes.first == 0
    rest = bytes.dropFirst(8)
  }

  private enum Value {
    case number(Int)
    case text(String)
    case color
  }

  /// The text of a setting; nil if there is none, or if the bytes are not in the format.
  mutating func text(of name: String) -> String? {
    if case .text(let text) = value(of: name) { text } else { nil }
  }

  /// The number of a setting; nil if there is none, or if the bytes are not in the format.
  mutating func number(of name: String) -> Int? {
    if case .number(let number) = value(of: name) { number } else { nil }
  }

  private mutating func value(of wanted: String) -> Value? {
    guard let count = number(4) else { return nil }
    for _ in 0..<count {
      guard let type = number(1), number(1) != nil, let length = number(2),
        let name = take(length, padded: true), number(4) != nil, let value = nextValue(type)
      else { return nil }
      if name.elementsEqual(wanted.utf8) { return value }
    }
    return nil
  }

  private mutating func nextValue(_ type: Int) -> Value? {
    switch type {
    case 0: return number(4).map { .number($0) }
    case 1:
      guard let length = number(4), let text = take(length, padded: true) else { return nil }
      return .text(String(decoding: text, as: UTF8.self))
    case 2: return take(8).map { _ in .color }
    default: return nil
    }
  }

  private mutating func number(_ byteCount: Int) -> Int? {
    guard let bytes = take(byteCount) else { return nil }
    let digits = isLittleEndian ? Array(bytes.reversed()) : Array(bytes)
    return digits.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The next bytes; nil if there are fewer. Padding to a multiple of 4 may be missing at the end.
  private mutating func take(_ count: Int, padded: Bool = false) -> ArraySlice<UInt8>? {
    if count > rest.count { return nil }
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(padded ? (count + 3) / 4 * 4 : count)
    return bytes
  }
}
