package import Raster

/// A size and where it goes on an output, as users write it: each offset is measured from the left or
/// top edge, or from the right or bottom one.
package struct Geometry: Equatable, Sendable {
  package enum Offset: Equatable, Sendable {
    /// From the left or top edge; negative: beyond it.
    case fromStart(Int)
    /// From the right or bottom edge, inward; negative: beyond it.
    case fromEnd(Int)
  }

  package var width, height: Int
  package var x, y: Offset

  package init(width: Int, height: Int, x: Offset, y: Offset) {
    self.width = width
    self.height = height
    self.x = x
    self.y = y
  }

  /// What an X window may measure.
  package static let sizeRange = 1...32767
  /// Where an X window may lie.
  package static let offsetRange = -32768...32767

  /// The rectangle on an output that covers `output`.
  package func rect(on output: Rect) -> Rect {
    func place(_ offset: Offset, length: Int, from start: Int, to end: Int) -> Int {
      switch offset {
      case .fromStart(let distance): start + distance
      case .fromEnd(let distance): end - distance - length
      }
    }
    return Rect(
      x: place(x, length: width, from: output.x, to: output.maxX),
      y: place(y, length: height, from: output.y, to: output.maxY), width: width, height: height)
  }
}

extension Geometry {
  /// Reads X geometry syntax, `400x300+760-0`, or that of slop and slurp, `760,390 400x300`.
  package init(parsing text: String) throws(PaneError) {
    var scanner = GeometryScanner(text)
    let parsed =
      text.contains(",") ? scanner.selectionSyntax() : scanner.xSyntax()
    guard let parsed, scanner.isAtEnd else {
      throw .unreadable(
        setting: "geometry", text: text, expected: "WIDTHxHEIGHT+X+Y or 'X,Y WIDTHxHEIGHT'")
    }
    try parsed.check(text)
    self = parsed
  }

  private func check(_ text: String) throws(PaneError) {
    func offset(_ offset: Offset) -> Int {
      switch offset {
      case .fromStart(let distance), .fromEnd(let distance): distance
      }
    }
    for length in [width, height] where !Self.sizeRange.contains(length) {
      throw .outOfRange(setting: "geometry", text: text, expected: "a size from 1x1 to 32767x32767")
    }
    for distance in [offset(x), offset(y)] where !Self.offsetRange.contains(distance) {
      throw .outOfRange(
        setting: "geometry", text: text, expected: "offsets from -32768 to 32767")
    }
  }
}

extension Geometry: CustomStringConvertible {
  package var description: String {
    func text(_ offset: Offset) -> String {
      switch offset {
      case .fromStart(let distance): "+\(distance)"
      case .fromEnd(let distance): "-\(distance)"
      }
    }
    return "\(width)x\(height)\(text(x))\(text(y))"
  }
}

/// Reads numbers and signs off the front of a text.
private struct GeometryScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func xSyntax() -> Geometry? {
    guard let width = number(), skip("x"), let height = number(), let x = offset(),
      let y = offset()
    else { return nil }
    return Geometry(width: width, height: height, x: x, y: y)
  }

  mutating func selectionSyntax() -> Geometry? {
    guard let x = signedNumber(), skip(","), let y = signedNumber(), skip(" "),
      let width = number(), skip("x"), let height = number()
    else { return nil }
    return Geometry(width: width, height: height, x: .fromStart(x), y: .fromStart(y))
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Digits only. A number too large for an `Int` is as large as one can be, so that it is reported as
  /// out of range rather than as no number.
  private mutating func number() -> Int? {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    if digits.isEmpty { return nil }
    rest = rest[digits.endIndex...]
    return Int(String(Substring(digits))) ?? .max
  }

  private mutating func signedNumber() -> Int? {
    let isNegative = skip("-")
    return number().map { isNegative ? -$0 : $0 }
  }

  private mutating func offset() -> Geometry.Offset? {
    if skip("+") { return signedNumber().map { .fromStart($0) } }
    if skip("-") { return signedNumber().map { .fromEnd($0) } }
    return nil
  }
}
