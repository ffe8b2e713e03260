import Glibc
import RandomPanes
import TestDice
import TestSupport
import Testing

/// Events of a session around a daemon: programs come and go, its configuration changes, and the machine is suspended.
extension Soak {
  // MARK: Programs

  private static let programs = [
    ["xterm", "-class", "Kitty", "-e", "sh", "-c", "while :; do seq 40; sleep .03; done"],
    ["urxvt", "-depth", "32", "-bg", "[60]black", "-name", "kitty", "-e", "sleep", "1000"],
    ["xclock", "-update", "1", "-geometry", "120x120+200+100"],
    ["xeyes", "-geometry", "90x60+9+9"], ["tint2"],
  ]

  /// Starts a program with windows, or ends one.
  func toggleProgram() throws {
    if programs.count < 3, scene.chance(2, in: 3) {
      let command = Self.programs.randomElement(using: &scene.random) ?? []
      programs.append(try server.start(command[0], Array(command.dropFirst())))
    } else if let program = programs.popLast() {
      program.terminate()
      // tint2 does not always end.
      if program.wait(for: .milliseconds(scene.random.roll(0...100))) == nil { program.kill() }
    }
  }

  func killPrograms() {
    for program in programs {
      program.kill()
      _ = program.wait(for: .seconds(10))
    }
    programs = []
  }

  // MARK: Configuration

  private var configuration: String { server.configurationFolder + "/backdropd.conf" }

  /// Writes a configuration, which is mostly wrong, in one of the ways of editors. The daemon follows it some time later.
  func writeConfiguration() throws {
    _ = try server.run("mkdir", ["-p", server.configurationFolder])
    let bytes = HostileConfiguration.bytes(using: &scene.random)
    if scene.chance(1, in: 2) {
      try writeBytes(bytes, to: configuration)
    } else {
      try writeBytes(bytes, to: configuration + "~")
      #expect(unsafe rename(configuration + "~", configuration) == 0)
    }
    if scene.chance(1, in: 2) {
      let outcome = try scene.daemon.ctl("reload")
      #expect(
        [0, 69, 78].contains { outcome.status == .exited($0) }, "\(place): \(outcome.err)")
    }
  }

  func removeConfiguration() throws {
    if unsafe unlink(configuration) == 0 { try scene.daemon.ask("reload") }
  }

  // MARK: Suspend

  /// The machine is suspended: the daemon does nothing, some clocks go on, and then there is much to do.
  func suspend() throws {
    let process = scene.daemon.process
    process.send(SIGSTOP)
    defer { process.send(SIGCONT) }
    try changeWindows(scene.random.roll(0...6))
    if scene.chance(1, in: 3) { try changeScreen() }
    pause(.milliseconds(scene.random.roll(0...300)))
    // Up to a day.
    injector?.jumpInTime(seconds: Int32(scene.random.roll(0...86_400)))
  }
}
