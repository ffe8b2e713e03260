import Glibc
package import Raster

/// A compositor for one test, without a GPU and without a real screen: with the pixman renderer and outputs in memory. It ends
/// with its owner, and leaves no file.
package final class WaylandServer: DisplayServer {
  /// Which program it is.
  package enum Kind: String, Sendable {
    case sway, phoc
    /// Without layer surfaces and captures.
    case weston
    /// Without layer surfaces.
    case cage
  }

  package let kind: Kind
  /// The name of the socket in `runtimeDirectory`, the value of `WAYLAND_DISPLAY`.
  package let display: String
  package private(set) var process: Child
  private let directory: TemporaryDirectory
  private let command: [String]
  private let outputCount: Int
  /// What draws the wallpaper, if the compositor does not.
  private var painter: Child?
  private var count = 0

  /// Outputs of the size of `wallpaper`, side by side, which show it. Only sway has several.
  package init(
    _ kind: Kind = .sway, wallpaper: Bitmap, outputCount: Int = 1
  ) throws(TestFailure) {
    self.kind = kind
    self.outputCount = outputCount
    display = kind == .sway || kind == .weston ? "wayland-1" : "wayland-0"
    directory = try TemporaryDirectory()
    let path = directory.path
    try writePNG(straight: wallpaper, to: path + "/wallpaper.png")
    try writeText(
      kind.configuration(directory: path, wallpaper.width, wallpaper.height, outputCount),
      to: path + "/config")
    // They refuse to run as root.
    let isRoot = getuid() == 0
    if isRoot {
      for name in ["", "/config", "/wallpaper.png"] {
        unsafe chown(path + name, Self.otherUser, Self.otherUser)
      }
    }
    let user = "--reuid=\(Self.otherUser) --regid=\(Self.otherUser) --clear-groups"
    let prefix = isRoot ? ["setpriv"] + user.split(separator: " ").map(String.init) : []
    command = prefix + kind.command(directory: path, wallpaper.width, wallpaper.height)
    process = try Self.start(command, in: path, outputCount: outputCount)
    try waitUntilReady()
  }

  private static func start(
    _ command: [String], in path: String, outputCount: Int
  ) throws(TestFailure) -> Child {
    try Child(
      command[0], Array(command.dropFirst()),
      environment: baseEnvironment().merging(
        [
          "XDG_RUNTIME_DIR": path, "HOME": path, "WLR_BACKENDS": "headless",
          "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
          "WLR_HEADLESS_OUTPUTS": "\(outputCount)",
        ], uniquingKeysWith: { $1 }))
  }

  /// Ends the compositor and waits for it. Every connection to it breaks.
  package func stop() throws(TestFailure) { try process.stop() }

  /// Starts the compositor again on the same display, after `stop` or its death. Returns when it accepts connections.
  package func startAgain() throws(TestFailure) {
    for name in ["", ".lock"] { unsafe unlink(socket + name) }
    for name in namesInDirectory(directory.path) where name.hasPrefix("sway-ipc.") {
      unsafe unlink("\(directory.path)/\(name)")
    }
    process = try Self.start(command, in: directory.path, outputCount: outputCount)
    try waitForSocket()
  }

  deinit { _ = try? process.stop() }

  /// The user and the group of Debian that own nothing.
  private static let otherUser: uid_t = 65534

  private func waitForSocket() throws(TestFailure) {
    let deadline = ContinuousClock.now + .seconds(20)
    while !isListening(at: socket) {
      guard process.wait(for: .milliseconds(1)) == nil, ContinuousClock.now < deadline else {
        throw TestFailure("\(process.name) has no socket; its log:\n\(process.err)")
      }
    }
  }

  /// Waits until the socket is there and the wallpaper is shown.
  private func waitUntilReady() throws(TestFailure) {
    try waitForSocket()
    let deadline = ContinuousClock.now + .seconds(20)
    let path = directory.path
    if kind == .weston || kind == .cage { return }
    if kind == .phoc {
      painter = try start("swaybg", ["-i", path + "/wallpaper.png", "-m", "stretch"])
    }
    let picture = try readPNG(path + "/wallpaper.png")
    let wide = (0..<outputCount).reduce(into: Bitmap(width: 0, height: picture.height)) { wide, _ in
      wide = wide.besides(picture)
    }
    let wallpaper = outputCount == 1 ? picture : wide
    while try screenshot().difference(from: wallpaper) != nil {
      guard ContinuousClock.now < deadline else {
        throw TestFailure("\(process.name) shows no wallpaper; its log:\n\(process.err)")
      }
    }
  }

  package var runtimeDirectory: String { directory.path }

  /// The path of the socket.
  package var socket: String { "\(directory.path)/\(display)" }

  package var controlSocket: String { "\(directory.path)/backdropd@\(display).sock" }

  package var environment: [String: String] {
    // The lock of the session that runs the tests must not matter.
    let noBus = "unix:path=\(directory.path)/no-bus"
    return baseEnvironment().merging(
      [
        "WAYLAND_DISPLAY": display, "XDG_RUNTIME_DIR": directory.path,
        "DBUS_SYSTEM_BUS_ADDRESS": noBus,
      ], uniquingKeysWith: { $1 })
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
    try tellSway(["output", "HEADLESS-1"] + command)
  }

  /// Performs any command of sway.
  package func tellSway(_ command: [String]) throws(TestFailure) {
    let outcome = try Child.run("swaymsg", command, environment: swayEnvironment)
    guard outcome.status == .exited(0) else {
      throw TestFailure("swaymsg \(command): \(outcome.err)\(outcome.out)")
    }
  }

  /// The environment of programs that talk to sway.
  package var swayEnvironment: [String: String] {
    let name = namesInDirectory(directory.path).first { $0.hasPrefix("sway-ipc.") }
    let socket = ["SWAYSOCK": "\(directory.path)/\(name ?? "none")"]
    return environment.merging(socket, uniquingKeysWith: { $1 })
  }

  /// What all outputs show, or one of them, by grim.
  package func screenshot(of output: String? = nil) throws(TestFailure) -> Bitmap {
    let path = directory.path + "/screenshot.png"
    let selection = output.map { ["-o", $0] } ?? []
    let outcome = try Child.run("grim", selection + [path], environment: environment)
    guard outcome.status == .exited(0) else { throw TestFailure("grim: \(outcome.err)") }
    return try readPNG(path)
  }
}

