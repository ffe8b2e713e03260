import Glibc
import Raster
import TestDice
import TestSupport
import Testing

/// System calls of the daemon fail: it ends with a message, or goes on and recovers.
@Suite(.serialized, .waiting) struct FaultTests {
  /// The number of random faults.
  private static let count = Effort.rounds(40)

  /// A call, the errors that it may have, and how often a daemon makes it in this test.
  private static let calls: [(name: String, errors: [String], count: Int)] = [
    ("poll", ["EINTR", "ENOMEM", "EINVAL"], 110),
    ("recvmsg", ["EINTR", "ECONNRESET", "ENOMEM"], 300),
    ("writev", ["EINTR", "EPIPE", "ENOBUFS"], 45), ("sendmsg", ["EINTR", "EPIPE", "ENOBUFS"], 150),
    ("timerfd_create", ["EMFILE"], 1), ("timerfd_settime", ["EINVAL", "ENOMEM"], 20),
    ("signalfd4", ["EMFILE"], 1), ("eventfd2", ["EMFILE"], 1), ("clone3", ["EAGAIN"], 1),
    ("memfd_create", ["EMFILE", "ENOMEM"], 9), ("ftruncate", ["ENOSPC", "EINTR"], 9),
    ("pwrite64", ["ENOSPC", "EIO", "EINTR"], 8), ("rename", ["EIO", "ENOSPC"], 8),
    ("openat", ["EMFILE", "ENOENT"], 130), ("accept", ["EMFILE", "ENOMEM", "ECONNABORTED"], 3),
    ("bind", ["EACCES"], 1), ("listen", ["EADDRINUSE"], 1), ("socket", ["EMFILE"], 3),
    ("connect", ["ECONNREFUSED", "EINTR"], 2), ("flock", ["EINTR", "ENOLCK"], 1),
    ("getsockopt", ["EINVAL"], 5), ("fcntl", ["EBADF"], 8), ("unlink", ["EACCES"], 3),
    ("shutdown", ["ENOTCONN"], 1), ("madvise", ["ENOMEM"], 4), ("ioctl", ["EINVAL"], 100),
    ("inotify_init1", ["EMFILE"], 1), ("recvfrom", ["EIO"], 2), ("socketpair", ["EMFILE"], 1),
    ("dup2", ["EBADF"], 1),
  ]

  /// The largest number of calls in a row that fail, of those that are repeated after pauses: whether memory can be shared is
  /// tested twice a second only, and a display is opened again every two seconds, with one such call if it fails.
  private static let longestRows = ["memfd_create": 2, "ftruncate": 2, "recvmsg": 8]

