import Control
import FoundationEssentials
import Glibc
import Raster
import TestSupport
import Testing

/// `backdropctl doctor` on real servers.
@Suite(.serialized, .waiting) struct DoctorCommandTests {
  // MARK: X servers

  @Test func desktopOfAnXServerIsDescribed() throws {
    let server = try XServer(width: 640, height: 480)
    let manager = try server.start("openbox")
    defer { manager.terminate() }
    let painter = try server.run("hsetroot", ["-solid", "#204060"])
    #expect(painter.status == .exited(0))
    try expectEventually(on: server) { $0["window manager"]?.found == "Openbox" }
    let report = try doctor(on: server)
    #expect(report.status == .exited(0))
    #expect(report["backdropd"]?.state == "warning")
    #expect(report["display"]?.found.hasPrefix("\(server.display), an X server") == true)
    for name in ["Composite 0.", "DAMAGE 1.", "XFIXES 5.", "SHAPE 1.", "MIT-SHM 1.", "RANDR 1."] {
      #expect(report["extensions"]?.found.contains(name) == true, "\(name)")
    }
    #expect(report["shared memory"]?.state == "good")
    #expect(report["compositor"]?.state == "note")
    #expect(report["wallpaper"]?.found == "_XROOTPMAP_ID of the root")
    #expect(report["output"]?.found == "screen: 640x480+0+0, scale 1")
    #expect(report["socket folder"]?.state == "good")
    #expect(report["speed"]?.found.contains(" ms") == true)
  }

  /// The command, and what is told of it.
  @Test(arguments: [
    (["xcompmgr"], "xcompmgr, which blends"),
    (["xcompmgr", "-a"], "xcompmgr, which does not blend"),
    (["picom", "--config", "/dev/null", "--backend", "xrender"], "picom, which blends"),
  ])
  func compositorAndItsBlendingAreTold(_ command: [String], _ text: String) throws {
    let server = try XServer(width: 320, height: 240)
    let compositor = try server.start(command[0], Array(command.dropFirst()))
    defer { compositor.terminate() }
    try expectEventually(on: server) { $0["compositor"]?.found.hasPrefix(text) == true }
  }

