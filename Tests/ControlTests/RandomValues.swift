import Control
import Frost
import Panes
import Raster

// Random requests and replies, of every kind.

extension Request {
  static func random(using dice: inout some RandomNumberGenerator) -> Request {
    let name = String.random(using: &dice)
    return switch Int.random(in: 0...10, using: &dice) {
    case 0: .add(name: name, .random(using: &dice), .random(using: &dice))
    case 1: .set(name: name, .random(using: &dice), .random(using: &dice))
    case 2: .remove(name: name)
    case 3: .show(name: name, .random(using: &dice))
    case 4: .hide(name: name, .random(using: &dice))
    case 5: .toggle(name: name, .random(using: &dice))
    case 6: .list
    case 7: .status
    case 8: .sync
    case 9: .snapshot(name: name, isBackdrop: .random(using: &dice))
    default: .quit
    }
  }
}

extension Fade {
  static func random(using dice: inout some RandomNumberGenerator) -> Fade {
    let fade = try? Fade(milliseconds: .random(in: range, using: &dice))
    return .random(using: &dice) ? .none : fade ?? .none
  }
}

extension PaneChange {
  static func random(using dice: inout some RandomNumberGenerator) -> PaneChange {
    var change = PaneChange()
    if .random(using: &dice) { change.geometry = .random(using: &dice) }
    if .random(using: &dice) { change.sigma = .random(in: Material.sigmaRange, using: &dice) }
    if .random(using: &dice) { change.saturation = .random(in: saturationRange, using: &dice) }
    if .random(using: &dice) { change.brightness = .random(in: brightnessRange, using: &dice) }
    if .random(using: &dice) { change.contrast = .random(in: contrastRange, using: &dice) }
    if .random(using: &dice) { change.material = .random(using: &dice) }
    if .random(using: &dice) { change.noise = .random(in: Material.noiseRange, using: &dice) }
    if .random(using: &dice) {
      let count = Int.random(in: 0...layerLimit, using: &dice)
      change.layers = (0..<count).map { _ in .random(using: &dice) }
    }
    if .random(using: &dice) { change.tint = .random(using: &dice) }
    if .random(using: &dice) { change.corner = .random(using: &dice) }
    if .random(using: &dice) { change.border = .random(using: &dice) }
    if .random(using: &dice) { change.shadow = .random(using: &dice) }
    if .random(using: &dice) { change.sees = Sight.allCases.randomElement(using: &dice) }
    if .random(using: &dice) { change.input = InputMode.allCases.randomElement(using: &dice) }
    if .random(using: &dice) {
      let count = Int.random(in: 0...PaneContent.countLimit, using: &dice)
      change.contents = (0..<count).map { _ in .random(using: &dice) }
    }
    return change
  }
}

extension MaterialChoice {
  static func random(using dice: inout some RandomNumberGenerator) -> MaterialChoice? {
    let named = NamedMaterial.all.randomElement(using: &dice)
    let color = named?.takesColor == true ? " " + Color.random(using: &dice).text : ""
    return named.flatMap { try? MaterialChoice(parsing: $0.name + color) }
  }
}

extension Layer {
  static func random(using dice: inout some RandomNumberGenerator) -> Layer {
    Layer(BlendMode.allCases.randomElement(using: &dice) ?? .normal, .random(using: &dice))
  }
}

extension Corner {
  static func random(using dice: inout some RandomNumberGenerator) -> Corner {
    Corner(
      radius: .random(in: radiusRange, using: &dice),
      curve: .random(using: &dice) ? .circular : .continuous)
  }
}

extension Border {
  static func random(using dice: inout some RandomNumberGenerator) -> Border {
    .random(using: &dice)
      ? .none : Border(width: .random(in: widthRange, using: &dice), color: .random(using: &dice))
  }
}

extension Shadow {
  static func random(using dice: inout some RandomNumberGenerator) -> Shadow {
    let known = presets.map(\.shadow) + [.none]
    if .random(using: &dice) { return known.randomElement(using: &dice) ?? .none }
    return Shadow(
      offsetX: .random(in: offsetRange, using: &dice),
      offsetY: .random(in: offsetRange, using: &dice),
      radius: .random(in: radiusRange, using: &dice), color: .random(using: &dice))
  }
}

extension PaneContent {
  static func random(using dice: inout some RandomNumberGenerator) -> PaneContent {
    func text() -> String { .random(using: &dice) }
    return PaneContent(
      source: .random(using: &dice) ? .image(path: text()) : .label(text: text(), font: text()),
      place: .random(using: &dice), vibrancy: Vibrancy?.random(using: &dice),
      picture: .random(using: &dice))
  }
}

