import Glibc
package import Raster

/// A compositor for one test, without a GPU and without a real screen: with the pixman renderer and outputs in memory. It ends
/// with its owner, and leaves no file.
///
/// Only the compositor itself runs in the folder of another distribution; its clients are programs of this machine.
package final class WaylandServer: DisplayServer {
  package let compositor: Compositor
  /// The name of the socket in `runtimeDirectory`, the value of `WAYLAND_DISPLAY`.
  package private(set) var display = ""
  package private(set) var process: Child
  private let directory: TemporaryDirectory
  private let command: [String]
  private let outputCount: Int
  /// The size of each output at the start.
  private let size: (width: Int, height: Int)
  /// swaybg, which draws the wallpaper, and the path of its picture.
  private var painter: Child?
  private var picture: String
  private var count = 0

  /// Outputs of the size of `wallpaper`, side by side, which show it.
  package init(
    _ compositor: Compositor = .sway, wallpaper: Bitmap, outputCount: Int = 1
  ) throws(TestFailure) {
    self.compositor = compositor
    self.outputCount = outputCount
    size = (wallpaper.width, wallpaper.height)
    let root = compositor.root ?? ""
    directory = try TemporaryDirectory(in: root)
    let path = directory.path
    picture = path + "/wallpaper.png"
    try writePNG(straight: wallpaper, to: picture)
    try writeText(compositor.configuration, to: path + "/compositor.conf")
    // Some draw the cursor into the picture of the screen, although there is no pointer. sway 1.7 has this theme only.
    let theme = ["/default", "/default/cursors"]
    for name in theme { unsafe mkdir(path + name, 0o755) }
    for name in ["default", "left_ptr"] {
      try writeBytes(invisibleCursor, to: "\(path)/default/cursors/\(name)")
    }
    // Its folder may belong to another user.
    if getuid() == 0 {
      let cursors = ["default", "left_ptr"].map { theme[1] + "/" + $0 }
      for name in ["", "/compositor.conf"] + theme + cursors {
        unsafe chown(path + name, Compositor.otherUser, Compositor.otherUser)
      }
    }
    command = compositor.command(
      directory: String(path.dropFirst(root.count)), width: size.width, height: size.height)
    process = try Self.start(command, in: String(path.dropFirst(root.count)), outputCount)
    try waitForSocket()
    try showWallpaper()
    try waitForWallpaper()
  }

  private static func start(
    _ command: [String], in path: String, _ outputCount: Int
  ) throws(TestFailure) -> Child {
    try Child(
      command[0], Array(command.dropFirst()),
      environment: baseEnvironment().merging(
        [
          "XDG_RUNTIME_DIR": path, "HOME": path, "WLR_BACKENDS": "headless",
          "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
          "WLR_HEADLESS_OUTPUTS": "\(outputCount)", "XCURSOR_PATH": path,
          "XCURSOR_THEME": "default",
        ], uniquingKeysWith: { $1 }))
  }

  /// Ends the compositor and waits for it. Every connection to it breaks.
  package func stop() throws(TestFailure) { try process.stop() }

  /// Starts the compositor again on the same display, after `stop` or its death. The wallpaper comes some
  /// time later, with panes over it perhaps.
  package func startAgain() throws(TestFailure) {
    removeDisplayFiles(of: process.pid)
    for name in namesInDirectory(directory.path)
    where name.hasPrefix("sway-ipc.") || name.hasPrefix("wayland-") {
      unsafe unlink("\(directory.path)/\(name)")
    }
    let root = compositor.root ?? ""
    process = try Self.start(command, in: String(directory.path.dropFirst(root.count)), outputCount)
    try waitForSocket()
    try showWallpaper()
  }

  deinit {
    _ = try? process.stop()
    removeDisplayFiles(of: process.pid)
  }

  private func waitForSocket() throws(TestFailure) {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let name = namesInDirectory(directory.path).first {
        $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock")
      }
      display = name ?? ""
      if name != nil, isListening(at: socket), takesCommands { return }
      guard process.wait(for: .milliseconds(1)) == nil, ContinuousClock.now < deadline else {
        throw TestFailure("\(compositor) has no socket; its log:\n\(process.err)")
      }
    }
  }

  /// Sets the size and place of all outputs, and waits until the wallpaper is shown.
  private func showWallpaper() throws(TestFailure) {
    if Compositor.refused.contains(compositor) { return }
    for number in 1...outputCount {
      try setOutput(
        [
          "--custom-mode", "\(size.width)x\(size.height)", "--pos",
          "\((number - 1) * size.width),0",
        ],
        number: number)
    }
    try startPainter()
  }

  private func waitForWallpaper() throws(TestFailure) {
    if Compositor.refused.contains(compositor) { return }
    let one = try readPNG(picture)
    let all = (1..<outputCount).reduce(one) { all, _ in all.besides(one) }
    let deadline = ContinuousClock.now + .seconds(20)
    while try screenshot().difference(from: all) != nil {
      guard ContinuousClock.now < deadline else {
        throw TestFailure("\(compositor) shows no wallpaper; its log:\n\(process.err)")
      }
    }
  }

  private func startPainter(_ options: [String] = ["-m", "stretch"]) throws(TestFailure) {
    if let painter { try painter.stop() }
    painter = try start("swaybg", ["-i", picture] + options)
  }

  /// Shows another wallpaper some time later, with options of swaybg. Returns the path of its file.
  package func changeWallpaper(
    _ picture: Bitmap, options: [String]
  ) throws(TestFailure) -> String {
    count += 1
    self.picture = "\(directory.path)/wallpaper-\(count).png"
    try writePNG(straight: picture, to: self.picture)
    try startPainter(options)
    return self.picture
  }

  package var runtimeDirectory: String { directory.path }

  /// The path of the socket.
  package var socket: String { "\(directory.path)/\(display)" }

  package var controlSocket: String { "\(directory.path)/backdropd@\(display).sock" }

  package var environment: [String: String] {
    // The lock of the session that runs the tests must not matter, and no program leaves files in the common folder.
    let noBus = "unix:path=\(directory.path)/no-bus"
    return baseEnvironment().merging(
      userFolders(in: directory.path), uniquingKeysWith: { $1 }
    ).merging(
      ["WAYLAND_DISPLAY": display, "DBUS_SYSTEM_BUS_ADDRESS": noBus, "TMPDIR": directory.path],
      uniquingKeysWith: { $1 })
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
    self.picture = "\(directory.path)/wallpaper-\(count).png"
    try writePNG(straight: picture, to: self.picture)
    try startPainter()
  }

  /// Switches an output on that was off, as at the start; `number` is its place.
  package func switchOn(number: Int = 1) throws(TestFailure) {
    let mode = "\(size.width)x\(size.height)"
    let place = ["--pos", "\((number - 1) * size.width),0"]
    // Without a mode it would have that of the start of the compositor.
    try setOutput(["--on", "--custom-mode", mode] + place, number: number)
    try wakeOutput(number: number)
  }

  /// Lets an output that was off show something again, where a compositor needs more than that it is on.
  package func wakeOutput(number: Int = 1) throws(TestFailure) {
    if !compositor.stallsAfterOutages { return }
    let deadline = ContinuousClock.now + .seconds(20)
    let test = ["-o", "HEADLESS-\(number)", directory.path + "/test.png"]
    while (try? run("grim", test, timeout: .milliseconds(300))) == nil {
      guard ContinuousClock.now < deadline else { throw TestFailure("\(compositor) shows nothing") }
      for height in [size.height + 1, size.height] {
        try setOutput(["--custom-mode", "\(size.width)x\(height)"], number: number)
      }
    }
  }

  /// Starts a program of the distribution of the compositor.
  package func startBeside(_ program: String, _ arguments: [String]) throws(TestFailure) -> Child {
    let path = String(directory.path.dropFirst(compositor.root?.count ?? 0))
    let words = compositor.command([program] + arguments)
    return try Child(
      words[0], Array(words.dropFirst()),
      environment: environment.merging(
        ["XDG_RUNTIME_DIR": path, "HOME": path], uniquingKeysWith: { $1 }))
  }

  /// Changes an output by the options of wlr-randr, such as "--transform", "90". sway 1.7 refuses what wlr-randr asks, so
  /// sway gets them as commands.
  package func setOutput(_ options: [String], number: Int = 1) throws(TestFailure) {
    let name = "HEADLESS-\(number)"
    if compositor.kind == .sway {
      let commands = [
        "--custom-mode": "resolution", "--pos": "position", "--scale": "scale",
        "--transform": "transform", "--on": "enable", "--off": "disable",
      ]
      let words = options.map { commands[$0] ?? $0 }
      return try tellSway(
        ["output", name] + words.flatMap { $0.split(separator: ",").map(String.init) })
    }
    let outcome = try run("wlr-randr", ["--output", name] + options)
    guard outcome.status == .exited(0) else {
      throw TestFailure("wlr-randr \(options): \(outcome.err)\(outcome.out)")
    }
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
    environment.merging(["SWAYSOCK": swaySocket ?? ""], uniquingKeysWith: { $1 })
  }

  /// Whether sway takes commands; true for others.
  private var takesCommands: Bool {
    compositor.kind != .sway || swaySocket.map { isListening(at: $0) } == true
  }

  /// The path of the socket for commands of sway; nil before sway has made it.
  private var swaySocket: String? {
    namesInDirectory(directory.path).first { $0.hasPrefix("sway-ipc.") }
      .map { "\(directory.path)/\($0)" }
  }

  /// The picture of all outputs, or of one of them, by grim.
  package func screenshot(of output: String? = nil) throws(TestFailure) -> Bitmap {
    let path = directory.path + "/screenshot.png"
    let selection = output.map { ["-o", $0] } ?? []
    let outcome = try Child.run("grim", ["-l", "0"] + selection + [path], environment: environment)
    guard outcome.status == .exited(0) else { throw TestFailure("grim: \(outcome.err)") }
    return try readPNG(path)
  }
}

/// A file of Xcursor with one image that is clear. labwc 0.20 ends at a scale that makes nothing of its size.
private let invisibleCursor: [UInt8] = {
  let (image, side): (UInt32, UInt32) = (0xfffd_0002, 24)
  let head: [UInt32] = [0x7275_6358, 16, 0x1_0000, 1, image, side, 28]
  let pixels = Array(repeating: UInt32(0), count: Int(side * side))
  let chunk: [UInt32] = [36, image, side, 1, side, side, 0, 0, 0] + pixels
  return (head + chunk).flatMap { word in
    (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
  }
}()

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