  @Test func missingExtensionIsAProblemThatIsNamed() throws {
    let server = try XServer(width: 320, height: 240, lacking: ["Composite"])
    let report = try doctor(on: server)
    #expect(report.status == .exited(1))
    #expect(report.state == "problem")
    #expect(report["display"]?.state == "problem")
    #expect(report["extensions"]?.state == "problem")
    #expect(
      report["extensions"]?.found.hasPrefix("missing, and glass needs them: Composite;") == true)
    #expect(report["extensions"]?.remedy?.contains("'-extension Composite'") == true)
  }

  @Test func missingSharedMemoryIsAWarning() throws {
    let server = try XServer(width: 320, height: 240, lacking: ["MIT-SHM", "RANDR"])
    let report = try doctor(on: server)
    #expect(report.status == .exited(0))
    #expect(report["shared memory"]?.state == "warning")
    #expect(report["shared memory"]?.found.hasPrefix("the server lacks MIT-SHM") == true)
    #expect(report.checks.contains { $0.state == "note" && $0.found.hasPrefix("no RANDR") })
  }

  @Test func wrongAuthorityIsTold() throws {
    let folder = try TemporaryDirectory()
    let keys = folder.path + "/keys"
    try writeBytes(authority(key: "0123456789abcdef"), to: keys)
    let server = try XServer(width: 320, height: 240, options: ["-auth", keys])
    let missing = folder.path + "/missing"
    let report = try doctor(on: server, environment: ["XAUTHORITY": missing])
    #expect(report.status == .exited(1))
    #expect(report["display"]?.found.hasSuffix("does not accept this user") == true)
    #expect(report["X authority"]?.found == "\(missing) does not exist")
    let right = try doctor(on: server, environment: ["XAUTHORITY": keys])
    #expect(right.status == .exited(0))
    #expect(right["X authority"]?.state == "good")
  }

  @Test func frozenServerIsTold() throws {
    let server = try XServer(width: 320, height: 240)
    try server.freeze()
    defer { server.thaw() }
    let report = try doctor(on: server)
    #expect(report.status == .exited(1))
    #expect(report["display"]?.found.contains("does not answer") == true)
  }

  @Test func noDisplayAndNoServerAreTold() throws {
    let folder = try TemporaryDirectory()
    let environment = ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path]
    let none = try doctor(environment)
    #expect(none.status == .exited(1))
    #expect(none["display"]?.found == "neither WAYLAND_DISPLAY nor DISPLAY is set")
    #expect(none["backdropd"]?.state == "note")
    let dead = try doctor(environment.merging(["WAYLAND_DISPLAY": "wayland-9"]) { $1 })
    #expect(dead.status == .exited(1))
    #expect(dead["display"]?.found.contains("No such file") == true)
    let bare = try doctor(["PATH": "/usr/bin:/bin"])
    #expect(bare["XDG_RUNTIME_DIR"]?.state == "problem")
  }

  // MARK: The daemon

  @Test func runningDaemonIsAsked() throws {
    let server = try XServer(width: 320, height: 240)
    let daemon = try TestDaemon(on: server)
    try daemon.ask("add", "pane", "--plain", "--geometry", "100x80+10+10")
    try daemon.sync()
    let frames = try daemon.ask("list")
    let report = try doctor(on: server)
    #expect(report.status == .exited(0))
    #expect(
      report["backdropd"]?.found
        == "process \(daemon.process.pid) of the same version for \(ProgramBuild.current.rawValue), with 1 pane"
    )
    #expect(report["display"]?.found.hasSuffix("which the daemon serves") == true)
    #expect((try version(of: ProgramPaths.backdropd)).hasPrefix("\(report.version) for "))
    // It leaves the panes and the daemon as they are.
    try daemon.sync()
    #expect(try daemon.ask("list") == frames)
  }

  @Test func daemonOfAnotherDisplayAndFolderAreTold() throws {
    let server = try XServer(width: 320, height: 240)
    let daemon = try TestDaemon(on: server)
    let elsewhere = try doctor(
      server.environment.merging(["DISPLAY": ""]) { $1 })
    #expect(elsewhere["display"]?.remedy == "backdropctl doctor --display \(server.display)")
    let folder = try TemporaryDirectory()
    let report = try doctor(on: server, environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect(report.status == .exited(1))
    #expect(report["other daemon"]?.found.contains("process \(daemon.process.pid)") == true)
  }

  // MARK: Compositors

  @Test(arguments: Compositor.tested)
  func compositorIsDescribed(_ compositor: Compositor) throws {
    let server = try WaylandServer(
      compositor, wallpaper: .noise(width: 320, height: 240, seed: 3))
    let before = try doctor(on: server)
    #expect(before.status == .exited(0))
    #expect(before["compositor"]?.found.hasPrefix("\(compositor.kind)") == true)
    #expect(before["protocols"]?.found.contains("zwlr_layer_shell_v1") == true)
    #expect(before["glass"]?.found.hasPrefix("live") == true)
    #expect(before["output"]?.found == "HEADLESS-1: 320x240+0+0, scale 1")
    let daemon = try TestDaemon(on: server)
    try daemon.ask("add", "pane", "--plain", "--geometry", "200x150+10+10")
    try daemon.sync()
    let after = try doctor(on: server)
    #expect(after["glass"]?.found == "live: the compositor blends overlays exactly")
    #expect(after["display"]?.found.hasSuffix("which the daemon serves") == true)
  }

  @Test(arguments: Compositor.refused)
  func refusedCompositorIsAProblem(_ compositor: Compositor) throws {
    let server = try WaylandServer(compositor, wallpaper: .noise(width: 320, height: 240, seed: 3))
    let report = try doctor(on: server)
    #expect(report.status == .exited(1))
    #expect(report["display"]?.found.hasSuffix("has no zwlr_layer_shell_v1") == true)
    #expect(report["not offered"]?.found.contains("zwlr_layer_shell_v1") == true)
    // An X server beside it can show glass.
    let beside = try XServer(width: 320, height: 240)
    let both = try doctor(
      server.environment.merging(["DISPLAY": beside.display]) { $1 })
    #expect(both.status == .exited(0))
    #expect(both.checks.filter { $0.name == "display" }.map(\.state) == ["note", "good"])
  }

  // MARK: systemd

  @Test func failedUnitIsTold() throws {
    let folder = try TemporaryDirectory()
    try writeProgram(
      """
      case "$*" in
      *show-environment*) echo DISPLAY=:77 ;;
      *) printf 'Id=backdropd.service\\nLoadState=loaded\\nUnitFileState=enabled\\n'
      printf 'ActiveState=failed\\nResult=exit-code\\n\\nId=graphical-session.target\\nActiveState=inactive\\n' ;;
      esac
      """, to: folder.path + "/systemctl")
    try writeProgram("echo cannot connect", to: folder.path + "/journalctl")
    let server = try XServer(width: 320, height: 240)
    let report = try doctor(on: server, environment: ["PATH": folder.path + ":/usr/bin:/bin"])
    #expect(report.status == .exited(1))
    #expect(report["unit"]?.found == "installed and enabled")
    #expect(report["state"]?.found == "failed (exit-code); its last message: cannot connect")
    #expect(report["target"]?.state == "warning")
    #expect(report["user manager"]?.remedy == "systemctl --user import-environment DISPLAY")
    #expect(report["backdropd"]?.remedy == "backdropctl start")
  }

  // MARK: The text

  @Test func textFits80ColumnsAndEndsWithASummary() throws {
    let server = try XServer(width: 320, height: 240)
    let outcome = try server.run(ProgramPaths.backdropctl, ["doctor"])
    #expect(outcome.status == .exited(0))
    let lines = outcome.out.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 && !$0.contains("/") } == [])
    #expect(lines.last == "warnings: backdropd")
    #expect(!outcome.out.contains("\u{1b}"))
  }

  @Test func programsPrintTheirVersion() throws {
    let versions = try [ProgramPaths.backdropd, ProgramPaths.backdropctl].map(version)
    #expect(versions[0] == versions[1])
    #expect(versions[0].first?.isNumber == true)
  }
}

