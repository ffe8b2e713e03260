import Frost
package import Panes
import Raster
package import TestDice

// Random panes and changes of panes. All values are in range, and have a text that gives the same value.

extension Pane {
  /// A pane with some declared settings. If its size does not depend on its output, its corner fits it, and no content is
  /// outside.
  package static func random(using dice: inout Dice) -> Pane {
    var settings = PaneSettings.random(using: &dice)
    if dice.roll(0...5) == 0 {
      // Two conditions, so that any one can be reset.
      settings.windowClass = settings.windowClass ?? "kitty"
      settings.role = settings.role ?? "a b"
      settings.moveBehindWindows()
      return make(settings, using: &dice)
    }
    for setting in Setting.all where setting.group == .window { settings.reset(setting) }
    if dice.roll(0...2) > 0 {
      (settings.size, settings.anchor, settings.margin) = (nil, nil, nil)
      settings.edge = nil
      settings.geometry = settings.geometry ?? .random(using: &dice)
    } else {
      settings.geometry = nil
      settings.size = settings.size ?? .random(using: &dice)
    }
    settings.fitDrawer()
    if settings.input == .pass { settings.click = nil }
    // Also if its unit is reset.
    var pixels = settings
    pixels.units = nil
    if let size = (try? pixels.placement())?.fixedSize { settings.fit(size, using: &dice) }
    return make(settings, using: &dice)
  }

  private static func make(_ settings: PaneSettings, using dice: inout Dice) -> Pane {
    do {
      return try Pane(randomName(using: &dice), settings, isShown: .random(using: &dice))
    } catch {
      preconditionFailure("these settings are in range: \(error)")
    }
  }

  /// A name that a pane may have.
  package static func randomName(using dice: inout Dice) -> String {
    let letters = Array("abcxyzABCXYZ0189._-")
    return String((0..<dice.roll(1...64)).compactMap { _ in letters.randomElement(using: &dice) })
  }
}

extension PaneChange {
  /// Some settings get values. Others, and sometimes the same ones, are reset.
  package static func random(using dice: inout Dice) -> PaneChange {
    let resetCount = dice.roll(0...1) * dice.roll(0...Setting.all.count)
    let reset = Setting.all.shuffled(using: &dice).prefix(resetCount).map(\.name)
    return PaneChange(.random(using: &dice), reset: Set(reset))
  }
}

extension PaneSettings {
  /// Removes what a pane behind windows cannot have.
  fileprivate mutating func moveBehindWindows() {
    for setting in Setting.all {
      let isOther = [.place, .content, .behavior].contains(setting.group)
      if isOther, setting.name != "units" { reset(setting) }
    }
    if sees == .panes { sees = nil }
  }

  /// Removes the value of a setting.
  fileprivate mutating func reset(_ setting: Setting) {
    self = PaneChange(PaneSettings(), reset: [setting.name]).applied(to: self)
  }

  /// Removes what a pane without an edge cannot have, and an anchor that is not at the edge.
  fileprivate mutating func fitDrawer() {
    guard let edge else { return (peek, elasticity, dragHandle) = (nil, nil, nil) }
    if let anchor, !edge.anchors.contains(anchor) { self.anchor = nil }
  }

  /// Makes the corner fit a size, and removes content outside.
  fileprivate mutating func fit(_ size: (width: Int, height: Int), using dice: inout Dice) {
    if corner != nil {
      let limit = Double(min(size.width, size.height)) / 2
      corner = .random(upTo: min(limit, Corner.radiusRange.upperBound), using: &dice)
    }
    contents = contents?.filter { (try? PaneContent.check([$0], on: size)) != nil }
    let bounds = Rect(x: 0, y: 0, width: size.width, height: size.height)
    if dragHandle?.rect(on: bounds).intersects(bounds) == false { dragHandle = nil }
  }

  /// Each setting is declared or not.
  package static func random(using dice: inout Dice) -> PaneSettings {
    var settings = PaneSettings()
    for setting in Setting.all where Bool.random(using: &dice) {
      settings.setRandomValue(of: setting, using: &dice)
    }
    return settings
  }

  /// Sets a setting to a random value through its text.
  package mutating func setRandomValue(of setting: Setting, using dice: inout Dice) {
    do { try setting.read(.random(of: setting, using: &dice), &self) } catch {
      preconditionFailure("\(setting.name): this value is in range: \(error)")
    }
  }
}

extension SettingValue {
  /// A value of a setting; traps for a setting that is not known here.
  package static func random(of setting: Setting, using dice: inout Dice) -> SettingValue {
    switch setting.name {
    case "geometry": .text("\(Geometry.random(using: &dice))")
    case "output": .text(OutputChoice.random(using: &dice).text)
    case "size": .text(PaneSize.random(using: &dice).text)
    case "anchor": .text(Anchor.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "margin": .text(Margin.random(using: &dice).text)
    case "units": .text(LengthUnit.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "edge": .text(Edge.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "peek": .number(.random(in: 0...32767, using: &dice))
    case "elasticity": .number(.random(in: 0...0.9, using: &dice))
    case "drag-handle": .text("\(Geometry.random(using: &dice))")
    case "workarea": .flag(.random(using: &dice))
    case "layer":
      .text(StackingLayer.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "class", "instance", "role":
      .text(["kitty", "Xterm", "a b"].randomElement(using: &dice) ?? "")
    case "title": .text(["^vim", "a|b", "[0-9]+$"].randomElement(using: &dice) ?? "")
    case "type": .text(WindowType.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "window": .text(WindowNumber(UInt32(dice.roll(1...1 << 24))).text)
    case "override-redirect", "requests": .flag(.random(using: &dice))
    case "exclude":
      .texts(
        (0..<dice.roll(0...4)).map { _ in
          ["class=kitty", "title=^a", "type=dock", "window=0x12"].randomElement(using: &dice) ?? ""
        })
    case "inset": .text(Margin.random(using: &dice).text)
    case "translucent": .text(Translucency.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "background": .text(["none", "auto", "#102A3F"].randomElement(using: &dice) ?? "")
    case "background-opacity": .number(.random(in: 0...1, using: &dice))
    case "keep-pictures": .flag(.random(using: &dice))
    case "material": .text(MaterialChoice.random(using: &dice).text)
    case "sigma": .number(.random(in: 0...200, using: &dice))
    case "saturation": .number(.random(in: -5...5, using: &dice))
    case "brightness": .number(.random(in: -1...1, using: &dice))
    case "contrast": .number(.random(in: 0...5, using: &dice))
    case "blend": .texts((0..<dice.roll(0...16)).map { _ in Layer.random(using: &dice).text })
    case "tint": .text(Color.random(using: &dice).text)
    case "noise": .number(.random(in: 0...0.25, using: &dice))
    case "corner": .text(Corner.random(upTo: Corner.radiusRange.upperBound, using: &dice).text)
    case "border": .text(Border.random(using: &dice).text)
    case "shadow": .text(Shadow.random(using: &dice).text)
    case "style": .text(PaneStyle.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "scheme": .text(SchemeChoice.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "sees": .text(BackdropSource.allCases.randomElement(using: &dice)?.rawValue ?? "")
    case "input": .text(["pass", "grab"].randomElement(using: &dice) ?? "")
    case "click": .text(["true", "exit 3", "echo $HOME"].randomElement(using: &dice) ?? "")
    case "content": .contents((0..<dice.roll(0...16)).map { _ in .random(using: &dice) })
    default: preconditionFailure("no random values of '\(setting.name)'; add them here")
    }
  }
}
