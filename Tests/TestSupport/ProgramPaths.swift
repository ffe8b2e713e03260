import Glibc

/// The paths of the programs under test: in the directory of the test bundle, built with it.
package enum ProgramPaths {
  package static var backdropd: String { directory + "/backdropd" }
  package static var backdropctl: String { directory + "/backdropctl" }
  /// The demo, a program for developers.
  package static var demo: String { directory + "/Demo" }

  /// The library that lets chosen calls of a program fail.
  package static var faultLibrary: String { directory + "/libCFaults.so" }

  /// `/proc/self/exe` is the bundle itself, an executable, with Swift Testing on Linux.
  private static let directory: String = {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &path, path.count)
    let bytes = path[..<max(0, count)].map { UInt8(bitPattern: $0) }
    return bytes.split(separator: UInt8(ascii: "/")).dropLast()
      .map { "/" + String(decoding: $0, as: UTF8.self) }.joined()
  }()
}
