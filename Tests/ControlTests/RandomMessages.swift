import Control
import Frost
import Panes
import RandomPanes
import TestDice

// Random requests and replies, of every kind.

extension Request {
  static func random(using dice: inout Dice) -> Request {
    let name = String.random(using: &dice)
    return switch dice.roll(0...20) {
    case 0:
      .add(
        name: name, .randomForLine(using: &dice), .random(using: &dice),
        orSet: .random(using: &dice), for: .random(using: &dice),
        isEphemeral: .random(using: &dice))
    case 1:
      .set(
        name: name, .randomForLine(using: &dice), .random(using: &dice),
        isEphemeral: .random(using: &dice))
    case 2: .remove(name: name)
    case 3: .show(name: name, .random(using: &dice))
    case 4: .hide(name: name, .random(using: &dice))
    case 5:
      dice.roll(0...1) == 0
        ? .toggle(name: name, .random(using: &dice))
        : .drawer(name: name, DrawerAction.allCases.randomElement(using: &dice) ?? .open)
    case 6: .list
    case 7: .status
    case 8: .sync
    case 9:
      .snapshot(
        name: name, output: dice.roll(0...1) == 0 ? nil : "HDMI-\(dice.roll(1...9))",
        isBackdrop: .random(using: &dice))
    case 11: .outputs
    case 12: .cache
    case 13: .clearCache
    case 16: .refresh
    case 14: .drawings(name: dice.roll(0...1) == 0 ? nil : name, isAll: .random(using: &dice))
    case 15: .redraw(name: name, (0..<dice.roll(0...3)).map { _ in .random(using: &dice) })
    case 10:
      .apply(
        (0..<dice.roll(0...3)).map { _ in .random(using: &dice) },
        isRehearsal: .random(using: &dice))
    case 17:
      .configure(
        files: (0..<dice.roll(0...2)).map { _ in .random(using: &dice) }, .random(using: &dice),
        (0..<dice.roll(0...3)).map { _ in .random(using: &dice) }, isExact: .random(using: &dice))
    case 18: .declared
    case 19: dice.roll(0...1) == 0 ? .wallpaper : .paintWallpaper(number: dice.roll(0...99), [])
    case 20: .subscribe(EventKind.allCases.filter { _ in dice.roll(0...4) == 0 })
    default: .quit
    }
  }
}

extension DaemonSettings {
  static func random(using dice: inout Dice) -> DaemonSettings {
    var settings = DaemonSettings()
    if .random(using: &dice) { settings.framesPerSecond = .random(in: 1...1000, using: &dice) }
    if .random(using: &dice) { settings.threads = dice.roll(1...16) }
    if .random(using: &dice) { settings.cacheByteCount = dice.roll(0...1 << 40) }
    if .random(using: &dice) { settings.cacheTileCount = dice.roll(0...1 << 24) }
    if .random(using: &dice) { settings.budget = .random(using: &dice) }
    if .random(using: &dice) { settings.batteryBudget = .random(using: &dice) }
    if .random(using: &dice) { settings.rotationFade = .random(using: &dice) }
    if .random(using: &dice) { settings.outputScales = .random(using: &dice) }
    if .random(using: &dice) {
      // No path has a zero.
      settings.wallpaper = "/" + String.random(using: &dice).replacing("\0", with: "0")
    }
    if .random(using: &dice) { settings.wallpaperMode = .tile }
    if .random(using: &dice) { settings.wallpaperColor = Color(hex: 0x123456) }
    return settings
  }
}

extension OutputScales {
  static func random(using dice: inout Dice) -> OutputScales {
    var scales = OutputScales()
    for i in 0..<dice.roll(0...3) {
      try? scales.add(.random(in: 0.5...8, using: &dice), to: "HDMI-\(i)")
    }
    return scales
  }
}

extension PaneChange {
  /// One that resets no setting to which it gives a value: a line holds only the value.
  static func randomForLine(using dice: inout Dice) -> PaneChange {
    var change = PaneChange.random(using: &dice)
    for setting in Setting.all where setting.write(change.settings) != nil {
      change.reset.remove(setting.name)
    }
    return change
  }
}

