import ArgumentParser
import TestSupport

/// The kind of display server that panes are shown on.
enum DemoServer: String, CaseIterable, ExpressibleByArgument {
  /// On the running desktop, the one that the daemon chooses; in memory, X11.
  case auto
  case x11
  case wayland

  /// The environment of programs on the running desktop; nil if there is no desktop of this kind.
  func desktopEnvironment() throws -> [String: String]? {
    var environment = try ownEnvironment().filter { !$0.value.isEmpty }
    if self == .x11 { environment["WAYLAND_DISPLAY"] = nil }
    if self == .wayland { environment["DISPLAY"] = nil }
    let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    return hasDisplay ? environment : nil
  }

  func makeScene() throws -> any DemoScene {
    if self == .wayland { try SwayScene() } else { try XvfbScene() }
  }
}

/// The environment of this process.
func ownEnvironment() throws -> [String: String] {
  var environment: [String: String] = [:]
  for entry in try readBytes("/proc/self/environ").split(separator: 0) {
    let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1)
    guard parts.count == 2 else { continue }
    environment[String(decoding: parts[0], as: UTF8.self)] = String(
      decoding: parts[1], as: UTF8.self)
  }
  return environment
}
