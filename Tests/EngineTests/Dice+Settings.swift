import Frost
import Panes
import Raster
import TestDice

/// Random values for requests to an engine.
extension Dice {
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  mutating func picture(width: Int, height: Int) -> Bitmap {
    .noise(width: width, height: height, using: &self)
  }

  /// A geometry relative to any edge, sometimes partly or wholly outside the screen.
  mutating func geometry(on screen: Rect) -> Geometry {
    func offset(_ length: Int) -> Geometry.Offset {
      let distance = roll(-length / 3...length)
      return Bool.random(using: &self) ? .fromStart(distance) : .fromEnd(distance)
    }
    let size = rect(in: screen)
    return Geometry(
      width: size.width, height: size.height, x: offset(screen.width), y: offset(screen.height))
  }

  /// A fade; none in most cases.
  mutating func fade() throws -> Fade {
    try Fade(milliseconds: roll(0...3) == 0 ? number(0.1...300) : 0)
  }

  /// Some settings with values in range.
  mutating func settings(on screen: Rect) -> PaneSettings {
    var settings = PaneSettings()
    let sigmas = [0, 0.7, 2.4, 5, 8, 20, 45, 200]
    // The other half of the panes adapts to the backdrop.
    settings.style = roll(0...1) == 0 ? .plain : nil
    if roll(0...3) == 0 { settings.scheme = SchemeChoice.allCases.randomElement(using: &self) }
    if roll(0...2) == 0 { place(&settings, on: screen) }
    if roll(0...2) == 0 { settings.sigma = sigmas.randomElement(using: &self) }
    if roll(0...3) == 0 { settings.saturation = number(PaneSettings.saturationRange) }
    if roll(0...3) == 0 { settings.brightness = number(PaneSettings.brightnessRange) }
    if roll(0...3) == 0 { settings.contrast = number(PaneSettings.contrastRange) }
    if roll(0...2) == 0 {
      settings.tint = Color(red: number(0...1), green: 0.5, blue: 0, alpha: 0.3)
    }
    if roll(0...5) == 0 { settings.noise = number(Material.noiseRange) }
    if roll(0...2) == 0 { settings.corner = corner(in: settings.geometry) }
    if roll(0...4) == 0 { settings.shadow = shadow() }
    if roll(0...4) == 0 {
      settings.border = Border(width: number(0...6), color: Color(white: 1, alpha: number(0...1)))
    }
    if roll(0...3) == 0 { settings.contents = (0..<roll(0...3)).map { _ in content() } }
    if roll(0...3) == 0 { settings.sees = BackdropSource.allCases.randomElement(using: &self) }
    if roll(0...4) == 0 {
      settings.stackingLayer = StackingLayer.allCases.randomElement(using: &self)
    }
    if roll(0...3) == 0 { settings.input = InputMode.allCases.randomElement(using: &self) }
    return settings
  }

  /// Sets a place in one of the two forms, sometimes on an output.
  mutating func place(_ settings: inout PaneSettings, on screen: Rect) {
    if roll(0...2) > 0 {
      settings.geometry = geometry(on: screen)
    } else {
      func length(_ most: Int) -> PaneSize.Length {
        if roll(0...4) == 0 { return .auto }
        return roll(0...1) == 0 ? .pixels(roll(1...most)) : .percent(number(1...100))
      }
      settings.size = PaneSize(width: length(screen.width), height: length(screen.height))
      settings.anchor = Anchor.allCases.randomElement(using: &self)
      if roll(0...1) == 0 { drawer(&settings) }
      settings.margin = Margin(
        top: roll(-5...20), right: roll(-5...20), bottom: roll(-5...20), left: roll(-5...20))
    }
    let outputs: [OutputChoice] = [
      .screen, .primary, .pointer, .all, .named("left"), .named("right"),
    ]
    if roll(0...2) == 0 { settings.output = outputs.randomElement(using: &self) }
    settings.workArea = roll(0...3) == 0 ? true : nil
    settings.units = roll(0...2) == 0 ? LengthUnit.allCases.randomElement(using: &self) : nil
  }

  private mutating func drawer(_ settings: inout PaneSettings) {
    let edge = Edge.allCases.randomElement(using: &self) ?? .top
    settings.edge = edge
    if let anchor = settings.anchor, !edge.anchors.contains(anchor) { settings.anchor = nil }
    settings.peek = roll(0...1) == 0 ? Double(roll(0...40)) : nil
    settings.elasticity = roll(0...1) == 0 ? number(Drawer.elasticityRange) : nil
    if roll(0...2) == 0 {
      settings.dragHandle = Geometry(
        width: roll(1...99), height: roll(1...9), x: .fromStart(0), y: .fromEnd(0))
    }
  }

  /// Outputs that divide a screen, that overlap or leave a part of it free; none for the whole screen.
  mutating func outputs(on screen: Rect) -> [Output] {
    let names = [["left"], ["left", "right"], ["right", "left"], ["left", "right", "third"]]
    let primary = roll(0...3)
    return (names.randomElement(using: &self) ?? []).enumerated().map { i, name in
      let bounds = rect(in: screen)
      return Output(
        name: name, bounds: bounds, scale: [1, 1, 1.25, 2][roll(0...3)],
        orientation: Orientation(quarterTurns: roll(0...1)),
        isPrimary: i == primary, workArea: roll(0...1) == 0 ? bounds : rect(in: bounds))
    }
  }

  /// Sometimes the names of settings to reset, without the size and the geometry.
  mutating func resets() -> Set<String> {
    if roll(0...3) > 0 { return [] }
    return Set(Setting.all.map(\.name).filter { _ in roll(0...4) == 0 }).subtracting([
      "geometry", "size",
    ])
  }

  /// A corner, which fits in most cases.
  private mutating func corner(in geometry: Geometry?) -> Corner {
    let most = geometry.map { Double(min($0.width, $0.height)) / 2 } ?? 8
    let curve: Corner.Curve = Bool.random(using: &self) ? .circular : .continuous
    return Corner(radius: roll(0...2) == 0 ? 0 : number(0...most), curve: curve)
  }

  private mutating func shadow() -> Shadow {
    if roll(0...2) == 0 { return .none }
    return Shadow(
      offsetX: roll(-9...9), offsetY: roll(-9...9), radius: number(0...16), opacity: number(0...1),
      color: Color(red: 0, green: 0, blue: number(0...1), alpha: 1))
  }

  /// For panes of a random size.
  mutating func scope() -> DrawingScope {
    let (width, height) = (roll(1...60), roll(1...40))
    return DrawingScope(
      scale: [1, 1.25, 2][roll(0...2)],
      sizes: [
        .any, .atLeast(width: width, height: height), .exactly(width: width, height: height),
      ][roll(0...2)])
  }

  private mutating func content() -> PaneContent {
    func position() -> ContentPlace.Position {
      switch roll(0...2) {
      case 0: .center
      case 1: .fromStart(roll(0...40))
      default: .fromEnd(roll(0...40))
      }
    }
    var picture = self.picture(width: roll(1...30), height: roll(1...20))
    for i in picture.pixels.indices where roll(0...1) == 0 { picture.pixels[i] = 0 }
    return PaneContent(
      source: .image(path: "/picture"), place: ContentPlace(x: position(), y: position()),
      vibrancy: roll(0...2) == 0 ? nil : Vibrancy.allCases.randomElement(using: &self),
      drawing: ContentDrawing(picture, scope: roll(0...1) == 0 ? nil : scope()))
  }
}
