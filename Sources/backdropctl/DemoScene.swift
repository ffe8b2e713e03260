import Control
import Glibc
import Raster

/// A screen in memory that is never still: a wallpaper, a clock, a terminal that scrolls and a window
/// that moves. The X server and all programs end with it.
struct DemoScene: ~Copyable {
  let display: DemoDisplay
  private let folder: DemoFolder
  // Destroyed in this order: the server after those that need it.
  private let mover, logo, terminal, clock, manager: DemoProcess
  private let server: DemoServer

  static let width = 1920
  static let height = 1080

  /// What has been started by the time that something fails ends too: all is local until the end.
  init(_ interrupts: borrowing DemoInterrupts) throws {
    let folder = try DemoFolder()
    let environment = try ownEnvironment().merging(
      ["XDG_RUNTIME_DIR": folder.path], uniquingKeysWith: { $1 })
    let server = try DemoServer(environment: environment, interrupts)
    let display = server.display
    try display.setWallpaper(folder, interrupts)

    let manager = try display.start("openbox", package: "openbox")
    try interrupts.pause(seconds: 0.5)
    let clock = try display.start(
      "xclock", ["-update", "1", "-geometry", "300x300+1480+120"], package: "x11-apps")
    let terminal = try display.start("xterm", terminalArguments, package: "xterm")
    let logo = try display.start("xlogo", moverArguments, package: "x11-apps")
    let script = folder.path + "/path.xdotool"
    try writeFile(script, movingPath)
    let mover = try display.start("xdotool", [script], package: "xdotool")
    try interrupts.pause(seconds: 1)

    self.display = display
    self.folder = folder
    self.server = server
    self.manager = manager
    self.clock = clock
    self.terminal = terminal
    self.logo = logo
    self.mover = mover
  }

  /// The whole screen, as a user would see it.
  func screenshot(_ interrupts: borrowing DemoInterrupts) throws -> Bitmap {
    let dump = folder.path + "/screen.xwd"
    try display.run(
      "xwd", ["-root", "-silent", "-out", dump], package: "x11-apps", interrupts)
    return try Bitmap(windowDump: readFile(dump))
  }
}

extension DemoDisplay {
  /// Runs a program to its end.
  fileprivate func run(
    _ program: String, _ arguments: [String], package: String,
    _ interrupts: borrowing DemoInterrupts
  ) throws {
    let process = try start(program, arguments, package: package)
    guard try interrupts.wait(seconds: 10, until: { !process.isRunning }) else {
      throw Failure(.unavailable, "\(program) does not end; try it by hand")
    }
  }

  fileprivate func setWallpaper(
    _ folder: borrowing DemoFolder, _ interrupts: borrowing DemoInterrupts
  ) throws {
    let path = folder.path + "/wallpaper.png"
    let picture = demoWallpaper(width: DemoScene.width, height: DemoScene.height)
    try OutputFile(path: path).write(png: picture, isOpaque: true)
    try run("hsetroot", ["-cover", path], package: "hsetroot", interrupts)
  }
}

private let terminalArguments = [
  "-geometry", "100x34+240+420", "-bg", "#0b1026", "-fg", "#7dffb2", "-e", "sh", "-c",
  scrollingText,
]

private let moverArguments = [
  "-title", "mover", "-geometry", "320x320+900+300", "-fg", "#ff2d78", "-bg", "#fff200",
]

/// Lines of changing length, twenty a second, for ever.
private let scrollingText = """
  i=0; while :; do i=$((i+1)); \
  printf '\\033[3%dm%6d  the quick brown fox jumps over the lazy dog %d times\\n' \
  $((i%7+1)) $i $((i*i%1000003)); sleep 0.05; done
  """

/// A path like an eight across both panes, sixty steps a second, longer than the show.
private let movingPath: String = {
  let steps = (0..<3000).map { step in
    let angle = Double(step) / 90
    let x = 760 + Int(560 * sin(angle))
    let y = 400 + Int(280 * sin(2 * angle))
    // xdotool sends what it has to say only when it also has to ask something.
    return "windowmove %1 \(x) \(y)\ngetmouselocation\nsleep 0.016\n"
  }
  return "search --sync --onlyvisible --name ^mover$\n" + steps.joined()
}()
