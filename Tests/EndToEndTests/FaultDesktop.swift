import Raster
import TestSupport
import Testing

/// A screen in memory with something behind the panes, for sessions in which calls of the daemon fail.
protocol FaultDesktop: AnyObject {
  var server: any DisplayServer { get }
  /// The commands that add panes which only such a desktop can have.
  var panes: [[String]] { get }
  /// The parts of a session that only such a desktop has.
  var operations: [FaultOperation] { get }
  /// By how many levels a pixel may differ when the same is shown again.
  var tolerance: Int { get }
  func screenshot() throws -> Bitmap
  /// Puts back what `operations` have changed.
  func restore() throws
}

/// The kinds of desktops.
enum FaultDesktopKind: CaseIterable {
  case bare, composited, wayland

  func make() throws -> any FaultDesktop {
    switch self {
    case .bare: try X11FaultDesktop(isComposited: false)
    case .composited: try X11FaultDesktop(isComposited: true)
    case .wayland: try WaylandFaultDesktop()
    }
  }
}

/// An X server with windows, and perhaps xcompmgr.
final class X11FaultDesktop: FaultDesktop {
  private let xServer: XServer
  private let client: TestClient
  /// The window that moves behind the panes, and the one with glass behind it.
  private let window, clear: TestWindow
  private let compositor: Child?

  private static let windowPlace = Rect(x: 60, y: 50, width: 80, height: 60)

  init(isComposited: Bool) throws {
    xServer = try XServer(width: 320, height: 240)
    client = try TestClient(xServer)
    client.setWallpaper(.noise(width: 320, height: 240, seed: 4))
    window = try client.makeWindow(
      Self.windowPlace, picture: .noise(width: 80, height: 60, seed: 5))
    clear = try client.makeWindow(Rect(x: 200, y: 20, width: 90, height: 80), color: 0, argb: true)
    client.setClass("clear", "Clear", of: clear)
    try client.sync()
    compositor = isComposited ? try xServer.start("xcompmgr") : nil
    if isComposited { try client.waitForCompositor() }
  }

  var server: any DisplayServer { xServer }
  var tolerance: Int { 0 }

  var panes: [[String]] {
    if compositor == nil { return [] }
    return [
      ["behind", "add", "glass", "--class", "clear", "--sigma", "5", "--scheme", "dark"]
    ]
  }

  func screenshot() throws -> Bitmap { try client.screenshot() }

  func restore() throws {
    window.move(x: Self.windowPlace.x, y: Self.windowPlace.y)
    try client.sync()
  }

  var operations: [FaultOperation] {
    [
      FaultOperation("move a window") { [self] session in
        for step in 1...3 {
          window.move(x: 60 + 10 * step, y: 50)
          try client.sync()
        }
        return session.perform()
      },
      FaultOperation("make a window") { [self] session in
        let new = try client.makeWindow(
          Rect(x: 20, y: 30, width: 70, height: 50), color: 0xFF30_6090)
        defer { new.destroy() }
        try client.sync()
        let isDone = session.perform()
        try waitForCompositor()
        return isDone
      },
      FaultOperation("set monitors") { [self] session in
        var isDone = true
        for arguments in [
          ["--setmonitor", "left", "160/50x240/75+0+0", "screen"], ["--delmonitor", "left"],
        ] {
          _ = try xServer.run("xrandr", arguments)
          isDone = session.perform() && isDone
        }
        return isDone
      },
      FaultOperation("move glass") { [self] session in
        clear.move(x: 190, y: 40)
        try client.sync()
        defer { clear.move(x: 200, y: 20) }
        return session.perform()
      },
    ]
  }

  /// Waits until the compositor, if there is one, knows all windows. xcompmgr forgets one that ends before that, and then puts
  /// windows that were placed above it below all others.
  private func waitForCompositor() throws {
    if compositor != nil { try client.waitForCompositor() }
  }
}

/// sway with a wallpaper.
final class WaylandFaultDesktop: FaultDesktop {
  private let wayland: WaylandServer
  private let wallpaper = Bitmap.noise(width: 320, height: 240, seed: 4)

  init() throws { wayland = try WaylandServer(.sway, wallpaper: wallpaper) }

  var server: any DisplayServer { wayland }
  /// A pixel in each tile of the screen is a mark.
  var tolerance: Int { 5 }
  var panes: [[String]] { [] }

  func screenshot() throws -> Bitmap { try wayland.screenshot() }

  func restore() throws {
    try wayland.setOutput(["--scale", "1"])
    try wayland.changeWallpaper(wallpaper)
  }

  var operations: [FaultOperation] {
    [
      FaultOperation("change the wallpaper") { [self] session in
        try wayland.changeWallpaper(.noise(width: 320, height: 240, seed: 6))
        return session.perform()
      },
      FaultOperation("scale the output") { [self] session in
        try wayland.setOutput(["--scale", "2"])
        let isDone = session.perform()
        try wayland.setOutput(["--scale", "1"])
        return session.perform() && isDone
      },
    ]
  }
}
