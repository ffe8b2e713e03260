import Panes
import Pictures

@testable import Commands
@testable import Configuration

/// Reads a configuration and adds a pane to its text, as `config save` does, which must be possible.
func readConfiguration(_ bytes: [UInt8]) {
  let (path, home) = ("/nonexistent/backdropd.conf", "/nonexistent")
  guard let configuration = try? Configuration(parsing: bytes, path: path, home: home) else {
    return
  }
  let old = configuration.panes.map(\.declared.pane)
  var settings = PaneSettings()
  settings.geometry = try? Geometry(parsing: "9x9+0+0")
  guard let new = try? Pane("new", settings) else { preconditionFailure("no pane to add") }
  if old.contains(where: { $0.name == "new" }) { return }
  do {
    _ = try configuration.text(bytes, path: path, home: home, from: old, to: old + [new])
  } catch .unexpected(let text) {
    preconditionFailure(text)
  } catch {}
}

/// Reads the name of a setting and, after a space, its value. What is read must be written as a text that is read as the same value.
func readSetting(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 32, maxSplits: 1)
  guard parts.count == 2,
    let setting = try? Setting.named(String(decoding: parts[0], as: UTF8.self))
  else { return }
  let text = String(decoding: parts[1], as: UTF8.self)
  let value: SettingValue =
    switch setting.kind {
    case .number: .number(Double(text) ?? 0)
    case .flag: .flag(text == "true")
    case .texts: .texts(text.split(separator: ",").map(String.init))
    case .text, .contents: .text(text)
    }
  var settings = PaneSettings()
  guard (try? setting.read(value, &settings)) != nil, let written = setting.write(settings) else {
    return
  }
  var again = PaneSettings()
  let isRead = (try? setting.read(written, &again)) != nil
  precondition(
    isRead && setting.write(again) == written, "\(setting.name) does not survive its text")
}

/// Searches for an expression, the first line, in the rest.
func searchPattern(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
  guard let first = parts.first else { return }
  let text = String(decoding: first, as: UTF8.self)
  guard let pattern = try? TextPattern(parsing: text, setting: "title") else { return }
  _ = pattern.search(String(decoding: parts.dropFirst().first ?? [], as: UTF8.self))
}

/// Draws a label: the scale, the font in a line, and its text.
func drawLabel(_ bytes: [UInt8]) {
  guard let scale = bytes.first else { return }
  let parts = bytes.dropFirst().split(
    separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2,
    let font = try? Font(parsing: String(decoding: parts[0], as: UTF8.self)),
    let label = try? Label(String(decoding: parts[1], as: UTF8.self), font)
  else { return }
  _ = try? label.drawn(
    scale: 1 + Double(scale % 4) / 2, in: (1 + Int(scale), 40), separatesEmoji: scale & 1 == 0)
}

func decodePNG(_ bytes: [UInt8]) {
  withFile(bytes) { _ = try? DecodedPNG(PNGFile(path: $0), pixelLimit: 1 << 20) }
}
