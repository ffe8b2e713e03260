extension PaneSettings {
  /// The options of the command line that declare these settings, without content.
  package var arguments: [String] {
    Setting.all.flatMap { setting -> [String] in
      let option = "--\(setting.name)"
      return switch setting.write(self) {
      case .number(let number): [option, text(of: number)]
      case .flag(let flag): [flag ? option : "--no-\(setting.name)"]
      case .text(let text): [option, text]
      case .texts(let texts): texts.isEmpty ? [option, "none"] : texts.flatMap { [option, $0] }
      case .contents, nil: []
      }
    }
  }
}

/// A number without a needless fraction.
private func text(of number: Double) -> String {
  Int(exactly: number).map { "\($0)" } ?? "\(number)"
}

/// A text as one word of a POSIX shell, in quotation marks if it needs them.
package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "%+,-./:=@_".utf8.contains(byte)
    }
  }
  if isPlain, !text.isEmpty { return text }
  let parts = text.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.joined(separator: "'\\''") + "'"
}
