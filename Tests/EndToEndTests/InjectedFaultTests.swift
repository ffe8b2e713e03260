import Glibc
import Raster
import TestDice
import TestSupport
import Testing

/// Each call of a daemon can fail: it answers with an error or tries again, shows the right pixels soon, and loses nothing that
/// was saved.
@Suite(.serialized, .waiting, .enabled(if: !Sanitizer.isActive, "the sanitizer hides the calls"))
struct InjectedFaultTests {
  /// The number of faults of each kind in a test, or nil for each call: FAULT_COUNT is a number or `all`.
  private static let count: Int? = {
    guard let value = unsafe getenv("FAULT_COUNT") else { return 2 }
    let text = unsafe String(cString: value)
    if text == "all" { return nil }
    guard let count = Int(text), count > 0 else {
      fatalError("FAULT_COUNT: '\(text)' is neither a number nor 'all'")
    }
    return count
  }()
  /// The kinds of calls that fail; FAULT_KINDS=request,thread for some.
  private static let kinds: [FaultInjector.Kind] = {
    let all = FaultInjector.Kind.allCases
    guard let value = unsafe getenv("FAULT_KINDS") else { return all }
    return unsafe String(cString: value).split(separator: ",").map { name in
      guard let kind = all.first(where: { "\($0)" == name }) else {
        fatalError("FAULT_KINDS: '\(name)' is none of \(all)")
      }
      return kind
    }
  }()

  /// A call of a kind during an operation.
  private struct Fault: CustomStringConvertible {
    let kind: FaultInjector.Kind
    let operation: String
    let number: Int
    let error: Int32

    var description: String { "\(operation), \(kind) \(number), error \(error)" }
  }

  @Test(arguments: FaultDesktopKind.allCases)
  func sessionSurvivesFaults(kind: FaultDesktopKind) throws {
    let session = try FaultSession(on: kind)
    let operations = session.operations
    var faults: [Fault] = []
    var screens: [String: Bitmap] = [:]
    for operation in operations {
      faults += try allFaults(of: operation.name, session) {
        #expect(try operation.perform(session), "\(operation.name)")
        screens[operation.name] = try session.restingScreen()
      }
      let problem = try session.restore()
      #expect(problem == nil, "\(operation.name)")
    }
    // Only X11 has requests that can fail.
    let absent: [FaultInjector.Kind] = kind == .wayland ? [.request] : []
    for kind in Set(Self.kinds).subtracting(absent) {
      #expect(faults.contains { $0.kind == kind }, "\(kind)")
    }
    for fault in chosen(faults) {
      guard let operation = operations.first(where: { $0.name == fault.operation })
      else { continue }
      try check(fault, operation, session, screens[fault.operation])
    }
    #expect(try session.daemon.stop() == .exited(0))
  }

  @Test(arguments: [FaultDesktopKind.bare, .wayland])
  func startSurvivesFaults(kind: FaultDesktopKind) throws {
    let session = try FaultSession(on: kind)
    try session.daemon.stop()
    let faults = try allFaults(of: "start", session) {
      let daemon = try session.startUnawaited()
      #expect(soon { session.perform() }, "\(daemon.err)")
      #expect(try daemon.stop() == .exited(0))
    }
    #expect(!faults.isEmpty)
    // A start takes a fortieth of a second.
    for fault in chosen(faults, times: 6) { try checkStart(fault, session) }
  }

  /// A daemon that is asked to end, ends.
  @Test(arguments: [FaultDesktopKind.bare, .wayland])
  func endSurvivesFaults(kind: FaultDesktopKind) throws {
    let session = try FaultSession(on: kind)
    let faults = allFaults(of: "quit", session) {
      _ = session.ask(.quit)
      #expect(session.daemon.process.wait(for: .seconds(10)) == .exited(0))
    }
    for fault in chosen(faults, times: 3) {
      try session.startAgain([])
      session.injector.arm(fault.kind, number: fault.number, error: fault.error)
      // It may be refused at first, and its reply may be lost.
      let isEnding = soon {
        session.ask(.quit)?.contains("failure") == false
          || session.daemon.process.wait(for: .zero) != nil
      }
      let status = session.daemon.process.wait(for: .seconds(10))
      #expect(isEnding && status == .exited(0), "\(fault): \(session.daemon.log.suffix(600))")
      session.injector.disarm()
      #expect(try session.savedPanes().panes == session.base.panes, "\(fault)")
    }
  }

  // MARK: Faults

  /// All faults that calls in `body` can have.
  private func allFaults(
    of operation: String, _ session: FaultSession, _ body: () throws -> Void
  ) rethrows -> [Fault] {
    let before = Self.kinds.map { session.injector.callCount($0) }
    try body()
    return zip(Self.kinds, before).flatMap { kind, before in
      (0..<session.injector.callCount(kind) - before).flatMap { number in
        kind.errors.map {
          Fault(kind: kind, operation: operation, number: number + 1, error: $0)
        }
      }
    }
  }

  private func chosen(_ faults: [Fault], times factor: Int = 1) -> [Fault] {
    guard let count = Self.count else {
      print(Self.kinds.map { kind in "\(kind) \(faults.count { $0.kind == kind })" })
      return faults
    }
    var dice = Dice(seed: 1)
    return Self.kinds.flatMap { kind in
      faults.filter { $0.kind == kind }.shuffled(using: &dice).prefix(factor * count)
    }
  }

  private func check(
    _ fault: Fault, _ operation: FaultOperation, _ session: FaultSession, _ wanted: Bitmap?
  ) throws {
    session.injector.arm(fault.kind, number: fault.number, error: fault.error)
    let isDone = try operation.perform(session)
    if isDone, let wanted {
      let isShown = try session.shows(wanted)
      let difference = try session.difference(from: wanted) ?? ""
      #expect(isShown, "\(fault): \(difference)\n\(session.daemon.log.suffix(600))")
    }
    let isTaken = session.injector.disarm()
    #expect(isDone || isTaken, "\(fault)")
    let isAlive = session.daemon.process.wait(for: .zero) == nil
    #expect(isAlive, "\(fault): the daemon ended: \(session.daemon.log.suffix(600))")
    let problem = isAlive ? try session.restore() : "ended"
    #expect(problem == nil, "\(fault): \(session.daemon.log.suffix(600))")
    if problem != nil {
      try session.startAgain(["--fresh"])
      #expect(try session.restore() == nil)
    } else if [.request, .allocation].contains(fault.kind) {
      // The display is opened again at growing intervals.
      try session.startAgain([])
    }
  }

  private func checkStart(_ fault: Fault, _ session: FaultSession) throws {
    session.injector.arm(fault.kind, number: fault.number, error: fault.error)
    let daemon = try session.startUnawaited()
    let isRunning = soon { daemon.wait(for: .zero) != nil || session.perform() }
    #expect(isRunning, "\(fault): \(daemon.err)")
    session.injector.disarm()
    if daemon.wait(for: .zero) == nil {
      #expect(try session.shows(session.baseScreen), "\(fault): \(daemon.err)")
      let status = try daemon.stop()
      #expect(status == .exited(0), "\(fault): \(daemon.err)")
    } else {
      let isOurs = [69, 73, 75].contains { daemon.wait(for: .zero) == .exited($0) }
      #expect(isOurs && daemon.err.contains("backdropd: "), "\(fault): \(daemon.err)")
    }
    let saved = try session.savedPanes()
    #expect(saved.panes == session.base.panes, "\(fault): \(daemon.err)")
  }
}
