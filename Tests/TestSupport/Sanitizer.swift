import Glibc

/// The sanitizer that the tests and the programs are built with.
package enum Sanitizer {
  /// If true, the memory of a process cannot be bounded: a sanitizer keeps freed memory, and takes some for
  /// every address. Set by the targets of the Makefile that use one.
  package static let isActive = unsafe getenv("SANITIZER") != nil

  /// The factor for bounds of CPU time. The address sanitizer makes the daemon about ten times slower.
  package static var slowdown: Double { isActive ? 10 : 1 }

  /// The options of the sanitizers in the environment of the tests. Every child needs them.
  static let options: [String: String] = {
    var options: [String: String] = [:]
    for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
      if let value = unsafe getenv(name) { options[name] = unsafe String(cString: value) }
    }
    return options
  }()
}
