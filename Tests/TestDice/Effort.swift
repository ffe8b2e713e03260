import Glibc

/// How much random input long tests use. `TEST_EFFORT=10` makes ten times as much as `make test` does.
package enum Effort {
  private static let factor: Int = {
    guard let value = unsafe getenv("TEST_EFFORT") else { return 1 }
    let text = unsafe String(cString: value)
    guard let factor = Int(text), (1...10_000).contains(factor) else {
      fatalError("TEST_EFFORT: '\(text)' is not a number from 1 to 10000")
    }
    return factor
  }()

  /// The number of rounds, seeds or events of a test that usually has `usual`.
  package static func rounds(_ usual: Int) -> Int { usual * factor }
}
