import Glibc
import TestSupport

/// A temporary folder in which `backdropctl` runs.
final class CommandFolder {
  private let directory: TemporaryDirectory

  init() {
    do {
      directory = try TemporaryDirectory()
    } catch {
      preconditionFailure("\(error)")
    }
  }

  var path: String { directory.path }

  /// The names of the files in it, sorted.
  var files: [String] { namesInDirectory(path).sorted() }

  func write(_ name: String, _ bytes: [UInt8]) {
    let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
    precondition(count == bytes.count)
  }

  func read(_ name: String) -> [UInt8]? { try? readBytes("\(path)/\(name)") }

  /// Runs `backdropctl`, with only the given environment. A name that begins with `@` is that of a
  /// file in this folder.
  func run(_ arguments: String..., environment: [String: String] = [:]) -> ProgramOutcome {
    run(arguments, environment: environment)
  }

  /// The same.
  func run(_ arguments: [String], environment: [String: String] = [:]) -> ProgramOutcome {
    let words = arguments.map { $0.hasPrefix("@") ? "\(path)/\($0.dropFirst())" : $0 }
    do {
      return try Child.run(ProgramPaths.backdropctl, words, environment: environment)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