/// The output of a program for `--version`, without its name.
private func version(of program: String) throws -> String {
  let outcome = try Child.run(program, ["--version"], environment: [:])
  let words = outcome.out.dropLast().split(separator: " ", maxSplits: 1)
  guard outcome.status == .exited(0), words.count == 2, program.hasSuffix("/\(words[0])") else {
    throw TestFailure("\(program) --version: \(outcome.out)\(outcome.err)")
  }
  return String(words[1])
}

/// The report of `doctor --json`.
private struct DoctorObject: Decodable {
  struct Entry: Decodable {
    let group, name, state, found: String
    let remedy: String?
  }

  let version, state: String
  let checks: [Entry]
  var status = ExitStatus.exited(0)

  private enum CodingKeys: CodingKey {
    case version, state, checks
  }

  /// The first check with a name.
  subscript(name: String) -> Entry? { checks.first { $0.name == name } }
}

private func doctor(_ environment: [String: String]) throws -> DoctorObject {
  let outcome = try Child.run(
    ProgramPaths.backdropctl, ["doctor", "--json"], environment: environment)
  var report = try JSONDecoder().decode(DoctorObject.self, from: Data(outcome.out.utf8))
  report.status = outcome.status
  return report
}

private func doctor(
  on server: any DisplayServer, environment: [String: String] = [:]
) throws -> DoctorObject {
  try doctor(server.environment.merging(environment) { $1 })
}

/// Asks again until a program that was just started has done its work.
private func expectEventually(
  on server: any DisplayServer, sourceLocation: SourceLocation = #_sourceLocation,
  _ isTrue: (DoctorObject) -> Bool
) throws {
  let deadline = ContinuousClock.now + .seconds(20)
  while true {
    let report = try doctor(on: server)
    if isTrue(report) { return }
    guard ContinuousClock.now < deadline else {
      Issue.record("\(report.checks)", sourceLocation: sourceLocation)
      return
    }
  }
}

private func writeProgram(_ script: String, to path: String) throws {
  try writeText("#!/bin/sh\n" + script + "\n", to: path)
  guard unsafe chmod(path, 0o755) == 0 else { throw TestFailure("chmod \(path)") }
}

/// The file of an X authority with a key for every server (Xau(3)).
private func authority(key: String) -> [UInt8] {
  func field(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }
  return [0xff, 0xff] + field("") + field("") + field("MIT-MAGIC-COOKIE-1") + field(key)
}
