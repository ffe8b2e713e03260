import Glibc

/// How much random input long tests use. `TEST_EFFORT=10` makes ten times as much as `make test` does.
package enum Effort {
  /// At least 1.
  private static let factor =
    unsafe getenv("TEST_EFFORT").flatMap { unsafe Int(String(cString: $0)) }.map { max(1, $0) } ?? 1

  /// The number of rounds, seeds or events of a test that usually has `usual`.
  package static func rounds(_ usual: Int) -> Int { usual * factor }
}
