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
