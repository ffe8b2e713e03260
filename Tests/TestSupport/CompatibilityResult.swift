import Glibc

/// The result of a run of the tests on a compositor, for the table in docs/wayland.md.
package enum CompatibilityResult: Equatable, Sendable {
  /// Live glass by captures of these protocols, with this difference from the glass of the same screen without panes.
  case live(decibels: Double, levels: Int, captures: Set<String>)
  /// The daemon named a missing protocol.
  case refused(String)
  /// The compositor did not start.
  case untried
}

extension CompatibilityResult {
  /// Appends a line with the result to the file that the environment variable COMPAT_RESULTS names, for `packaging/compat-table`;
  /// does nothing if it names none.
  package func record(of compositor: Compositor) throws(TestFailure) {
    guard let name = unsafe getenv("COMPAT_RESULTS") else { return }
    let path = unsafe String(cString: name)
    let distribution = compositor.distribution.map { "Debian \($0)" } ?? "Debian 12"
    let words = ["\(compositor.kind)", compositor.version, distribution] + words
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw Descriptor.failure(path) }
    let file = Descriptor(owning: number)
    let bytes = Array((words.joined(separator: "\t") + "\n").utf8)
    // One call, so that lines of several processes do not mix.
    guard unsafe write(file.number, bytes, bytes.count) == bytes.count else {
      throw Descriptor.failure(path)
    }
  }

  private var words: [String] {
    switch self {
    case .live(let decibels, let levels, let captures):
      ["live", "\(decibels)", "\(levels)"] + captures.sorted()
    case .refused(let name): ["refused", name]
    case .untried: ["untried"]
    }
  }
}
