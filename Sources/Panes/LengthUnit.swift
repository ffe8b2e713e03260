import Frost

/// The unit of the lengths of a pane: of its place, its blur, its decoration and the positions of its content.
package enum LengthUnit: String, CaseIterable, Sendable {
  /// A pixel of the output.
  case pixels
  /// 1/96 inch: as many pixels as the scale of the output says.
  case logical

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "units")
  }

  /// The number of pixels of one unit on an output.
  package func pixels(on output: Output) -> Double {
    switch self {
    case .pixels: 1
    case .logical: output.scale
    }
  }
}

/// A density at the end of a text, as in names of images: `400x300@2x` is given in units of 2 pixels.
struct Density {
  /// The text before it.
  let text: Substring
  /// The number of pixels of one unit; 1 if the text has no density.
  let factor: Double

  /// Returns nil if what follows an `@` is not a density from 0.5 to 8.
  init?(of whole: String) {
    guard let start = whole.lastIndex(of: "@") else {
      (text, factor) = (whole[...], 1)
      return
    }
    let word = whole[whole.index(after: start)...]
    guard word.last == "x", word.dropLast().allSatisfy({ $0.isNumber || $0 == "." }),
      let factor = Double(word.dropLast()), Output.scaleRange.contains(factor)
    else { return nil }
    (text, self.factor) = (whole[..<start], factor)
  }
}

extension Int {
  /// The nearest number of pixels of a length in other units.
  func scaled(by factor: Double) -> Int {
    factor == 1 ? self : Int((Double(self) * factor).rounded().clamped(to: -1e9...1e9))
  }
}

extension Double {
  func clamped(to range: ClosedRange<Double>) -> Double {
    min(range.upperBound, max(range.lowerBound, self))
  }
}

extension Geometry {
  /// The geometry in pixels, from one in units of `factor` pixels; its size is at least 1x1.
  func scaled(by factor: Double) -> Geometry {
    func scaled(_ offset: Offset) -> Offset {
      switch offset {
      case .fromStart(let distance): .fromStart(distance.scaled(by: factor))
      case .fromEnd(let distance): .fromEnd(distance.scaled(by: factor))
      }
    }
    return Geometry(
      width: max(1, width.scaled(by: factor)), height: max(1, height.scaled(by: factor)),
      x: scaled(x), y: scaled(y))
  }
}

extension PaneSize {
  /// The size in pixels, from one in units of `factor` pixels. What depends on the output or the content stays.
  func scaled(by factor: Double) -> PaneSize {
    func scaled(_ length: Length) -> Length {
      guard case .pixels(let count) = length else { return length }
      return .pixels(max(1, count.scaled(by: factor)))
    }
    return PaneSize(width: scaled(width), height: scaled(height))
  }
}

extension Margin {
  /// The margin in pixels, from one in units of `factor` pixels.
  package func scaled(by factor: Double) -> Margin {
    Margin(
      top: top.scaled(by: factor), right: right.scaled(by: factor),
      bottom: bottom.scaled(by: factor), left: left.scaled(by: factor))
  }
}

extension PaneLook {
  /// The look in pixels, from one in units of `factor` pixels. Lengths stay within their ranges.
  func scaled(by factor: Double) -> PaneLook {
    if factor == 1 { return self }
    var look = self
    look.material.sigma = (material.sigma * factor).clamped(to: Material.sigmaRange)
    look.decoration = DecorationStyle(
      corner: Corner(
        radius: (decoration.corner.radius * factor).clamped(to: Corner.radiusRange),
        curve: decoration.corner.curve),
      border: Border(width: decoration.border.width * factor, color: decoration.border.color),
      shadow: decoration.shadow.scaled(by: factor))
    return look
  }
}

extension Shadow {
  fileprivate func scaled(by factor: Double) -> Shadow {
    func scaled(_ offset: Int) -> Int {
      min(Self.offsetRange.upperBound, max(Self.offsetRange.lowerBound, offset.scaled(by: factor)))
    }
    return Shadow(
      offsetX: scaled(offsetX), offsetY: scaled(offsetY),
      radius: (radius * factor).clamped(to: Self.radiusRange), opacity: opacity, color: color)
  }
}
