/// The scales that a user gives to outputs, by their names.
package struct OutputScales: Equatable, Sendable {
  private var scales: [String: Double] = [:]

  /// No scales.
  package init() {}

  /// Parses pairs such as `eDP-1=2,HDMI-1=1.25`; an empty text has none. Throws `unreadable` or `outOfRange`.
  package init(parsing text: String) throws(PaneError) {
    if text.isEmpty { return }
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let scale = Double(parts[1]) else {
        throw .unreadable(
          setting: Self.setting, text: text,
          expected: "outputs with their scales, such as eDP-1=2,HDMI-1=1")
      }
      try add(scale, to: parts[0])
    }
  }

  /// Gives a scale to an output. Throws `unreadable` if it has one or if the name can be none, and `outOfRange`.
  package mutating func add(_ scale: Double, to name: String) throws(PaneError) {
    let text = "\(name)=\(Self.text(scale))"
    guard !name.isEmpty, !name.contains(where: { $0 == "," || $0 == "=" }) else {
      throw .unreadable(
        setting: Self.setting, text: name, expected: "the name of an output, without , and =")
    }
    guard Output.scaleRange.contains(scale) else {
      throw .outOfRange(
        setting: Self.setting, text: text,
        expected:
          "scales from \(Output.scaleRange.lowerBound) to \(Int(Output.scaleRange.upperBound))")
    }
    guard scales.updateValue(scale, forKey: name) == nil else {
      throw .unreadable(setting: Self.setting, text: text, expected: "one scale for each output")
    }
  }

  /// The scale of an output; nil if it has none of its own.
  package subscript(name: String) -> Double? { scales[name] }

  /// The outputs with their scales as texts, in the order of their names.
  package var pairs: [(name: String, scale: String)] {
    scales.sorted { $0.key < $1.key }.map { ($0.key, Self.text($0.value)) }
  }

  /// The pairs in the form that `init(parsing:)` takes.
  package var text: String { pairs.map { "\($0.name)=\($0.scale)" }.joined(separator: ",") }

  private static let setting = "outputs"

  private static func text(_ scale: Double) -> String {
    scale == scale.rounded() && abs(scale) < 1e15 ? "\(Int(scale))" : "\(scale)"
  }
}
