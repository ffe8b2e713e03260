import Glibc

/// A pane of the demo, as a user would add it.
struct DemoPane {
  let name: String
  private let geometry: String
  private let options: [String]

  var arguments: [String] { ["add", name, "--geometry", geometry] + options }

  /// A clock, a notification and a dock in the corners of any desktop.
  static let onDesktop = [clock, notification, dock("+90-60")]
  /// The same on the screen in memory, with the dock in the middle.
  static let aboveWindows = [clock, notification, dock("+650-40")]
  /// The panes beside a program that has glass behind it.
  static let besidePrograms = [clock, notification]

  private static let clock = DemoPane(
    name: "demo-clock", geometry: "460x230+90+90",
    options: [
      "--scheme", "light", "--label", now("%H:%M"), "--font", "Sans Bold 88", "--at", "center,18",
      "--label", now("%A, %e %B"), "--font", "Sans 20", "--vibrancy", "secondary",
      "--at", "center,-28",
    ])

  private static let notification = DemoPane(
    name: "demo-note", geometry: "440x128-60+60",
    options: [
      "--scheme", "dark", "--label", "🍵", "--font", "Sans 40", "--at", "22,center",
      "--label", "Tea is ready", "--font", "Sans Bold 17", "--at", "110,22",
      "--label", "It has drawn for five minutes. Take the leaves out now.", "--font", "Sans 13",
      "--vibrancy", "secondary", "--at", "110,56",
    ])

  private static func dock(_ place: String) -> DemoPane {
    DemoPane(
      name: "demo-dock", geometry: "620x104" + place,
      options: [
        "--scheme", "light", "--corner", "continuous:32", "--label", "🌍 📁 📝 🎨 🎵 📷",
        "--font", "Sans 40",
      ])
  }

  /// The time in a format of strftime(3).
  private static func now(_ format: String) -> String {
    var seconds = time(nil)
    var parts = unsafe tm()
    unsafe localtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 100)
    let count = unsafe strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
