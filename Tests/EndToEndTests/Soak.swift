import Glibc
import TestDice
import TestSupport
import Testing

/// A daemon that is used at random, in rounds of a few seconds.
///
/// Each round has its own seed, made of that of the soak and its number. A round ends in the base state: no panes, no
/// windows, no other programs, the first size of the screen. In this state the daemon is measured.
final class Soak {
  let screen: SoakScreen
  let seed: UInt64
  let scene: CaptureScene
  /// The client that asks nearly everything. Another one takes its place if floods have replaced it.
  var connection: ControlConnection
  var compositor: Child?
  var manager: Child?
  var programs: [Child] = []
  /// Sets the clocks of the daemon; nil under a sanitizer, which must be the first library.
  let injector: FaultInjector?
  private(set) var round: Int
  /// The number of requests with a reply, and the one whose reply took the longest time.
  var requestCount = 0
  var slowestReply = Duration.zero
  var slowestRequest = ""
  /// The state after each round.
  private(set) var samples: [SoakSample] = []
  /// The number of rounds until the cache is full. The daemon has memory for each tile in addition to its pixels.
  private(set) var warmUpCount: Int?

  /// The smallest number of samples after the warm-up, on a machine that is very slow.
  private static let leastCount = 6
  /// The largest number of rounds until the cache is full: some twenty times the usual one.
  private static let warmUpLimit = 400

  /// By default the heap keeps what was its largest size so far, which grows in steps of megabytes. So blocks from
  /// 64 KiB on get pages of their own, and pages at the end of the heap are released.
  private static let environment = [
    "GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=65536:glibc.malloc.trim_threshold=65536"
  ]

  /// Begins with a round, which may be one that failed before.
  init(on screen: SoakScreen, seed: UInt64, firstRound: Int = 1) throws {
    self.screen = screen
    self.seed = seed
    round = firstRound - 1
    let server = try screen.makeServer()
    injector = Sanitizer.isActive ? nil : try FaultInjector(in: server.runtimeDirectory)
    scene = try CaptureScene(
      seed: seed, on: server,
      environment: Self.environment.merging(injector?.environment ?? [:]) { $1 })
    scene.panesAreOnTop = true
    connection = try ControlConnection(scene.server)
  }

  var server: XServer { scene.server }

  /// Names the round that a failure belongs to.
  var place: String { "soak on \(screen.rawValue), seed \(seed), round \(round)" }

  /// Runs rounds until the time is over. Prints a line for each minute.
  func run(for duration: Duration) throws {
    let start = ContinuousClock.now
    var nextLine = start + .seconds(60)
    while ContinuousClock.now < start + duration || isTooShort {
      round += 1
      scene.reseed(UInt64(truncatingIfNeeded: round) << 32 ^ seed)
      do {
        try act()
        try checkPanes()
        try returnToBase()
        samples.append(try settledSample())
        if warmUpCount == nil, samples.last?.isCacheFull == true { warmUpCount = samples.count }
        if warmUpCount == nil, samples.count >= Self.warmUpLimit {
          throw TestFailure(
            "the cache is not full after \(samples.count) rounds; are most panes refused?")
        }
      } catch {
        Issue.record("\(place): \(error)\n\(scene.daemon.log.suffix(2000))")
        throw error
      }
      checkCounts()
      guard scene.daemon.process.wait(for: .zero) == nil else { return }
      if ContinuousClock.now >= nextLine {
        print("soak on \(screen.rawValue), minute \((nextLine - start) / .seconds(60)): \(summary)")
        nextLine += .seconds(60)
        // Output to a file has a buffer.
        fflush(nil)
      }
    }
  }

  private var isTooShort: Bool {
    warmUpCount.map { samples.count < $0 + Self.leastCount } ?? true
  }

  /// The actions of a round.
  private func act() throws {
    for _ in 0..<5 { try scene.makeWindow() }
    for _ in 0..<20 {
      switch scene.random.roll(0...27) {
      case 0...8: try askRepeatedly(scene.random.roll(1...20))
      case 9...14: try changeWindows(scene.random.roll(1...6))
      case 15: try makeSpecialWindow()
      case 16: try setSomeWallpaper()
      case 17: try changeScreen()
      case 18: try disturb()
      case 19: try askWrongly()
      case 20: try toggleCompositor()
      case 21: try toggleManager()
      case 22: try lockScreen()
      case 23: try toggleProgram()
      case 24, 25: try writeConfiguration()
      case 26: try suspend()
      default: try freezeServer()
      }
    }
    try ask(.sync)
  }
}
