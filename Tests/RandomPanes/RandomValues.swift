package import Frost
package import Panes
package import Raster
package import TestDice

// Random values of settings.

extension OutputChoice {
  /// One of the words, or a name.
  package static func random(using dice: inout Dice) -> OutputChoice {
    switch dice.roll(0...4) {
    case 0: .screen
    case 1: .primary
    case 2: .pointer
    case 3: .all
    default: .named("DP-\(dice.roll(1...4))")
    }
  }
}

extension PaneSize {
  /// Lengths in pixels and in thousandths of a percent.
  package static func random(using dice: inout Dice) -> PaneSize {
    func length() -> Length {
      switch dice.roll(0...4) {
      case 0, 1: .pixels(dice.roll(1...dice.roll(1...32767)))
      case 2, 3: .percent(Double(dice.roll(1...100_000)) / 1000)
      default: .auto
      }
    }
    return PaneSize(width: length(), height: length())
  }
}

extension Margin {
  /// Sometimes with equal edges, which have shorter texts.
  package static func random(using dice: inout Dice) -> Margin {
    let (top, right) = (dice.roll(-99...999), dice.roll(-99...999))
    return Margin(
      top: top, right: right, bottom: dice.roll(0...1) == 0 ? top : dice.roll(-99...999),
      left: dice.roll(0...1) == 0 ? right : dice.roll(-32768...32767))
  }
}

extension Geometry {
  /// Any size and offsets in range, from either edge.
  package static func random(using dice: inout Dice) -> Geometry {
    func offset() -> Offset {
      let distance = Int.random(in: offsetRange, using: &dice)
      return .random(using: &dice) ? .fromStart(distance) : .fromEnd(distance)
    }
    return Geometry(
      width: .random(in: sizeRange, using: &dice), height: .random(in: sizeRange, using: &dice),
      x: offset(), y: offset())
  }
}

extension MaterialChoice {
  /// A named material, with a colour if it takes one.
  package static func random(using dice: inout Dice) -> MaterialChoice {
    let named = NamedMaterial.all[dice.roll(0...NamedMaterial.all.count - 1)]
    let hasColor = named.takesColor && (named.standard == nil || .random(using: &dice))
    var color = hasColor ? " " + Color.random(using: &dice).text : ""
    if hasColor, .random(using: &dice) { color.removeLast(2) }
    do { return try MaterialChoice(parsing: named.name + color) } catch {
      preconditionFailure("there is such a material: \(error)")
    }
  }
}

extension Layer {
  /// Any blend mode and colour.
  package static func random(using dice: inout Dice) -> Layer {
    Layer(BlendMode.allCases.randomElement(using: &dice) ?? .normal, .random(using: &dice))
  }
}

extension Color {
  /// One that a text of eight digits can hold.
  package static func random(using dice: inout Dice) -> Color {
    func component() -> Double { Double(dice.roll(0...255)) / 255 }
    return Color(red: component(), green: component(), blue: component(), alpha: component())
  }
}

extension Corner {
  /// A radius from 0 to `radius` pixels, of either curve.
  package static func random(upTo radius: Double, using dice: inout Dice) -> Corner {
    Corner(
      radius: .random(in: 0...radius, using: &dice),
      curve: .random(using: &dice) ? .circular : .continuous)
  }
}

extension Border {
  /// No border, or one in range.
  package static func random(using dice: inout Dice) -> Border {
    if dice.roll(0...3) == 0 { return .none }
    return Border(width: .random(in: widthRange, using: &dice), color: .random(using: &dice))
  }
}

extension Shadow {
  /// A preset, no shadow, or one in range.
  package static func random(using dice: inout Dice) -> Shadow {
    let known = presets.map(\.shadow) + [.none]
    if .random(using: &dice) { return known.randomElement(using: &dice) ?? .none }
    return Shadow(
      offsetX: .random(in: offsetRange, using: &dice),
      offsetY: .random(in: offsetRange, using: &dice),
      radius: .random(in: radiusRange, using: &dice), color: .random(using: &dice))
  }
}

// MARK: Content

extension PaneContent {
  /// With a small picture, and some labels with emoji.
  package static func random(using dice: inout Dice) -> PaneContent {
    func text() -> String { .random(using: &dice) }
    let isLabel = Bool.random(using: &dice)
    let vibrancy = .random(using: &dice) ? nil : Vibrancy.allCases.randomElement(using: &dice)
    let picture = Bitmap.random(using: &dice)
    let hasEmoji = isLabel && vibrancy != nil && .random(using: &dice)
    let emoji = Bitmap(
      width: picture.width, height: picture.height, pixels: picture.pixels.reversed())
    return PaneContent(
      source: isLabel ? .label(.random(using: &dice)) : .image(path: text()),
      place: .random(using: &dice), vibrancy: vibrancy,
      drawing: ContentDrawing(
        picture, emoji: hasEmoji ? emoji : nil,
        scope: .random(using: &dice) ? nil : .random(isOfText: isLabel, using: &dice)))
  }
}

extension LabelText {
  /// Often white.
  package static func random(using dice: inout Dice) -> LabelText {
    let color = Color.random(using: &dice)
    return LabelText(
      .random(using: &dice), font: .random(using: &dice),
      color: .random(using: &dice) ? Color(white: 1) : color,
      fit: TextFit(
        TextFit.Wrapping.allCases.randomElement(using: &dice) ?? .word,
        TextFit.Ellipsis.allCases.randomElement(using: &dice) ?? .end))
  }
}

extension DrawingScope {
  /// For one scale, and for all sizes if it is not that of a text.
  package static func random(isOfText: Bool, using dice: inout Dice) -> DrawingScope {
    let (width, height) = (dice.roll(0...999), dice.roll(0...999))
    let sizes: [Sizes] =
      isOfText
      ? [.any, .atLeast(width: width, height: height), .exactly(width: width, height: height)]
      : [.any]
    return DrawingScope(
      scale: .random(in: Output.scaleRange, using: &dice),
      sizes: sizes.randomElement(using: &dice) ?? .any)
  }
}

extension ContentPlace {
  /// Centred or at a distance in range from either edge.
  package static func random(using dice: inout Dice) -> ContentPlace {
    func position() -> Position {
      let distance = Int.random(in: distanceRange, using: &dice)
      return switch dice.roll(0...2) {
      case 0: .center
      case 1: .fromStart(distance)
      default: .fromEnd(distance)
      }
    }
    return ContentPlace(x: position(), y: position())
  }
}

extension Bitmap {
  /// Small and premultiplied, with pixels of every alpha.
  package static func random(using dice: inout Dice) -> Bitmap {
    let (width, height) = (dice.roll(1...9), dice.roll(1...9))
    let pixels = (0..<width * height).map { _ in
      let alpha = UInt32.random(in: 0...255, using: &dice)
      return (0..<3).reduce(alpha) { pixel, _ in pixel << 8 | .random(in: 0...alpha, using: &dice) }
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }
}

extension String {
  /// Quotes, newlines, control characters and characters of one to four bytes among them.
  package static func random(using dice: inout Dice) -> String {
    let alphabet = Array("az09._-\"\\/{}[]:,' \n\r\t\0\u{1b}\u{7f}é雪🪟\u{2028}")
    return String(
      (0..<dice.roll(0...20)).compactMap { _ in alphabet.randomElement(using: &dice) })
  }
}
