import CBuild
import Glibc
import Linux

/// The instruction set for which this program was built. Each program is there once for all processors of an architecture, and
/// on x86-64 again for those of level 3, whose glass takes less time.
package enum ProgramBuild: String, Sendable {
  /// All x86-64 processors, with vectors of 128 bits (SSE2).
  case baseline = "x86-64"
  /// Level 3 of the x86-64 psABI: processors with AVX2, since 2013.
  case level3 = "x86-64-v3"
  /// All processors of another architecture.
  #if arch(arm64)
    case other = "arm64"
  #else
    case other = "another architecture"
  #endif

  /// The build of this program.
  package static let current = ProgramBuild(level: builtLevel())

  /// The best one that the processor can run.
  package static let best = ProgramBuild(level: processorLevel())

  private init(level: Int32) {
    self =
      switch level {
      case 0: .other
      case 1: .baseline
      default: .level3
      }
  }

  /// The folder of this build of the programs, if `folder` has those for all processors.
  fileprivate func folder(beside folder: String) -> String {
    self == .level3 ? "\(folder)/../lib/backdropd/\(rawValue)" : folder
  }
}

/// Replaces this process by the best build of the same program that is installed and that the processor can run, with the same
/// arguments. Returns if that is this one.
///
/// Must be called before this process has anything that a new program does not get, such as threads.
package func continueInBestBuild() {
  let best = ProgramBuild.best
  guard best != .current, let path = ownPath(), let folder = path.folderOfPath else { return }
  let program = "\(best.folder(beside: folder))/\(path.nameInPath)"
  // Fails if there is none, and this build continues.
  unsafe _ = execv(program.systemText, CommandLine.unsafeArgv)
}
