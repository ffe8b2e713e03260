import Raster
import TestSupport
import Testing

/// A window manager and a compositor that people use, on a screen of its own with a wallpaper, and a daemon.
final class RealDesktop {
  /// Which programs manage and blend windows.
  struct Kind: CustomTestStringConvertible, Sendable {
    let manager: [String]
    /// Empty if the window manager blends windows itself, or if nothing does.
    let compositor: [String]
    /// Whether something blends windows.
    var blends = true

    var testDescription: String {
      let compositor = blends ? compositor.prefix(1) : ["no compositor"]
      return ([manager[0]] + compositor).joined(separator: " and ")
    }

    private static let picom = ["picom", "--backend", "xrender", "--config", "/dev/null"]

    static let all = [
      Kind(manager: ["openbox", "--config-file", "~/openbox.xml"], compositor: picom),
      Kind(manager: ["openbox", "--config-file", "~/openbox.xml"], compositor: ["xcompmgr"]),
      Kind(manager: ["i3", "-c", "~/i3"], compositor: picom),
      Kind(manager: ["i3", "-c", "~/i3"], compositor: ["xcompmgr"]),
      Kind(manager: ["xfwm4", "--compositor=on"], compositor: []),
      Kind(manager: ["xfwm4", "--compositor=off"], compositor: picom),
      Kind(manager: ["marco", "--composite"], compositor: []),
      Kind(manager: ["marco", "--no-composite"], compositor: ["xcompmgr"]),
    ]

    /// Desktops on which nothing blends windows.
    static let plain = [
      Kind(manager: ["openbox", "--config-file", "~/openbox.xml"], compositor: [], blends: false),
      Kind(manager: ["i3", "-c", "~/i3"], compositor: [], blends: false),
      Kind(manager: ["xfwm4", "--compositor=off"], compositor: [], blends: false),
      Kind(manager: ["marco", "--no-composite"], compositor: [], blends: false),
    ]
  }

  let server: XServer
  let client: TestClient
  let daemon: TestDaemon
  /// The home directory of the programs.
  let home: String
  private let bus: MessageBus
  private let compositor: Child?
  private let programs: [Child]

  /// If `prepare` is given, the daemon starts before the window manager and the compositor, and is prepared by it.
  init(
    _ kind: Kind, width: Int = 640, height: Int = 480, hasPicture: Bool = true,
    daemonFirst prepare: ((TestDaemon) throws -> Void)? = nil
  ) throws {
    server = try XServer(width: width, height: height)
    client = try TestClient(server)
    home = server.runtimeDirectory + "/home"
    bus = try MessageBus(in: server.runtimeDirectory)
    if hasPicture { client.setWallpaper(Self.wallpaper(width: width, height: height)) }
    try client.sync()
    let (client, server, home, bus) = (client, server, home, bus.address)
    func start(_ command: [String]) throws -> Child {
      try Self.start(command, on: server, home: home, bus: bus)
    }
    try makeDirectory(home)
    try writeText(ManagerConfiguration.i3, to: home + "/i3")
    try writeText(ManagerConfiguration.openbox, to: home + "/openbox.xml")
    let early = try prepare.map { prepare in
      let daemon = try TestDaemon(on: server)
      try prepare(daemon)
      return daemon
    }
    // No program is started by the bus: each would outlive the test.
    var programs = [try start(["/usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd"])]
    programs.append(try start(kind.manager))
    try client.waitForWindowManager()
    compositor = kind.compositor.isEmpty ? nil : try start(kind.compositor)
    self.programs = programs
    daemon = try early ?? TestDaemon(on: server)
    guard try !kind.blends || soon({ try client.hasSelection("_NET_WM_CM_S0") }) else {
      throw TestFailure("no compositor: \(compositor?.err ?? "")\(programs.map(\.err))")
    }
  }

  /// Squares of several colours, with gradients between them: a wrong place or a missing blur is seen.
  private static func wallpaper(width: Int, height: Int) -> Bitmap {
    let pixels = (0..<width * height).map { i -> UInt32 in
      let (x, y) = (i % width, i / width)
      let square: UInt32 = (x / 24 + y / 24) % 2 == 0 ? 0x60 : 0
      let (red, green) = (UInt32(x * 150 / width) + square, UInt32(y * 150 / height) + square)
      return 0xFF00_0000 | red << 16 | green << 8 | (0xF0 - square - UInt32(x * 60 / width))
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  /// Starts a program with the home directory, `~` in its arguments, and the message bus of this desktop.
  func start(_ command: [String]) throws -> Child {
    try Self.start(command, on: server, home: home, bus: bus.address)
  }

  private static func start(
    _ command: [String], on server: XServer, home: String, bus: String
  ) throws -> Child {
    let own = [
      "HOME": home, "XDG_CONFIG_HOME": home + "/.config", "XDG_CACHE_HOME": home + "/.cache",
      "XDG_DATA_HOME": home + "/.local/share", "XDG_STATE_HOME": home + "/.local/state",
      "DBUS_SESSION_BUS_ADDRESS": bus, "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory",
      "LIBGL_ALWAYS_SOFTWARE": "1", "SHELL": "/bin/sh",
    ]
    let arguments = command.dropFirst().map { $0.replacing("~/", with: home + "/") }
    return try Child(
      command[0], arguments, environment: server.environment.merging(own) { $1 })
  }

  /// Moves the pointer, and presses buttons and keys, by the commands of xdotool.
  func point(_ commands: String) throws {
    let outcome = try server.run("xdotool", commands.split(separator: " ").map(String.init))
    #expect(outcome.status == .exited(0), "\(outcome.err)")
  }

  /// A screenshot with all that was requested and drawn before.
  func screenshot() throws -> Bitmap {
    try client.sync()
    try daemon.sync()
    return try client.screenshot()
  }

  /// Makes a file in the home directory, and the directories above it.
  func makeFile(_ path: String, _ text: String) throws {
    var directory = home
    for name in path.split(separator: "/").dropLast() {
      directory += "/" + name
      try makeDirectory(directory)
    }
    try writeText(text, to: home + "/" + path)
  }
}
