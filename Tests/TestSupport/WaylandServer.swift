import Glibc
package import Raster

/// A compositor for one test, without a GPU and without a real screen: sway with the pixman renderer and one output in
/// memory. It ends with its owner, and leaves no file.
package final class WaylandServer {
  /// The name of the socket in `runtimeDirectory`, the value of `WAYLAND_DISPLAY`.
  package let display = "wayland-1"
  package let process: Child
  private let directory: TemporaryDirectory
  private var count = 0

  /// An output of the size of `wallpaper`, which it shows.
  package init(wallpaper: Bitmap) throws(TestFailure) {
    directory = try TemporaryDirectory()
    let path = directory.path
    try writePNG(straight: wallpaper, to: path + "/wallpaper.png")
    let size = "\(wallpaper.width)x\(wallpaper.height)"
    try writeText(
      """
      xwayland disable
      output HEADLESS-1 resolution \(size) position 0 0 bg \(path)/wallpaper.png stretch

      """, to: path + "/config")
    // It refuses to run as root.
    let isRoot = getuid() == 0
    if isRoot {
      for name in ["", "/config", "/wallpaper.png"] {
        unsafe chown(path + name, Self.otherUser, Self.otherUser)
      }
    }
    let user = "--reuid=\(Self.otherUser) --regid=\(Self.otherUser) --clear-groups"
    let prefix = isRoot ? ["setpriv"] + user.split(separator: " ").map(String.init) : []
    let command = prefix + ["sway", "--config", path + "/config"]
    process = try Child(
      command[0], Array(command.dropFirst()),
      environment: baseEnvironment().merging(
        [
          "XDG_RUNTIME_DIR": path, "HOME": path, "WLR_BACKENDS": "headless",
          "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
        ], uniquingKeysWith: { $1 }))
    try waitUntilReady()
  }

  deinit { _ = try? process.stop() }

  /// The user and the group of Debian that own nothing.
  private static let otherUser: uid_t = 65534

  /// Waits until the socket is there and the wallpaper is shown.
  private func waitUntilReady() throws(TestFailure) {
    let deadline = ContinuousClock.now + .seconds(20)
    let path = directory.path
    while !isListening(at: "\(path)/\(display)") {
      guard process.wait(for: .milliseconds(1)) == nil, ContinuousClock.now < deadline else {
        throw TestFailure("\(process.name) has no socket; its log:\n\(process.err)")
      }
    }
    let wallpaper = try readPNG(path + "/wallpaper.png")
    while try screenshot().difference(from: wallpaper) != nil {
      guard ContinuousClock.now < deadline else {
        throw TestFailure("\(process.name) shows no wallpaper; its log:\n\(process.err)")
      }
    }
  }

  /// The directory for the sockets of programs on this display. No other compositor uses it.
  package var runtimeDirectory: String { directory.path }

  /// The path of the socket.
  package var socket: String { "\(directory.path)/\(display)" }

  /// The environment of programs on this compositor: nothing of the session that runs the tests.
  package var environment: [String: String] {
    baseEnvironment().merging(
      ["WAYLAND_DISPLAY": display, "XDG_RUNTIME_DIR": directory.path], uniquingKeysWith: { $1 })
  }

  /// Shows another wallpaper of the same size. Returns when it is on the screen outside of `panes`.
  package func setWallpaper(_ picture: Bitmap, outside panes: [Rect] = []) throws(TestFailure) {
    try changeWallpaper(picture)
    let deadline = ContinuousClock.now + .seconds(20)
    let visible = Region(picture.bounds).subtracting(Region(panes)).rects
    func isShown(_ screen: Bitmap) -> Bool {
      visible.allSatisfy { screen.cropped(to: $0).difference(from: picture.cropped(to: $0)) == nil }
    }
    while !isShown(try screenshot()) {
      guard ContinuousClock.now < deadline else { throw TestFailure("no new wallpaper") }
    }
  }

  /// Shows another wallpaper some time later, stretched to the size of the output.
  package func changeWallpaper(_ picture: Bitmap) throws(TestFailure) {
    count += 1
    let path = "\(directory.path)/wallpaper-\(count).png"
    try writePNG(straight: picture, to: path)
    try setOutput("bg", path, "stretch")
  }

  /// Performs a command of sway for the output, such as "dpms", "off".
  package func setOutput(_ command: String...) throws(TestFailure) { try setOutput(command) }

  /// The same with the words of the command in a list.
  package func setOutput(_ command: [String]) throws(TestFailure) {
    let outcome = try Child.run(
      "swaymsg", ["output", "HEADLESS-1"] + command,
      environment: environment.merging(["SWAYSOCK": controlSocket], uniquingKeysWith: { $1 }))
    guard outcome.status == .exited(0) else { throw TestFailure("swaymsg: \(outcome.err)") }
  }

  private var controlSocket: String {
    let name = namesInDirectory(directory.path).first { $0.hasPrefix("sway-ipc.") }
    return "\(directory.path)/\(name ?? "none")"
  }

  /// What the output shows, by grim.
  package func screenshot() throws(TestFailure) -> Bitmap {
    let path = directory.path + "/screenshot.png"
    let outcome = try Child.run("grim", [path], environment: environment)
    guard outcome.status == .exited(0) else { throw TestFailure("grim: \(outcome.err)") }
    return try readPNG(path)
  }
}
