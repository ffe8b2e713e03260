import Glibc
import TestSupport
import Testing

/// The table of compositors in the README, which follows from the results of a run.
@Suite struct CompatibilityTableTests {
  private static let results = unsafe getenv("COMPAT_TABLE").map { unsafe String(cString: $0) }
  private static let head =
    "| compositor | distribution | on its software renderer |\n|---|---|---|\n"

  /// Replaces the table, so that only a run that passed writes it.
  @Test(.enabled(if: results != nil, "`make compat` writes the table"))
  func tableIsWritten() throws {
    var lines: [CompatibilityLine] = []
    for text in try readText(try #require(Self.results)).split(separator: "\n") {
      let line = try #require(CompatibilityLine(text), "\(text)")
      if let index = lines.firstIndex(where: { $0.isSameCompositor(as: line) }) {
        lines[index] = lines[index].merged(line)
      } else {
        lines.append(line)
      }
    }
    let path = Checkout.root + "/README.md"
    let parts = try readText(path).split(separator: Self.head)
    try #require(parts.count == 2 && !lines.isEmpty)
    // The table ends with an empty line; the rows of Debian 12 come from `make test`.
    let rest = parts[1].split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    let kept = rest[0].split(separator: "\n").filter { $0.contains("| Debian 12 |") }
    let rows = kept.map(String.init) + lines.sorted { $0.isBefore($1) }.map(\.row)
    try writeText(
      parts[0] + Self.head + rows.joined(separator: "\n") + "\n\n" + rest[1], to: path)
  }

  /// The table has no row twice, whatever wrote it.
  @Test func rowsAreDistinct() throws {
    let parts = try readText(Checkout.root + "/README.md").split(separator: Self.head)
    try #require(parts.count == 2)
    let rows = parts[1].split(separator: "\n\n")[0].split(separator: "\n")
    #expect(rows.count >= 3 && Set(rows).count == rows.count)
  }

  @Test func linesOfOneCompositorKeepTheWorst() throws {
    let lines = ["sway\t1.7\tsid\tlive\t60.4\t1\text-a", "sway\t1.7\tsid\tlive\t57.26\t2\twlr-b"]
    let read = lines.compactMap { CompatibilityLine(Substring($0)) }
    #expect(read.count == 2)
    let row =
      "| sway 1.7 | sid | live glass: at least 57.2 dB, at most 2 levels; by wlr-b or ext-a |"
    #expect(read[0].merged(read[1]).row == row && read[1].merged(read[0]).row == row)
    #expect(CompatibilityLine("sway\t1.7\tsid\tlive") == nil)
  }
}