extension ProcessorBudget {
  static func random(using dice: inout Dice) -> ProcessorBudget? {
    try? ProcessorBudget(
      parsing: dice.roll(0...3) == 0 ? "none" : "\(dice.roll(1...1600))%", setting: "")
  }
}

extension Fade {
  static func random(using dice: inout Dice) -> Fade {
    let fade = try? Fade(milliseconds: .random(in: range, using: &dice))
    return .random(using: &dice) ? .none : fade ?? .none
  }
}

extension Lifetime? {
  static func random(using dice: inout Dice) -> Lifetime? {
    let lifetime = try? Lifetime(milliseconds: .random(in: Lifetime.range, using: &dice))
    return .random(using: &dice) ? nil : lifetime
  }
}

extension Reply {
  static func random(using dice: inout Dice) -> Reply {
    switch dice.roll(0...10) {
    case 10:
      return .wallpaper(
        WallpaperReport(
          number: dice.roll(0...99),
          DeclaredWallpaper(path: .random(using: &dice), mode: .fit, color: Color(hex: 0x80ff00)),
          on: [
            WallpaperTarget(
              output: .random(using: &dice), width: dice.roll(1...9999),
              height: dice.roll(1...9999), ratio: 0.75)
          ]))
    case 0: return .done
    case 1: return .panes((0..<dice.roll(0...4)).map { _ in .random(using: &dice) })
    case 2: return .status(.random(using: &dice))
    case 3:
      func number() -> Int { .random(in: .min ... .max, using: &dice) }
      return .picture(PictureReport(width: number(), height: number(), stride: number()))
    case 4:
      func text() -> String { .random(using: &dice) }
      return .actions(
        (0..<dice.roll(0...4)).map { _ in ActionReport(name: text(), action: text()) })
    case 9: return .event(.random(using: &dice))
    case 7: return .drawings((0..<dice.roll(0...3)).map { _ in .random(using: &dice) })
    case 6: return .cache((0..<dice.roll(0...3)).map { _ in .random(using: &dice) })
    case 5: return .outputs((0..<dice.roll(0...3)).map { _ in .random(using: &dice) })
    default:
      let kind = FailureKind.allCases.randomElement(using: &dice) ?? .usage
      return .failure(kind, .random(using: &dice))
    }
  }
}

extension EventReport {
  static func random(using dice: inout Dice) -> EventReport {
    let kind = EventKind.allCases.randomElement(using: &dice) ?? .reload
    return switch dice.roll(0...3) {
    case 0: EventReport(kind, pane: .random(using: &dice), text: .random(using: &dice))
    case 1: EventReport(kind, output: .random(using: &dice))
    case 2:
      EventReport(
        kind,
        rates: RateReport(
          frames: .random(in: 0...99, using: &dice), captures: 0,
          pixels: .random(in: 0...1e9, using: &dice), panes: [.random(using: &dice): 1]))
    default: EventReport(kind, panes: [.random(using: &dice), "b"])
    }
  }
}

extension DrawingReport {
  static func random(using dice: inout Dice) -> DrawingReport {
    DrawingReport(
      name: .random(using: &dice),
      target: ContentTarget(
        scale: .random(in: Output.scaleRange, using: &dice), unit: dice.roll(0...1) == 0 ? 1 : 2.5,
        width: dice.roll(1...9999), height: dice.roll(1...9999)),
      contents: (0..<dice.roll(0...3)).map { _ in .random(using: &dice) })
  }
}

extension CacheEntryReport {
  static func random(using dice: inout Dice) -> CacheEntryReport {
    func text() -> String { .random(using: &dice) }
    func number() -> Int { .random(in: 0 ... .max, using: &dice) }
    return CacheEntryReport(
      view: text(), below: dice.roll(0...1) == 0 ? nil : text(), output: text(), region: text(),
      rotation: 90 * dice.roll(0...3), reflected: .random(using: &dice), cell: number(),
      tiles: number(), pinnedTiles: number(), bytes: number(),
      ageSeconds: .random(in: 0...1e6, using: &dice), hits: number(), misses: number())
  }
}

