import Control
import Glibc
import Logging
import Panes
import TestDice
import TestSupport
import Testing

@testable import Daemon

/// The file of panes, while requests come at any time.
@Suite struct PaneKeeperTests {
  /// After any requests the file has the panes that are kept, at the latest when nothing is due any more.
  @Test(arguments: 0..<40) func fileHasThePanesOfAnyRequests(seed: Int) throws {
    var dice = Dice(seed: 9200 + seed)
    let folder = try TemporaryDirectory()
    var session = KeeperSession(path: folder.path + "/panes")
    for step in 0..<60 {
      session.record(try session.randomRequest(&dice))
      session.now += .milliseconds(dice.roll(0...3) * dice.roll(0...400))
      switch dice.roll(0...5) {
      case 0: session.settle()
      case 1, 2: session.update()
      default: continue
      }
      if session.keeper.deadline == nil {
        #expect(try session.saved() == session.kept, "\(dice), step \(step)")
      }
    }
    session.keeper.finish(session.panes, now: session.now)
    #expect(try session.saved() == session.kept, "\(dice), at the end")
  }

  /// A pane that is added, removed, shown or hidden is in the file, or not, when the reply may be sent.
  @Test func structureIsSavedBeforeTheReply() throws {
    let folder = try TemporaryDirectory()
    var session = KeeperSession(path: folder.path + "/panes")
    for step in 0..<10 {
      session.record(try session.add("p\(step)", sigma: step))
      session.awaitWriter()
      #expect(session.keeper.isSettled)
      #expect(try session.saved() == session.kept, "added \(step)")
      if step % 3 == 2 {
        session.record(session.remove(at: 0))
        session.awaitWriter()
        #expect(try session.saved() == session.kept, "removed \(step)")
      }
    }
  }

  /// A daemon that ends while a thread writes, and other changes wait for it, writes after the thread, not beside it.
  @Test func endWaitsForTheWriteBefore() throws {
    let folder = try TemporaryDirectory()
    for step in 0..<400 {
      var session = KeeperSession(path: folder.path + "/panes")
      session.record(try session.add("first\(step)", sigma: step % 50))
      session.record(try session.add("second\(step)", sigma: step % 50))
      session.keeper.finish(session.panes, now: session.now)
      #expect(try session.saved() == session.kept, "step \(step)")
    }
  }

  /// The thread waits in a file that blocks; the panes before stay in the file.
  @Test func endGivesUpADiskThatDoesNotAnswer() throws {
    let folder = try TemporaryDirectory()
    var session = KeeperSession(path: folder.path + "/panes")
    session.record(try session.add("kept", sigma: 1))
    session.awaitWriter()
    let pipe = folder.path + "/panes-new"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    session.record(try session.add("lost", sigma: 2))
    session.keeper.finish(session.panes, now: session.now, patience: .milliseconds(50))
    #expect(!session.keeper.isSettled)
    #expect(try session.saved().map(\.name) == ["kept"])
    // Now the thread can end.
    let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    session.awaitWriter()
    close(reader)
  }

  /// A clock that changes each second, or an animation, does not write as often.
  @Test func settingsAreSavedAtGrowingIntervals() throws {
    let folder = try TemporaryDirectory()
    var session = KeeperSession(path: folder.path + "/panes")
    session.record(try session.add("clock", sigma: 1))
    session.awaitWriter()
    var (last, count) = (try session.saved(), 0)
    for step in 0..<1000 {
      session.record(try session.set(at: 0, sigma: step % 97))
      session.update()
      let saved = try session.saved()
      if saved != last { count += 1 }
      last = saved
      session.now += .milliseconds(10)
    }
    #expect((3...8).contains(count), "\(count) writes in 10 seconds")
    session.settle()
    #expect(try session.saved() == session.kept)
  }

  /// Whatever hinders a write, the panes are saved when it is gone.
  @Test func failedWriteIsTriedAgain() throws {
    let folder = try TemporaryDirectory()
    let place = folder.path + "/place"
    try writeText("a file where a folder should be", to: place)
    var session = KeeperSession(path: place + "/panes")
    session.record(try session.add("pane", sigma: 9))
    session.awaitWriter()
    #expect(session.keeper.deadline != nil)
    #expect(unsafe unlink(place) == 0 && mkdir(place, 0o700) == 0)
    session.settle()
    #expect(try session.saved() == session.kept)
  }
}

/// A keeper, and the panes that requests have made.
private struct KeeperSession {
  var keeper: PaneKeeper
  var panes: [Pane] = []
  var now = Duration.seconds(100)
  private let path: String
  private var count = 0

  init(path: String) {
    self.path = path
    keeper = PaneKeeper(path: path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// The panes that the next daemon must get.
  var kept: [Pane] { panes.compactMap(\.kept) }

  /// The panes in the file, as the next daemon reads them.
  func saved() throws -> [Pane] {
    var file = PaneFile(path: path)
    return try file.load().panes
  }

  mutating func record(_ request: Request) {
    let panes = panes
    keeper.saveIfNeeded(after: request, now: now) { panes }
  }

  /// Does what is due, and waits for the thread that writes, if there is one.
  mutating func update() {
    let panes = panes
    keeper.update(now: now) { panes }
    awaitWriter()
  }

  mutating func awaitWriter() {
    let panes = panes
    while !keeper.isSettled {
      _ = waitUntilReady(
        [pollfd(fd: keeper.descriptor, events: Int16(POLLIN), revents: 0)], timeout: 60_000)
      keeper.update(now: now) { panes }
    }
  }

  /// Lets the time pass until nothing is due.
  mutating func settle() {
    awaitWriter()
    while let deadline = keeper.deadline {
      now = max(now, deadline)
      update()
    }
  }

  // MARK: Requests

  mutating func add(_ name: String, sigma: Int, isEphemeral: Bool = false) throws -> Request {
    let settings = Self.settings(sigma: sigma)
    panes.append(try Pane(name, settings).keeping(isEphemeral ? .nothing : .all))
    return .add(name: name, PaneChange(settings), isEphemeral: isEphemeral)
  }

  mutating func remove(at index: Int) -> Request { .remove(name: panes.remove(at: index).name) }

  mutating func set(at index: Int, sigma: Int) throws -> Request {
    let old = panes[index]
    panes[index] = try Pane(old.name, Self.settings(sigma: sigma), isShown: old.isShown)
      .keeping(old.keeping)
    var change = PaneSettings()
    change.sigma = Double(sigma)
    return .set(name: old.name, PaneChange(change))
  }

  mutating func toggle(at index: Int) throws -> Request {
    let old = panes[index]
    panes[index] = try Pane(old.name, old.settings, isShown: !old.isShown).keeping(old.keeping)
    return .toggle(name: old.name)
  }

  mutating func randomRequest(_ dice: inout Dice) throws -> Request {
    count += 1
    if panes.isEmpty || panes.count < 6 && dice.roll(0...3) == 0 {
      return try add(
        "p\(count)", sigma: dice.roll(0...50), isEphemeral: dice.roll(0...3) == 0)
    }
    let index = dice.roll(0...panes.count - 1)
    switch dice.roll(0...5) {
    case 0: return remove(at: index)
    case 1: return try toggle(at: index)
    default: return try set(at: index, sigma: dice.roll(0...50))
    }
  }

  private static func settings(sigma: Int) -> PaneSettings {
    var settings = PaneSettings()
    settings.geometry = try? Geometry(parsing: "90x80+10+20")
    settings.sigma = Double(sigma)
    return settings
  }
}
