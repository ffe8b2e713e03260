/// The reduction of pixels to cells. Blurs of many sigmas share one reduction, and so one grid of cells.
///
/// A cell is a weighted mean of the pixels around it: a triangle, the box of a cell applied twice. Its frequency
/// response has a double zero at each alias frequency, which is enough if the Gaussian that follows is wider than
/// 1.2 cells. The single zero of a box is not.
///
/// From 8 pixels on the triangle has steps of half a cell, with the weights 1 2 1. It costs what a box costs. Only
/// its zeros at even multiples of the alias frequency are single, where the spectrum of a desktop is low: its
/// largest error is that of the triangle.
package struct Reduction: Hashable, Sendable {
  /// The edge length of a cell in pixels: a power of two, 1 to 16.
  package let cell: Int

  /// The number of pixels with the same weight.
  var step: Int { cell < 8 ? 1 : cell / 2 }

  /// The number of pixels before the first pixel of a cell, and after its last pixel, on which the cell depends. For cells of 8
  /// pixels or more both are half a step.
  var before: Int { cell - step - after }
  var after: Int { step / 2 }

  /// The first pixel of a cell at or after its centre, counted from its first pixel.
  var centre: Int { step > 1 ? cell / 2 : 0 }

  /// Whether the centre of a cell lies half a pixel before that pixel, and not on it.
  var isCenteredBetweenPixels: Bool { step > 1 }

  /// Whether a cell depends on as many pixels before it as after it, so that it and its mirror image have the same value.
  var isSymmetric: Bool { before == after }

  /// The variance of the weights, in pixels^2.
  var variance: Double {
    let (step, steps) = (Double(step), Double(cell / step))
    return (step * step - 1) / 12 + step * step * (steps * steps - 1) / 6
  }
}
