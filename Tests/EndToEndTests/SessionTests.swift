import Glibc
import TestSupport
import Testing

/// The daemon starts with the session of a desktop that does not reach `graphical-session.target`, and ends with it.
@Suite(.serialized, .waiting) struct SessionTests {
  enum Desktop: String, CaseIterable {
    case xfce, mate, lxqt, openbox, i3
  }

  /// The unit forbids what the leak sanitizer does at the end of a process.
  private static let canRunUnits = UserManager.isAvailable && !Sanitizer.isActive

  private let server: XServer
  private var home: String { server.runtimeDirectory + "/home" }

  init() throws {
    server = try XServer(width: 640, height: 480, isRestartable: true)
    let autostart = server.runtimeDirectory + "/etc/autostart"
    _ = try server.run("mkdir", ["-p", autostart, server.runtimeDirectory + "/home"])
    try writeText(
      try template("packaging/backdropd.desktop.in"), to: autostart + "/backdropd.desktop")
    try writeText(
      "# i3 config file (v4)\nexec --no-startup-id dex --autostart --environment i3\n",
      to: home + "/i3")
  }

  /// The programs of a session.
  private var environment: [String: String] {
    var environment = server.environment
    environment["HOME"] = home
    // Without the folders of the user that runs the tests.
    environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
    // Desktops need their own files.
    environment["XDG_CONFIG_DIRS"] = server.runtimeDirectory + "/etc:/etc/xdg"
    return environment
  }

  /// The environment of the user manager, which belongs to no session.
  private var managerEnvironment: [String: String] {
    environment.filter { $0.key != "DISPLAY" }
  }

  /// A file of the project with the folder of the tested programs in it.
  private func template(_ path: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let programs = ProgramPaths.backdropd.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return try readText("\(root)/\(path)").replacing("@bindir@", with: programs)
  }

  private func login(_ desktop: Desktop) throws -> Child {
    try giveFiles()
    switch desktop {
    case .xfce:
      return try program(["dbus-run-session", "--", "xfce4-session"])
    case .mate: return try program(["dbus-run-session", "--", "mate-session"])
    case .lxqt:
      return try program(["dbus-run-session", "--", "lxqt-session", "-w", "openbox"])
    case .openbox: return try program(["openbox-session"])
    case .i3:
      return try program(["i3", "-c", home + "/i3"])
    }
  }

  /// A program of the session. If tests run as root, it is one of another user, like most sessions.
  private func program(_ words: [String]) throws -> Child {
    let all = user + words
    return try Child(all[0], Array(all.dropFirst()), environment: environment)
  }

  private var user: [String] { getuid() == 0 ? UserManager.asOtherUser : [] }

  private func ctl(_ arguments: String...) throws -> ProgramOutcome {
    let all = user + [ProgramPaths.backdropctl] + arguments
    return try Child.run(all[0], Array(all.dropFirst()), environment: environment)
  }

  /// Gives all files to the user of the session.
  private func giveFiles() throws {
    if getuid() == 0 {
      _ = try server.run("chown", ["-R", "65534:65534", server.runtimeDirectory])
    }
  }

  private var isServed: Bool {
    get throws { try ctl("status", "--json").out.contains("\"connected\" : true") }
  }

  /// The processes of daemons of this display.
  private var daemons: [String] {
    processes.filter { (try? readText("/proc/\($0)/comm")) == "backdropd\n" }
  }

  /// The processes that know this display. The user manager and what it starts for itself do not.
  private var processes: [String] {
    namesInDirectory("/proc").filter { pid in
      guard let variables = try? readBytes("/proc/\(pid)/environ") else { return false }
      let text = String(decoding: variables, as: UTF8.self)
      return text.contains(server.runtimeDirectory) && text.contains("DISPLAY=\(server.display)")
    }
  }