extension Vibrancy? {
  static func random(using dice: inout some RandomNumberGenerator) -> Vibrancy? {
    .random(using: &dice) ? nil : Vibrancy.allCases.randomElement(using: &dice)
  }
}

extension ContentPlace {
  static func random(using dice: inout some RandomNumberGenerator) -> ContentPlace {
    func position() -> Position {
      let distance = Int.random(in: distanceRange, using: &dice)
      return [.center, .fromStart(distance), .fromEnd(distance)].randomElement(using: &dice)
        ?? .center
    }
    return ContentPlace(x: position(), y: position())
  }
}

extension Bitmap {
  /// Small, with pixels of every alpha and no colour above it.
  static func random(using dice: inout some RandomNumberGenerator) -> Bitmap {
    let (width, height) = (Int.random(in: 1...9, using: &dice), Int.random(in: 1...9, using: &dice))
    let pixels = (0..<width * height).map { _ in
      let alpha = UInt32.random(in: 0...255, using: &dice)
      return (0..<3).reduce(alpha) { pixel, _ in pixel << 8 | .random(in: 0...alpha, using: &dice) }
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }
}

extension Geometry {
  static func random(using dice: inout some RandomNumberGenerator) -> Geometry {
    func offset() -> Offset {
      let distance = Int.random(in: offsetRange, using: &dice)
      return .random(using: &dice) ? .fromStart(distance) : .fromEnd(distance)
    }
    return Geometry(
      width: .random(in: sizeRange, using: &dice), height: .random(in: sizeRange, using: &dice),
      x: offset(), y: offset())
  }
}

extension Color {
  /// One that a text of eight digits can hold.
  static func random(using dice: inout some RandomNumberGenerator) -> Color {
    func component() -> Double { Double(Int.random(in: 0...255, using: &dice)) / 255 }
    return Color(red: component(), green: component(), blue: component(), alpha: component())
  }
}

extension String {
  /// Quotes, newlines, controls and letters of every size among them.
  static func random(using dice: inout some RandomNumberGenerator) -> String {
    let alphabet = Array("az09._-\"\\/{}[]:,' \n\r\t\0\u{1b}\u{7f}é雪🪟\u{2028}")
    return String(
      (0..<Int.random(in: 0...20, using: &dice)).compactMap { _ in
        alphabet.randomElement(using: &dice)
      })
  }
}

extension Reply {
  static func random(using dice: inout some RandomNumberGenerator) -> Reply {
    switch Int.random(in: 0...4, using: &dice) {
    case 0: return .done
    case 1:
      return .panes((0..<Int.random(in: 0...4, using: &dice)).map { _ in .random(using: &dice) })
    case 2: return .status(.random(using: &dice))
    case 3:
      func number() -> Int { .random(in: .min ... .max, using: &dice) }
      return .picture(PictureReport(width: number(), height: number(), pixelsPerRow: number()))
    default:
      let kind = FailureKind.allCases.randomElement(using: &dice) ?? .usage
      return .failure(kind, .random(using: &dice))
    }
  }
}

extension PaneReport {
  static func random(using dice: inout some RandomNumberGenerator) -> PaneReport {
    func text() -> String { .random(using: &dice) }
    func number() -> Double { .random(in: -1e9...1e9, using: &dice) }
    return PaneReport(
      name: text(), geometry: text(), rect: text(), isShown: .random(using: &dice),
      material: .random(using: &dice) ? text() : nil, sigma: number(), saturation: number(),
      brightness: number(), contrast: number(), noise: number(),
      blend: (0..<Int.random(in: 0...3, using: &dice)).map { _ in text() }, tint: text(),
      corner: text(), border: text(), shadow: text(), sees: text(), input: text(),
      content: (0..<Int.random(in: 0...3, using: &dice)).map { _ in
        ContentReport(.random(using: &dice))
      },
      frames: .random(in: 0 ... .max, using: &dice))
  }
}

extension StatusReport {
  static func random(using dice: inout some RandomNumberGenerator) -> StatusReport {
    func text() -> String { .random(using: &dice) }
    func number() -> Double { .random(in: 0...1e12, using: &dice) }
    func count() -> Int { .random(in: 0 ... .max, using: &dice) }
    return StatusReport(
      display: text(), screen: text(), scale: number(), compositor: .random(using: &dice),
      sharedMemory: .random(using: &dice), panes: count(), frames: count(),
      unchangedFrames: count(), damageEvents: count(), damagedPixels: count(),
      bytesRead: count(), bytesWritten: count(),
      milliseconds: StageMilliseconds(
        capture: number(), reduce: number(), blur: number(), draw: number(), present: number()),
      redirectedWindows: count(), residentBytes: count(), bufferBytes: count(), pid: count(),
      uptimeSeconds: number())
  }
}