  private let server: XServer
  private let client: TestClient

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 4))
    try client.sync()
  }

  /// The panes at the end of each round.
  private static let panes =
    ##"{"request":"apply","panes":[{"name":"a","geometry":"200x150+20+30","corner":"20","##
    + ##""shadow":"outer-view"},{"name":"b","geometry":"150x120+180+120","tint":"#20408080"}]}"##

  @Test func daemonSurvivesFaults() throws {
    let wanted = try screenOfHealthyDaemon()
    for seed in 0..<Self.count {
      var dice = Dice(seed: seed)
      let call = Self.calls[dice.roll(0...Self.calls.count - 1)]
      let first = dice.roll(1...call.count)
      // Some faults last.
      let longest = Self.longestRows[call.name] ?? 60
      let last = first + (dice.roll(0...2) == 0 ? dice.roll(1...longest) : 0)
      let error = call.errors.randomElement(using: &dice) ?? "EIO"
      let fault = "\(call.name):error=\(error):when=\(first)..\(last)"
      let daemon = try TracedDaemon(on: server, injecting: fault, into: call.name)
      let isUsable = daemon.answers()
      if isUsable { useDaemon(&dice) }
      let start = ContinuousClock.now
      let isRunning = soon { daemon.hasEnded || isHealthy() } && !daemon.hasEnded
      #expect(ContinuousClock.now - start < .seconds(10) * Sanitizer.slowdown, "\(fault)")
      if isRunning {
        // A fault that lasts may end with one of these requests only.
        let isRight = try soon { try showsPanes() && client.screenshot() == wanted }
        #expect(isRight, "\(fault): \(daemon.log)")
        #expect(soon { server.ask(#"{"request":"quit"}"#) == done || daemon.hasEnded }, "\(fault)")
      }
      let status = daemon.waitForEnd()
      let expected: [Int32] = isRunning ? [0] : isUsable ? [69, 73, 75] : [69, 73, 75, 127]
      #expect(
        expected.contains { status == .exited($0) }, "\(fault): \(String(describing: status))")
      #expect(daemon.log.contains("backdropd: "), "\(fault): it ended without a message")
    }
  }

  /// With few descriptors it ends with a message, or shows panes.
  @Test func daemonStartsWithFewDescriptors() throws {
    for limit in 5..<44 {
      let daemon = try server.start(
        "prlimit", ["--nofile=\(limit)", ProgramPaths.backdropd, "--fresh"])
      let isRunning =
        soon { daemon.wait(for: .zero) != nil || daemon.err.contains("serving display") }
        && daemon.wait(for: .zero) == nil
      if isRunning {
        #expect(soon { showsPanes() }, "\(limit): \(daemon.err)")
        #expect(try daemon.stop() == .exited(0))
      } else {
        #expect(limit < 40)
        #expect(daemon.err.contains("backdropd: "), "\(limit)")
        #expect(
          [69, 73, 75].contains { daemon.wait(for: .zero) == .exited($0) },
          "\(limit): \(daemon.err)")
      }
    }
  }

  @Test func daemonRecoversFromALackOfDescriptors() throws {
    let wanted = try screenOfHealthyDaemon()
    let daemon = try TestDaemon(on: server)
    let connection = try ControlConnection(server)
    for limit in [0, 5, 8, 10, 12, 14] {
      _ = try server.run("prlimit", ["--pid", "\(daemon.process.pid)", "--nofile=\(limit):"])
      for name in ["a", "b", "c", "d"] {
        connection.send(#"{"request":"add","name":"\#(name)","geometry":"300x200+0+0"}"#)
        connection.send(#"{"request":"snapshot","name":"\#(name)","backdrop":true}"#)
      }
      let others = (0..<8).map { _ in try? ControlConnection(server) }
      // It has taken what was sent, and says what failed.
      pause(.milliseconds(100))
      let usage = try daemon.process.usage(within: .milliseconds(300))
      // A loop without pauses would take a third of a second, or sleep thousands of times.
      #expect(usage.cpuSeconds < 0.1 * Sanitizer.slowdown, "\(limit)")
      #expect(usage.sleepCount < 600, "\(limit)")
      _ = try server.run("prlimit", ["--pid", "\(daemon.process.pid)", "--nofile=1024:"])
      _ = others
      let start = ContinuousClock.now
      #expect(try soon { try isHealthy() && showsPanes() && client.screenshot() == wanted })
      #expect(ContinuousClock.now - start < .seconds(10) * Sanitizer.slowdown, "\(limit)")
    }
    for _ in 0..<48 { #expect(connection.reply() != nil) }
    #expect(try daemon.stop() == .exited(0))
  }

  /// A limit on its address space lets requests fail, which say so; the panes stay, and the daemon goes on.
  @Test(.enabled(if: !Sanitizer.isActive, "the address sanitizer maps terabytes"))
  func requestsFailWithoutMemory() throws {
    let daemon = try TestDaemon(on: server, ["--fresh"])
    try daemon.ask("add", "first", "--geometry", "100x80+10+10")
    try daemon.sync()
    var failures = 0
    for kibibytes in [0, 512, 1024, 2048, 4096, 9000, 20000] {
      let used = try daemon.process.addressSpace()
      _ = try server.run(
        "prlimit", ["--pid", "\(daemon.process.pid)", "--as=\(used + kibibytes << 10):"])
      for arguments in [
        ["add", "more", "--geometry", "400x300+0+0", "--corner", "20"],
        ["add", "text", "--size", "auto", "--label", "Hello", "--anchor", "top"],
        ["snapshot", "first", "\(server.runtimeDirectory)/a.png"],
        ["set", "first", "--sigma", "3"],
      ] {
        let outcome = try daemon.ctl(arguments)
        if outcome.status == .exited(0) { continue }
        failures += 1
        #expect(outcome.err.contains("(ulimit -v)"), "\(kibibytes): \(arguments): \(outcome.err)")
      }
      _ = try daemon.ctl("sync")
      _ = try server.run("prlimit", ["--pid", "\(daemon.process.pid)", "--as=unlimited:"])
      let list = try daemon.ask("list")
      #expect(list.contains("first"), "\(kibibytes): \(list)")
      for name in ["more", "text"] where list.contains(name) { try daemon.ask("remove", name) }
    }
    #expect(failures > 4)
    #expect(try daemon.stop() == .exited(0))
  }

  private func screenOfHealthyDaemon() throws -> Bitmap {
    let daemon = try TestDaemon(on: server)
    #expect(server.ask(Self.panes)?.contains("failure") == false)
    try daemon.sync()
    let screen = try client.screenshot()
    try daemon.stop()
    return screen
  }

  /// Makes requests of all kinds, which may fail.
  private func useDaemon(_ dice: inout Dice) {
    for name in ["a", "b", "c"] {
      let size = "\(dice.roll(20...300))x\(dice.roll(20...200))+30+20"
      _ = server.ask(
        #"{"request":"add","name":"\#(name)","geometry":"\#(size)","shadow":"outer-view"}"#)
      _ = server.ask(#"{"request":"sync"}"#)
      _ = server.ask(
        #"{"request":"set","name":"\#(name)","geometry":"90x80+\#(dice.roll(0...300))+9"}"#)
    }
    _ = server.ask(#"{"request":"snapshot","name":"a","backdrop":true}"#)
    _ = server.ask(#"{"request":"hide","name":"b","fade":50}"#)
    _ = server.ask(#"{"request":"remove","name":"c"}"#)
    _ = server.ask(#"{"request":"sync"}"#)
  }

  private func showsPanes() -> Bool {
    server.ask(Self.panes)?.contains("failure") == false
      && server.ask(#"{"request":"sync"}"#) == done
  }

  /// Whether the fault has no effect any more.
  private func isHealthy() -> Bool {
    guard let status = server.ask(#"{"request":"status"}"#) else { return false }
    return status.contains(#""connected":true"#) && status.contains(#""sharedMemory":true"#)
  }
}

extension XServer {
  /// Sends a request on a connection of its own. Returns nil if there is no reply.
  fileprivate func ask(_ line: String) -> String? {
    guard let connection = try? ControlConnection(self) else { return nil }
    return connection.ask(line)
  }
}

/// A daemon in which strace(1) lets system calls fail.
private final class TracedDaemon {
  private let server: XServer
  private let tracer: Child

  init(on server: XServer, injecting fault: String, into call: String) throws {
    self.server = server
    tracer = try Child(
      "strace",
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(fault)",
        ProgramPaths.backdropd, "--fresh",
      ],
      // The search for leaks does not work in a traced process.
      environment: server.environment.merging(["ASAN_OPTIONS": "detect_leaks=0"]) { $1 })
  }

  deinit {
    // The tracer alone would leave it running.
    let children = (try? readBytes("/proc/\(tracer.pid)/task/\(tracer.pid)/children")) ?? []
    for number in String(decoding: children, as: UTF8.self).split(separator: " ") {
      if let pid = Int32(number) { kill(pid, SIGKILL) }
    }
  }

  var log: String { tracer.err }
  var hasEnded: Bool { tracer.wait(for: .zero) != nil }

  /// Waits until it shows panes. Returns false if it ends before.
  func answers() -> Bool {
    soon { hasEnded || log.contains("serving display") } && !hasEnded
  }

  /// The status with which it ended.
  func waitForEnd() -> TestSupport.ExitStatus? { tracer.wait(for: .seconds(10)) }
}
