import FoundationEssentials
import TestSupport
import Testing

/// What `bench --json` says; a key that is missing is an error.
private struct Report: Decodable {
  struct Frame: Decodable {
    var width, height: Int
    var sigma: Double
    var threads: Int
    var milliseconds, memcpyMilliseconds, ratio: Double
  }
  struct Stage: Decodable {
    var width, height: Int
    var sigma: Double
    var stage: String
    var milliseconds, memcpyMilliseconds, ratio: Double
  }
  struct Update: Decodable {
    var size: Int
    var medianMicroseconds, minimumMicroseconds, memcpyMicroseconds, ratio: Double
  }
  var frames: [Frame]
  var stages: [Stage]
  var updates: [Update]
}

@Suite struct BenchTests {
  @Test func everyFigureStandsBesideAMemcpy() throws {
    let outcome = Workshop().run("bench", "--json", "--runs", "1")
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty)
    let report = try JSONDecoder().decode(Report.self, from: Data(outcome.out.utf8))
    #expect(report.frames.count == 16)
    #expect(
      report.stages.map(\.stage)
        == Array(repeating: ["absorb", "settle", "draw"], count: 4).flatMap { $0 })
    #expect(report.updates.map(\.size) == [16, 64, 256])
    for frame in report.frames {
      #expect(frame.milliseconds > 0 && frame.memcpyMilliseconds > 0)
      #expect(frame.ratio == frame.milliseconds / frame.memcpyMilliseconds)
    }
    for update in report.updates {
      #expect(update.medianMicroseconds >= update.minimumMicroseconds)
      #expect(update.minimumMicroseconds > 0 && update.memcpyMicroseconds > 0)
      #expect(update.ratio == update.medianMicroseconds / update.memcpyMicroseconds)
    }
  }

  /// One run: then the frame of a figure is the sum of its stages.
  @Test func theStagesAddUpToTheFrame() throws {
    let outcome = Workshop().run("bench", "--json", "--runs", "1")
    let report = try JSONDecoder().decode(Report.self, from: Data(outcome.out.utf8))
    for (width, sigma) in [(1920, 5.0), (1920, 20), (3840, 5), (3840, 20)] {
      let frame = try #require(
        report.frames.first { $0.width == width && $0.sigma == sigma && $0.threads == 1 })
      let stages = report.stages.filter { $0.width == width && $0.sigma == sigma }
      #expect(stages.allSatisfy { $0.memcpyMilliseconds == frame.memcpyMilliseconds })
      let sum = stages.reduce(0) { $0 + $1.milliseconds }
      #expect(abs(sum - frame.milliseconds) < 1e-6)
      for stage in stages { #expect(stage.ratio == stage.milliseconds / stage.memcpyMilliseconds) }
    }
  }

  @Test func theTableSaysTheSame() {
    let outcome = Workshop().run("bench", "--runs", "1")
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty)
    let parts = outcome.out.split(separator: "\n\n")
    // Each with a line of titles.
    #expect(parts.map { $0.split(separator: "\n").count } == [1 + 16, 1 + 12, 1 + 3])
    #expect(parts.map { $0.hasPrefix("FRAME") } == [true, true, false])
    for part in parts { #expect(part.contains("MEMCPY") && part.contains("RATIO")) }
    for stage in ["absorb", "settle", "draw"] { #expect(outcome.out.contains(stage)) }
  }

  @Test func noRunsAreRefused() {
    let outcome = Workshop().run("bench", "--runs", "0")
    #expect(outcome.status == .exited(64) && outcome.err.contains("runs"))
  }
}
