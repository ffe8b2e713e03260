import Testing
import TestSupport

/// A text file of the project.
struct TextFile {
  /// Relative to the root of the checkout.
  let path: String
  let lines: [Substring]

  init(_ path: String, _ text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
}

/// A rule that is broken at a line of a file.
struct Finding: CustomStringConvertible {
  let path: String
  /// From 1; 0 if the finding is about the whole file.
  let line: Int
  let text: String

  init(_ file: TextFile, index: Int, _ text: String) {
    path = file.path
    line = index + 1
    self.text = text
  }

  init(_ path: String, _ text: String) {
    self.path = path
    line = 0
    self.text = text
  }

  var description: String { line == 0 ? "\(path): \(text)" : "\(path):\(line): \(text)" }
}

/// The checkout that this file was compiled in.
enum Checkout {
  static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  /// The Swift files of the project.
  static var swiftFiles: [TextFile] {
    get throws { try (files(in: "Sources") + files(in: "Tests")).filter(\.isSwift) }
  }

  static func file(_ path: String) throws(TestFailure) -> TextFile {
    TextFile(path, String(decoding: try readBytes("\(root)/\(path)"), as: UTF8.self))
  }

  /// The text files in a folder and its subfolders, in the order of their names.
  private static func files(in folder: String) throws(TestFailure) -> [TextFile] {
    var found: [TextFile] = []
    for name in namesInDirectory("\(root)/\(folder)").sorted() {
      let path = "\(folder)/\(name)"
      if !namesInDirectory("\(root)/\(path)").isEmpty {
        found += try files(in: path)
      } else if !name.hasSuffix(".png") {
        found.append(try file(path))
      }
    }
    return found
  }
}

/// Fails the test for each finding.
func report(_ findings: [Finding]) {
  for finding in findings { Issue.record("\(finding)") }
}
