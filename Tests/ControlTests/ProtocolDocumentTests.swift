import Linux
import Panes
import Testing

@testable import Control

/// `docs/protocol.md` has all that the socket takes and gives.
@Suite struct ProtocolDocumentTests {
  /// The cells of each row of a table, without the first and the last bar.
  private let rows: [[String]]

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let text = try readRegularFile(root + "/docs/protocol.md", upTo: 1 << 20)
    rows = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard line.hasPrefix("|") else { return nil }
      return line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).map {
        String($0)
      }
    }
  }

  /// The words of a cell that are code.
  private func words(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private func cells(of word: String) -> [String]? {
    rows.first { words(in: $0[0]).contains(word) }
  }

  @Test func everyRequestHasItsKeys() throws {
    let settings = Setting.all.map(\.name)
    for verb in Verb.allCases {
      let row = try #require(cells(of: verb.rawValue), "\(verb)")
      let keys = verb.keys.filter { !settings.contains($0) || !row[1].contains("settings") }
      #expect(Set(words(in: row[1])) == Set(keys), "\(verb)")
      #expect(row[1].contains("settings") == settings.allSatisfy(verb.keys.contains), "\(verb)")
    }
  }

  @Test func everyEventIsListed() {
    for kind in EventKind.allCases { #expect(cells(of: kind.rawValue) != nil, "\(kind)") }
  }

  @Test func everyFailureHasItsExitStatus() throws {
    for kind in FailureKind.allCases {
      let row = try #require(cells(of: kind.rawValue), "\(kind)")
      #expect(row[1].contains(" \(kind.exitStatus) "), "\(kind)")
    }
  }
}
