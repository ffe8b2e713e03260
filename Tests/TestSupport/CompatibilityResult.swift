import Glibc

/// What a run of the tests found out about a compositor, for the table of the README.
package enum CompatibilityResult: Equatable, Sendable {
  /// Live glass by captures of these protocols, with this difference from the glass of the same screen without panes.
  case live(decibels: Double, levels: Int, captures: Set<String>)
  /// The daemon named a missing protocol.
  case refused(String)
  /// The compositor did not start.
  case untried
}

/// What was found out about a compositor: a line of a file, and a row of a table.
package struct CompatibilityLine: Equatable, Sendable {
  package let distribution: String
  package let name: String
  package let version: String
  package let result: CompatibilityResult

  /// Appends a result to the file that the environment variable COMPAT_RESULTS names; does nothing if it names none.
  package static func record(
    _ result: CompatibilityResult, of compositor: Compositor
  ) throws(TestFailure) {
    guard let name = unsafe getenv("COMPAT_RESULTS") else { return }
    let path = unsafe String(cString: name)
    let distribution = compositor.distribution.map { "Debian \($0)" } ?? "Debian 12"
    let words = ["\(compositor.kind)", compositor.version, distribution] + result.words
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw Descriptor.failure(path) }
    let file = Descriptor(owning: number)
    let bytes = Array((words.joined(separator: "\t") + "\n").utf8)
    // One call, so that lines of several processes do not mix.
    guard unsafe write(file.number, bytes, bytes.count) == bytes.count else {
      throw Descriptor.failure(path)
    }
  }

  /// Reads a line; nil if it is not one.
  package init?(_ line: Substring) {
    let words = line.split(separator: "\t").map(String.init)
    guard words.count >= 4, let result = CompatibilityResult(words[3...]) else { return nil }
    (name, version, distribution) = (words[0], words[1], words[2])
    self.result = result
  }

  private init(_ line: CompatibilityLine, _ result: CompatibilityResult) {
    (name, version, distribution) = (line.name, line.version, line.distribution)
    self.result = result
  }

  /// Whether both lines are about the same version of a compositor.
  package func isSameCompositor(as other: CompatibilityLine) -> Bool {
    name == other.name && version == other.version && distribution == other.distribution
  }

  /// The worse of two results of one compositor.
  package func merged(_ other: CompatibilityLine) -> CompatibilityLine {
    guard case .live(let decibels, let levels, let captures) = result,
      case .live(let second, let most, let others) = other.result
    else { return self }
    return CompatibilityLine(
      self,
      .live(
        decibels: min(decibels, second), levels: max(levels, most), captures: captures.union(others)
      ))
  }

  /// Whether its row is before that of another compositor.
  package func isBefore(_ other: CompatibilityLine) -> Bool {
    (distribution, name) < (other.distribution, other.name)
  }

  /// A row of the table.
  package var row: String { "| \(name) \(version) | \(distribution) | \(result.text) |" }
}

extension CompatibilityResult {
  fileprivate var words: [String] {
    switch self {
    case .live(let decibels, let levels, let captures):
      ["live", "\(decibels)", "\(levels)"] + captures.sorted()
    case .refused(let name): ["refused", name]
    case .untried: ["untried"]
    }
  }

  fileprivate init?(_ words: ArraySlice<String>) {
    let words = Array(words)
    switch words.first {
    case "live":
      guard words.count > 3, let decibels = Double(words[1]), let levels = Int(words[2]) else {
        return nil
      }
      self = .live(decibels: decibels, levels: levels, captures: Set(words[3...]))
    case "refused" where words.count == 2: self = .refused(words[1])
    case "untried": self = .untried
    default: return nil
    }
  }

  fileprivate var text: String {
    switch self {
    case .live(let decibels, let levels, let captures):
      // Rounded down to a tenth.
      "live glass: at least \((decibels * 10).rounded(.down) / 10) dB, at most \(levels) levels; by "
        + captures.sorted(by: >).joined(separator: " or ")
    case .refused(let name): "refused: it has no `\(name)`"
    case .untried: "not tried: it does not start without a GPU"
    }
  }
}
