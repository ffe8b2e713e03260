import FoundationEssentials
import TestSupport
import Testing

/// The output of `bench --json`; a missing key is an error.
private struct BenchOutput: Decodable {
  struct FrameFigure: Decodable {
    var width, height: Int
    var sigma: Double
    var threads: Int
    var milliseconds, memcpyMilliseconds, ratio: Double
  }
  struct StageFigure: Decodable {
    var width, height: Int
    var sigma: Double
    var stage: String
    var milliseconds, memcpyMilliseconds, ratio: Double
  }
  struct UpdateFigure: Decodable {
    var size: Int
    var medianMicroseconds, minimumMicroseconds, memcpyMicroseconds, ratio: Double
  }
  var frames: [FrameFigure]
  var stages: [StageFigure]
  var updates: [UpdateFigure]
}

@Suite struct BenchTests {
  @Test func stagesAddUpToTheFrame() throws {
    let outcome = CommandFolder().run("bench", "--json", "--runs", "1")
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty)
    let report = try JSONDecoder().decode(BenchOutput.self, from: Data(outcome.out.utf8))
    #expect(report.frames.count == 16)
    #expect(
      report.stages.map(\.stage)
        == Array(repeating: ["reduce", "settle", "draw"], count: 4).flatMap { $0 })
    #expect(report.updates.map(\.size) == [16, 64, 256])
    // With one run the time of a frame is the sum of its stages.
    for (width, sigma) in [(1920, 5.0), (1920, 20), (3840, 5), (3840, 20)] {
      let frame = try #require(
        report.frames.first { $0.width == width && $0.sigma == sigma && $0.threads == 1 })
      let stages = report.stages.filter { $0.width == width && $0.sigma == sigma }
      #expect(stages.allSatisfy { $0.memcpyMilliseconds == frame.memcpyMilliseconds })
      let sum = stages.reduce(0) { $0 + $1.milliseconds }
      #expect(abs(sum - frame.milliseconds) < 1e-6)
    }
  }

  @Test func tableHasAllFigures() {
    let outcome = CommandFolder().run("bench", "--runs", "1")
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty)
    let parts = outcome.out.split(separator: "\n\n")
    // One line of each is the titles.
    #expect(parts.map { $0.split(separator: "\n").count } == [1 + 16, 1 + 12, 1 + 3])
    #expect(parts.map { $0.hasPrefix("FRAME") } == [true, true, false])
    for part in parts { #expect(part.contains("MEMCPY") && part.contains("RATIO")) }
    for stage in ["reduce", "settle", "draw"] { #expect(outcome.out.contains(stage)) }
  }

  @Test func zeroRunsAreRefused() {
    let outcome = CommandFolder().run("bench", "--runs", "0")
    #expect(outcome.status == .exited(64) && outcome.err.contains("runs"))
  }
}