  private func installUnit() throws {
    let units = server.configurationFolder + "/../systemd/user"
    _ = try server.run("mkdir", ["-p", units])
    // A display that is gone is not awaited for as long here.
    let unit = try template("systemd/backdropd.service.in").replacing("15s", with: "1s")
      .replacing("[Service]\n", with: "[Service]\nStandardOutput=file:\(home)/log\n")
    try writeText(unit, to: units + "/backdropd.service")
  }

  /// Ends the session, and its display with it.
  private func logout(_ session: Child) throws {
    try server.stop()
    _ = session.wait(for: .seconds(10))
    _ = try? session.stop()
  }

  @Test(.enabled(if: canRunUnits), arguments: Desktop.allCases)
  func unitLivesAsLongAsTheSession(desktop: Desktop) throws {
    try installUnit()
    try giveFiles()
    let manager = try UserManager(managerEnvironment)
    let unit = "backdropd.service"
    for round in 0..<2 {
      if round > 0 { try server.startAgain() }
      let session = try login(desktop)
      #expect(try soon { try isServed }, "\(desktop), login \(round): \(session.err)")
      #expect(try manager.property("ActiveState", of: unit) == "active")
      let status = try manager.property("StatusText", of: unit)
      // Some desktops name the screen, too.
      #expect(status.contains("serving display \(server.display)"), "\(status)")
      #expect(daemons.count == 1)
      if round == 0 {
        #expect(try ctl("add", "kept", "--plain", "--geometry", "90x80+20+30").status == .exited(0))
      }
      #expect(try ctl("list").out.contains("kept"))
      // By hand, several at once: nothing is started.
      let others = try (0..<3).map { _ in
        try program([ProgramPaths.backdropctl, "start"])
      }
      for other in others { #expect(other.wait(for: .seconds(20)) == .exited(0)) }
      #expect(daemons.count == 1)
      if round == 1 {
        // The server dies, and all of the session with it.
        server.process.kill()
        _ = server.process.wait(for: .seconds(10))
      }
      try logout(session)
      #expect(try soon { try manager.property("ActiveState", of: unit) == "inactive" })
      #expect(try manager.property("Result", of: unit) == "success")
      #expect(daemons == [])
      #expect(unsafe access(server.controlSocket, F_OK) != 0)
    }
  }

  /// Enabled on a console, it says what it waits for; the next login starts it.
  @Test(.enabled(if: canRunUnits)) func unitWaitsForALogin() throws {
    try installUnit()
    try giveFiles()
    let manager = try UserManager(managerEnvironment)
    let outcome = try manager.control("enable", "--now", "backdropd")
    #expect(outcome.status == .exited(0), "\(outcome.err)")
    #expect(try manager.property("ActiveState", of: "backdropd.service") == "inactive")
    #expect(try readText(home + "/log").hasPrefix("waiting for the next login to a desktop: "))
    let session = try login(.openbox)
    #expect(try soon { try isServed })
    try logout(session)
  }

  /// A user who has masked the unit gets no daemon at all.
  @Test(.enabled(if: canRunUnits)) func maskedUnitIsNotReplacedByAProcess() throws {
    try giveFiles()
    let manager = try UserManager(managerEnvironment)
    #expect(try manager.control("mask", "backdropd").status == .exited(0))
    let outcome = try ctl("start")
    #expect(outcome.status == .exited(69) && outcome.err.contains("masked"), "\(outcome.err)")
    #expect(daemons == [])
  }

  /// Without a user manager the daemon is a process that ends with the display.
  @Test(arguments: Desktop.allCases) func processLivesAsLongAsTheSession(desktop: Desktop) throws {
    for round in 0..<2 {
      if round > 0 { try server.startAgain() }
      let session = try login(desktop)
      #expect(try soon { try isServed }, "\(desktop), login \(round): \(session.err)")
      #expect(try ctl("start").status == .exited(0))
      #expect(daemons.count == 1)
      try logout(session)
      #expect(soon { daemons == [] })
      #expect(unsafe access(server.controlSocket, F_OK) != 0)
    }
  }
}
