import TestSupport

/// A daemon program to measure, and the options that it gets.
struct Candidate {
  let path: String
  let options: [String]
  private let help: String

  init(path: String, options: [String]) throws {
    self.path = path
    self.options = options
    let outcome = try Child.run(path, ["--help"], environment: [:])
    guard outcome.status == .exited(0) else {
      throw TestFailure("\(path) --help: \(outcome.status)\n\(outcome.err)")
    }
    help = outcome.out
  }

  /// The file and its directory: the file is mostly called `backdropd`.
  var label: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

  func knows(_ option: String) -> Bool { help.contains(option) }
}
