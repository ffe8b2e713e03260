package import Control
import Glibc
import Linux

/// The processor of this machine.
package struct ProcessorSurvey: Equatable, Sendable {
  package var name: String
  package var count: Int
  /// The features of the processor, by the names of the kernel.
  package var flags: Set<String>

  package init(name: String, count: Int, flags: Set<String>) {
    self.name = name
    self.count = count
    self.flags = flags
  }

  /// Reads `/proc/cpuinfo`.
  package init() {
    self.init(
      information: textOfKernelFile("/proc/cpuinfo"),
      count: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// `information` is the text of `/proc/cpuinfo`.
  package init(information: String, count: Int) {
    func value(_ key: String) -> Substring? {
      for line in information.split(separator: "\n") where line.hasPrefix(key) {
        return line.split(separator: ":", maxSplits: 1).last
      }
      return nil
    }
    name = value("model name").map { $0.trimmed } ?? "a processor without a name"
    flags = Set((value("flags") ?? value("Features") ?? "").split(separator: " ").map(String.init))
    self.count = count
  }

  /// The level of the x86-64 psABI, 1 to 4; nil on other architectures.
  package var level: Int? {
    #if arch(x86_64)
      let needs: [[String]] = [
        ["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"],
        ["abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"],
        ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
      ]
      return 1 + needs.prefix { flags.isSuperset(of: $0) }.count
    #else
      return nil
    #endif
  }
}

extension Substring {
  fileprivate var trimmed: String { String(drop { $0 == " " || $0 == "\t" }) }
}

/// The measured time of the glass of a pane of 1920x1080 at sigma 20, on one thread.
package struct GlassSpeed: Equatable, Sendable {
  package let milliseconds: Double
  /// The time as a multiple of that of a memcpy of the same pixels.
  package let ratio: Double

  package init(milliseconds: Double, ratio: Double) {
    self.milliseconds = milliseconds
    self.ratio = ratio
  }

  /// Half of a frame at 60 Hz, in milliseconds: with more, a pane of the whole screen keeps a processor busy.
  static let goodLimit = 8.0
}

/// The checks of the hardware and of the code that runs on it. `build` is that of this program, and `best` the best one for the
/// processor.
package func machineChecks(
  _ processor: ProcessorSurvey, _ speed: GlassSpeed, build: ProgramBuild, best: ProgramBuild
) -> CheckGroup {
  let level = processor.level.map { ", x86-64-v\($0)" } ?? ""
  let figure =
    "the glass of 1920x1080 pixels at sigma 20 takes \(decimal(speed.milliseconds)) ms, as long as "
    + "copying them \(decimal(speed.ratio)) times"
  let isFast = speed.milliseconds <= GlassSpeed.goodLimit
  return CheckGroup(
    "machine",
    [
      Check("processors", .good, "\(processor.count) of \(processor.name)\(level)"),
      buildCheck(build, best: best),
      Check(
        "speed", isFast ? .good : .note, figure,
        remedy: isFast ? nil : "smaller panes, a larger sigma, or: backdropd --rate 30"),
    ])
}

private func buildCheck(_ build: ProgramBuild, best: ProgramBuild) -> Check {
  if build == best { return Check("build", .good, build.description) }
  return Check(
    "build", .note,
    "\(build.description), though the processor can run that for \(best.rawValue), which is faster",
    remedy: "install the package, or: make && sudo make install")
}

extension ProgramBuild {
  fileprivate var description: String {
    switch self {
    case .baseline: "for all x86-64 processors, with vectors of 128 bits (SSE2)"
    case .level3: "for processors of the level x86-64-v3, with vectors of 256 bits (AVX2)"
    case .other: "for all processors of this architecture"
    }
  }
}