extension OutputReport {
  static func random(using dice: inout Dice) -> OutputReport {
    func text() -> String { .random(using: &dice) }
    if dice.roll(0...1) == 0 { return OutputReport(name: text(), active: false, primary: false) }
    return OutputReport(
      name: text(), active: true, primary: .random(using: &dice), rect: text(), workArea: text(),
      scale: .random(in: 0.5...8, using: &dice), rotation: 90 * dice.roll(0...3),
      reflected: .random(using: &dice))
  }
}

extension PaneReport {
  static func random(using dice: inout Dice) -> PaneReport {
    func text() -> String { .random(using: &dice) }
    var settings: [String: ReportedValue] = [:]
    for setting in Setting.all where dice.roll(0...3) > 0 {
      settings[setting.name] = .random(of: setting.kind, using: &dice)
    }
    let places = (0..<dice.roll(0...2)).map { _ in
      PlaceReport(
        output: text(), frame: text(), rect: text(), drawer: dice.roll(0...1) == 0 ? text() : nil,
        awaitsWallpaper: .random(using: &dice), isOffOutputs: .random(using: &dice))
    }
    return PaneReport(
      name: text(), places: places, isShown: .random(using: &dice),
      settings: settings,
      frames: .random(in: 0 ... .max, using: &dice),
      remainingSeconds: dice.roll(0...1) == 0 ? nil : .random(in: 0...86_400, using: &dice))
  }
}

extension WindowReport {
  static func random(using dice: inout Dice) -> WindowReport {
    func text() -> String { .random(using: &dice) }
    return WindowReport(
      WindowProperties(
        id: UInt32(dice.roll(0...1 << 29)), frame: UInt32(dice.roll(0...1 << 29)),
        windowClass: text(), instance: text(), title: text(), role: text()),
      rect: text(), pane: dice.roll(0...1) == 0 ? nil : text(),
      obstacle: dice.roll(0...1) == 0 ? nil : text())
  }
}

extension ReportedValue {
  static func random(of kind: Setting.Kind, using dice: inout Dice) -> ReportedValue {
    func text() -> String { .random(using: &dice) }
    return switch kind {
    case .number: .number(.random(in: -1e9...1e9, using: &dice))
    case .flag: .flag(.random(using: &dice))
    case .text: .text(text())
    case .texts: .texts((0..<dice.roll(0...3)).map { _ in text() })
    case .contents:
      .contents((0..<dice.roll(0...3)).map { _ in ContentReport(.random(using: &dice)) })
    }
  }
}

extension StatusReport {
  static func random(using dice: inout Dice) -> StatusReport {
    func text() -> String { .random(using: &dice) }
    func number() -> Double { .random(in: 0...1e12, using: &dice) }
    func count() -> Int { .random(in: 0 ... .max, using: &dice) }
    return StatusReport(
      display: text(), connected: .random(using: &dice), screen: text(), scale: number(),
      compositor: .random(using: &dice),
      glass: text(), glassReason: text(), locked: .random(using: &dice),
      lockReason: dice.roll(0...1) == 0 ? nil : text(),
      sharedMemory: .random(using: &dice), rate: number(), allowedRate: number(),
      cpuBudget: dice.roll(0...1) == 0 ? nil : number(),
      onBattery: dice.roll(0...1) == 0 ? nil : true,
      panes: count(), frames: count(),
      unchangedFrames: count(), damageEvents: count(), captures: count(), capturedPixels: count(),
      bytesRead: count(), bytesWritten: count(),
      milliseconds: StageMilliseconds(
        capture: number(), reduce: number(), blur: number(), draw: number(), present: number()),
      cache: CacheReport(
        bytes: count(), byteLimit: count(), tiles: count(), tileLimit: count(),
        pinnedTiles: count(), hits: count(), misses: count(), evictions: count()),
      redirectedWindows: count(), leftOutWindows: count(),
      obstructed: (0..<dice.roll(0...2)).map { _ in .random(using: &dice) }, residentBytes: count(),
      bufferBytes: count(), version: text(), build: text(), pid: count(), uptimeSeconds: number())
  }
}
