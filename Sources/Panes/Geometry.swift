package import Raster

/// The size of a pane and its position on an output, in pixels, as users write them.
package struct Geometry: Equatable, Sendable {
  /// An offset from one of two opposite edges of the output.
  package enum Offset: Equatable, Sendable {
    /// From the left or top edge of the output to that of the pane; negative if the pane extends
    /// beyond it.
    case fromStart(Int)
    /// From the right or bottom edge of the pane to that of the output; negative if the pane
    /// extends beyond it.
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

  /// The valid width and height: those of an X window.
  package static let sizeRange = 1...32767
  /// The valid offsets: those of an X window.
  package static let offsetRange = -32768...32767

  /// The rectangle of the pane on an output with the bounds `output`, in the same coordinates.
  package func rect(on output: Rect) -> Rect {
    func position(_ offset: Offset, length: Int, from start: Int, to end: Int) -> Int {
      switch offset {
      case .fromStart(let distance): start + distance
      case .fromEnd(let distance): end - distance - length
      }
    }
    return Rect(
      x: position(x, length: width, from: output.x, to: output.maxX),
      y: position(y, length: height, from: output.y, to: output.maxY), width: width, height: height)
  }
}

extension Geometry {
  /// Parses X geometry syntax, `400x300+760-0`, or that of slop and slurp, `760,390 400x300`; with `@2x` at the end in
  /// units of 2 pixels.
  /// Throws `unreadable` or `outOfRange`, for a setting.
  package init(parsing text: String, setting: String = "geometry") throws(PaneError) {
    guard let density = Density(of: text), let parsed = Self.parsed(density.text) else {
      throw .unreadable(
        setting: setting, text: text,
        expected:
          "WIDTHxHEIGHT+X+Y or 'X,Y WIDTHxHEIGHT', with a density only at the end, as in 400x300+20+40@2x"
          + (setting == "geometry" ? "; or auto" : ""))
    }
    try parsed.check(text, setting)
    let scaled = parsed.scaled(by: density.factor)
    try scaled.check(text, setting)
    self = scaled
  }

  private static func parsed(_ text: Substring) -> Geometry? {
    var scanner = GeometryScanner(text)
    let geometry = text.contains(",") ? scanner.selectionSyntax() : scanner.xSyntax()
    return scanner.isAtEnd ? geometry : nil
  }

  private func check(_ text: String, _ setting: String) throws(PaneError) {
    func offset(_ offset: Offset) -> Int {
      switch offset {
      case .fromStart(let distance), .fromEnd(let distance): distance
      }
    }
    for length in [width, height] where !Self.sizeRange.contains(length) {
      throw .outOfRange(setting: setting, text: text, expected: "a size from 1x1 to 32767x32767")
    }
    for distance in [offset(x), offset(y)] where !Self.offsetRange.contains(distance) {
      throw .outOfRange(
        setting: setting, text: text, expected: "offsets from -32768 to 32767")
    }
  }
}

extension Geometry: CustomStringConvertible {
  /// X geometry syntax, which `init(parsing:)` reads.
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

/// Parses numbers and signs at the start of a text. Each function returns nil, or false, if the
/// text does not match.
private struct GeometryScanner {
  private var rest: Substring.UTF8View

  init(_ text: Substring) { rest = text.utf8 }

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

  /// Digits without a sign. A number that does not fit in an `Int` becomes `Int.max`, so that it is
  /// reported as out of range.
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
