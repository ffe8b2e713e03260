import Control
import Desktop
import Panes
import Raster
import X11Desktop

/// What a request comes to.
enum Outcome {
  case reply(Reply)
  case picture(Bitmap)
}

extension Engine where Server == X11Desktop {
  /// Does what a client asks for.
  mutating func perform(
    _ request: Request, now: Duration, started: Duration
  ) throws(EngineError) -> Outcome {
    switch request {
    case .add(let name, let change, let fade):
      try checkMemory(for: change, of: name)
      try add(makePane(name, change), fade: fade)
    case .set(let name, let change, let fade):
      try checkMemory(for: change, of: name)
      try self.change(name, change, fade: fade)
    case .remove(let name):
      try remove(name)
    case .show(let name, let fade):
      try setShown(name, true, fade: fade)
    case .hide(let name, let fade):
      try setShown(name, false, fade: fade)
    case .toggle(let name, let fade):
      try setShown(name, !isShown(name), fade: fade)
    case .sync:
      do { try sync(now: now) } catch { throw .desktop(error) }
    case .list:
      return .reply(.panes(try panes.map { pane throws(EngineError) in try report(on: pane) }))
    case .status:
      return .reply(.status(status(now: now, started: started)))
    case .snapshot(let name, let isBackdrop):
      return .picture(isBackdrop ? try captureBackdrop(of: name) : try picture(of: name))
    case .quit:
      break
    }
    return .reply(.done)
  }

  private func makePane(_ name: String, _ change: PaneChange) throws(EngineError) -> Pane {
    do { return try change.makePane(named: name) } catch { throw .pane(error) }
  }

  /// Of the content of all panes together: 256 MiB.
  private static var pixelLimit: Int { 1 << 26 }

  private func checkMemory(for change: PaneChange, of name: String) throws(EngineError) {
    guard let added = change.contents else { return }
    let kept = panes.filter { $0.name != name }.flatMap(\.contents)
    let count = (kept + added).reduce(0) { $0 + $1.picture.pixels.count }
    guard count <= Self.pixelLimit else {
      throw .pane(
        .outOfRange(
          setting: "content", text: "\(count) pixels on all panes together",
          expected: "at most \(Self.pixelLimit); take content from another pane first"))
    }
  }

  private func isShown(_ name: String) throws(EngineError) -> Bool {
    guard let pane = panes.first(where: { $0.name == name }) else {
      throw .pane(.unknownName(name, known: panes.map(\.name)))
    }
    return pane.isShown
  }

  private func report(on pane: Pane) throws(EngineError) -> PaneReport {
    let state: (rect: Rect, frames: Int)
    do { state = try self.state(of: pane.name) } catch { throw .pane(error) }
    let tone = pane.material.tone
    return PaneReport(
      name: pane.name, geometry: pane.placement.text, rect: "\(state.rect)",
      isShown: pane.isShown, material: pane.materialName, sigma: pane.material.sigma,
      saturation: tone.saturation, brightness: tone.brightness, contrast: tone.contrast,
      noise: pane.material.noise, blend: tone.layers.map(\.text), tint: tone.tint.text,
      corner: pane.outline.corner.text, border: pane.outline.border.text,
      shadow: pane.outline.shadow.text, sees: pane.sees.rawValue, input: pane.input.rawValue,
      content: pane.contents.map { ContentReport($0) }, frames: state.frames)
  }

  private func status(now: Duration, started: Duration) -> StatusReport {
    let desktop = server.report
    let work = statistics
    return StatusReport(
      display: desktop.name, screen: "\(server.screen.width)x\(server.screen.height)",
      scale: desktop.scale, compositor: desktop.hasCompositor,
      sharedMemory: desktop.usesSharedMemory,
      panes: panes.count, frames: work.frames, unchangedFrames: work.unchangedFrames,
      damageEvents: desktop.damageEvents, damagedPixels: work.damagedPixels,
      bytesRead: desktop.bytesRead, bytesWritten: desktop.bytesWritten,
      milliseconds: StageMilliseconds(
        capture: work.capturing.milliseconds, reduce: work.reducing.milliseconds,
        blur: work.blurring.milliseconds, draw: work.drawing.milliseconds,
        present: work.presenting.milliseconds),
      redirectedWindows: desktop.redirectedWindows, residentBytes: residentBytes(),
      bufferBytes: desktop.bufferBytes, pid: processID(),
      uptimeSeconds: (now - started).milliseconds / 1000)
  }
}

extension Reply {
  init(_ error: EngineError) {
    switch error {
    case .pane: self = .failure(.usage, "\(error)")
    case .unreadable, .desktop: self = .failure(.unavailable, "\(error)")
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Double { self / .milliseconds(1) }
}
