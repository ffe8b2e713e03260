import Glibc
import TestSupport

/// The demo on the running desktop: on X11 a picture that moves, above it two terminals with glass, one of them opaque, glass
/// of panels, and two panes; else three panes.
struct DesktopDemo {
  private let display: DemoDisplay

  init(on display: DemoDisplay) { self.display = display }

  /// Shows it for 20 seconds.
  func show() throws {
    // A daemon that serves the user stays; one that is started here ends with this function, after its panes: it would
    // keep them for the next one.
    let daemon = try display.hasDaemon ? nil : display.startDaemon()
    let names = DemoPane.onDesktop.map(\.name) + DemoPrograms.paneNames
    defer {
      for name in names { _ = try? display.ask(["remove", name]) }
      withExtendedLifetime(daemon) {}
    }
    print(try display.isX11() ? showPrograms() : showPanes())
  }

  private func showPanes() throws -> DemoCost {
    for pane in DemoPane.onDesktop { try display.ask(pane.arguments) }
    print("Three panes for 20 seconds: move windows behind them.")
    return try display.measureCost(for: .seconds(20))
  }

  private func showPrograms() throws -> DemoCost {
    try requirePrograms(["urxvt": "rxvt-unicode"])
    let panes = DemoPane.besidePrograms.map(\.arguments)
    for arguments in DemoPrograms.glassOnDesktop + panes { try display.ask(arguments) }
    let picture = try start([ProgramPaths.demo, MovingPicture.option])
    // The terminal belongs above it.
    pause(for: .milliseconds(500))
    let terminals = try [DemoPrograms.page, DemoPrograms.terminal].map { try start($0) }
    print(
      "Terminals with glass, one of them opaque, for 20 seconds: drag them, with Alt and the left button."
    )
    defer { withExtendedLifetime((picture, terminals)) {} }
    try display.awaitWindow(of: "demo-terminal")
    print(try display.warnings(), terminator: "")
    return try display.measureCost(for: .seconds(20))
  }

  private func start(_ command: [String]) throws -> Child {
    try Child(command[0], Array(command.dropFirst()), environment: display.environment)
  }
}
