import Glibc
import TestDice
import TestSupport
import Testing

/// A daemon that is killed at any time leaves nothing behind.
@Suite(.serialized, .waiting) struct KillTests {
  private static let count = 25

  @Test func killedDaemonLeavesNothing() throws {
    var dice = Dice(seed: 5)
    let server = try XServer(width: 400, height: 300)
    var processes: Set<String> = []
    for i in 0..<Self.count {
      let daemon = try TestDaemon(on: server)
      daemon.expectError(containing: "")
      processes.insert("\(daemon.process.pid)")
      // The kill comes before all replies, while panes are made and resized.
      let connection = try ControlConnection(server)
      for k in 0..<20 {
        let size = "\(dice.roll(1...380))x\(dice.roll(1...280))+5+5"
        connection.send(#"{"request":"add","name":"p\#(k)","geometry":"\#(size)"}"#)
        connection.send(#"{"request":"set","name":"p0","geometry":"\#(size)","corner":"0"}"#)
      }
      connection.send(#"{"request":"sync"}"#)
      usleep(UInt32(dice.roll(0...30_000)))
      daemon.process.kill()
      #expect(daemon.process.wait(for: .seconds(10)) == .signalled(SIGKILL))
      #expect(try soon { try server.sharedMemory().isEmpty }, "kill \(i)")
      let windows = try server.topLevelWindows().filter { $0.text.contains("backdropd") }
      #expect(windows.isEmpty, "kill \(i)")
    }
    #expect(try segmentCount(of: processes) == 0)
    let next = try TestDaemon(on: server)
    #expect(try next.stop() == .exited(0))
    #expect(!server.hasSocket)
  }

  /// The number of System V segments that some processes made. Other programs have some, too.
  private func segmentCount(of processes: Set<String>) throws -> Int {
    let lines = try readText("/proc/sysvipc/shm").split(separator: "\n")
    // The fifth column is the process.
    return lines.count { line in
      line.split(separator: " ").dropFirst(4).first.map { processes.contains(String($0)) } ?? false
    }
  }
}
