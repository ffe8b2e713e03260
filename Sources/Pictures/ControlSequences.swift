extension String {
  /// The text without the sequences that control a terminal, such as colours (ECMA-48), and without other control characters but
  /// tabs and line ends. Each line end becomes a line feed.
  var withoutControls: String {
    var result = String.UnicodeScalarView()
    var rest = unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}": rest.skipEscapeSequence()
      case "\u{9B}": rest.skipControlSequence()
      case "\u{90}", "\u{98}", "\u{9D}", "\u{9E}", "\u{9F}": rest.skipControlString()
      case "\r":
        if rest.first == "\n" { rest.removeFirst() }
        result.append("\n")
      case "\n", "\t": result.append(scalar)
      default: if scalar.properties.generalCategory != .control { result.append(scalar) }
      }
    }
    return String(result)
  }
}

extension Substring.UnicodeScalarView {
  /// Skips what follows an escape character.
  fileprivate mutating func skipEscapeSequence() {
    switch first {
    case "[":
      removeFirst()
      skipControlSequence()
    case "P", "X", "]", "^", "_":
      removeFirst()
      skipControlString()
    default:
      // Another sequence, such as the choice of a character set: intermediate characters and a last one.
      skip(" "..."/")
      if let last = first, ("0"..."~").contains(last) { removeFirst() }
    }
  }

  /// Skips parameters, intermediate characters and the last one.
  fileprivate mutating func skipControlSequence() {
    skip("0"..."?")
    skip(" "..."/")
    if let last = first, ("@"..."~").contains(last) { removeFirst() }
  }

  /// Skips a string up to its terminator, such as the title of a terminal. One without an end is no such string: nothing is
  /// skipped.
  fileprivate mutating func skipControlString() {
    var rest = self
    while let scalar = rest.popFirst(), scalar != "\n" {
      if scalar == "\u{1B}", rest.first == "\\" {
        rest.removeFirst()
      } else if scalar != "\u{7}" && scalar != "\u{9C}" {
        continue
      }
      self = rest
      return
    }
  }

  private mutating func skip(_ range: ClosedRange<Unicode.Scalar>) {
    while let next = first, range.contains(next) { removeFirst() }
  }
}