extension WaylandServer.Kind {
  fileprivate func command(directory: String, _ width: Int, _ height: Int) -> [String] {
    switch self {
    case .sway: ["sway", "--config", directory + "/config"]
    case .phoc: ["phoc", "-C", directory + "/config"]
    case .weston:
      [
        "weston", "--backend=headless-backend.so", "--socket=wayland-1", "--width=\(width)",
        "--height=\(height)",
      ]
    case .cage: ["cage", "--", "sleep", "600"]
    }
  }

  fileprivate func configuration(
    directory: String, _ width: Int, _ height: Int, _ outputCount: Int
  ) -> String {
    switch self {
    case .sway:
      "xwayland disable\n"
        + (0..<outputCount).map {
          "output HEADLESS-\($0 + 1) resolution \(width)x\(height) position \($0 * width) 0 "
            + "bg \(directory)/wallpaper.png stretch\n"
        }.joined()
    case .phoc: "[core]\nxwayland=false\n[output:HEADLESS-1]\nmode=\(width)x\(height)\n"
    case .weston, .cage: ""
    }
  }
}

extension Bitmap {
  /// A picture with another one of the same height on its right.
  package func besides(_ right: Bitmap) -> Bitmap {
    var both = Bitmap(width: width + right.width, height: height)
    for y in 0..<height {
      for x in 0..<width { both[x, y] = self[x, y] }
      for x in 0..<right.width { both[width + x, y] = right[x, y] }
    }
    return both
  }
}
