import CXCB
package import Engine
import Frost
import Linux
import Raster

extension X11Display {
  /// Surveys the screen. Waits for the server.
  mutating func survey() -> DesktopSurvey {
    let programs = desktopPrograms()
    let daemon = x.selectionOwner(atoms.service)
    let desktop = tracker.stack.desktopWindows.last
    return DesktopSurvey(
      depth: Int(x.screen.rootDepth), screen: screen, outputs: outputs,
      inactiveOutputs: inactiveOutputs, isLocal: isUnixSocket(x.descriptor),
      sharesMemory: memory.isShareable, hasAlphaVisual: x.screen.alphaVisual != nil,
      compositor: programs.compositor, blendsAlpha: blendsAlpha,
      windowManager: programs.windowManager, rootPixmap: wallpaper.rootPixmap,
      desktopWindow: desktop.map { name(of: tracker.clients.client(in: $0.id) ?? $0.id) },
      daemon: daemon == 0 ? nil : process(of: daemon) ?? 0)
  }

  /// The windows that may have glass behind them. The pixels of clients with some numbers are read. Waits for the
  /// server. Throws `lost`.
  mutating func windowSurvey(
    inspecting numbers: Set<UInt32>
  ) throws(DisplayError) -> WindowSurvey {
    reportTargets(TargetInterest(isActive: true, announcesBlur: false))
    try settle()
    inspect(Set(targets.filter { numbers.contains($0.properties.id) }.map(\.id)))
    try settle()
    let daemon = x.selectionOwner(atoms.service)
    let others = targets.filter { target in
      daemon == 0 || !x.identity.isSameClient(target.properties.id, daemon)
    }
    var backgrounds: [UInt32: Background] = [:]
    for target in others where numbers.contains(target.properties.id) {
      backgrounds[target.properties.id] = background(of: target)
    }
    return WindowSurvey(
      others, blendsAlpha: blendsAlpha, desktopPrograms(), backgrounds: backgrounds)
  }

  /// The most frequent colour of the client of a window, where it is on the screen; nil if that cannot be read. Waits for the server.
  private mutating func background(of target: TargetWindow) -> Background? {
    guard let client = tracker.client(in: target.id) else { return nil }
    let part = client.part(on: screen.bounds)
    guard !part.isEmpty, let image = x.image(of: client.id, part), image.depth >= 24 else {
      return nil
    }
    var picture = Bitmap(width: part.width, height: part.height)
    picture.pixels = image.words
    return ColorSample(of: picture)?.mostFrequent
  }

  /// Waits for the server.
  fileprivate mutating func desktopPrograms() -> DesktopPrograms {
    let compositor = x.selectionOwner(atoms.compositor)
    let manager = windowManager()
    let managerName = manager.map { name(of: $0) }
    guard compositor != 0 else { return DesktopPrograms(windowManager: managerName) }
    // The window of marco's compositor has no name, but belongs to the window manager.
    let isManager = manager.map { x.identity.isSameClient($0, compositor) } == true
    return DesktopPrograms(
      windowManager: managerName,
      compositor: isManager ? managerName : name(of: compositor),
      compositorProcess: process(of: compositor))
  }

  /// The name of a window, or of the program that made it; empty if neither is known.
  private mutating func name(of window: UInt32) -> String {
    let texts = [atoms.netName, XCB_ATOM_WM_NAME.rawValue, XCB_ATOM_WM_CLASS.rawValue]
    for atom in texts {
      let text = x.propertyText(window, atom)
      if !text.isEmpty { return text }
    }
    return process(of: window).flatMap(processName) ?? ""
  }

  private mutating func process(of window: UInt32) -> Int? {
    x.propertyWord(window, atoms.netProcess, type: XCB_ATOM_CARDINAL.rawValue).map(Int.init)
  }

  /// The window with which the window manager says its name (EWMH); nil if there is no window manager.
  private mutating func windowManager() -> UInt32? {
    func window(of holder: UInt32) -> UInt32? {
      x.propertyWord(holder, atoms.windowManager, type: XCB_ATOM_WINDOW.rawValue)
    }
    // The window of a window manager that has ended may have another owner now. Then it does not name itself.
    guard let window = window(of: x.root),
      x.propertyWord(
        window, atoms.windowManager, type: XCB_ATOM_WINDOW.rawValue) == window
    else { return nil }
    return window
  }
}

extension DesktopPrograms {
  /// Asks an X server, and waits for it. Throws `unreachable`, `unsupported` or `lost`.
  package init(of display: String) throws(DisplayError) {
    let connection = try DisplayConnection(to: display)
    var opened = try X11Display.openUnserved(connection, toolkitScale: nil)
    self = opened.desktopPrograms()
  }
}
