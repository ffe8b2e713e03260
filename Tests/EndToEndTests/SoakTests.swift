import Glibc
import TestSupport
import Testing

/// One daemon serves random requests, windows, sizes, compositors and lock screens for a long time, and uses no more
/// memory and no more resources at the end. `make soak` takes an hour, half of it on each kind of server.
@Suite(.serialized, .waiting) struct SoakTests {
  @Test(arguments: SoakScreen.allCases)
  func resourcesDoNotGrowWithTime(screen: SoakScreen) throws {
    let options = try SoakOptions()
    let soak = try Soak(on: screen, seed: options.seed, firstRound: options.firstRound)
    try soak.run(for: .seconds(options.minutes * 60 / Double(SoakScreen.allCases.count)))
    soak.checkMemory()
    try soak.checkRest()
    print("soak on \(screen.rawValue), seed \(options.seed): \(soak.summary)")
    #expect(try soak.scene.daemon.stop() == .exited(0))
  }
}

/// The duration, the seed and the first round of a soak, from the environment.
private struct SoakOptions {
  /// For all kinds of servers together.
  let minutes: Double
  let seed: UInt64
  let firstRound: Int

  init() throws {
    minutes = try Self.number("SOAK_MINUTES", Double.init) ?? 1
    seed = try Self.number("SOAK_SEED") { UInt64($0) } ?? 1
    firstRound = try Self.number("SOAK_ROUND") { Int($0) } ?? 1
  }

  private static func number<Number>(
    _ name: String, _ parse: (String) -> Number?
  ) throws -> Number? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    guard let number = parse(text) else { throw TestFailure("\(name): cannot read '\(text)'") }
    return number
  }
}
