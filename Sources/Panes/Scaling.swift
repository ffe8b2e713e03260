import Frost
import Raster

// Declarations in units of several pixels, as declarations in pixels.

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
  /// The size in pixels, from one in units of `factor` pixels. A length that depends on the output or the content stays.
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
