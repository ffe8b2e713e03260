import Glibc
import Raster
import TestDice
import TestSupport
import Testing

/// A daemon that follows its configuration file.
@Suite(.serialized, .waiting) struct FollowedConfigurationTests {
  private let server: XServer
  private var file: String { server.configurationFolder + "/backdropd.conf" }

  init() throws { server = try XServer(width: 400, height: 300) }

  /// Writes the file at once, as an editor that renames does.
  private func configure(_ text: String) throws {
    _ = try server.run("mkdir", ["-p", server.configurationFolder])
    try writeText(text, to: file + "-new")
    #expect(unsafe rename(file + "-new", file) == 0)
  }

  private func pane(_ name: String, _ settings: String = "") -> String {
    "{ name = \"\(name)\"; style = \"plain\"; geometry = \"90x80+20+30\"; \(settings) }"
  }

  private func names(_ daemon: TestDaemon) throws -> [Substring] {
    try daemon.ask("list").split(separator: "\n").dropFirst()
      .compactMap { $0.split(separator: " ").first }
  }

  /// Whether the list soon has a text.
  private func soonListed(_ text: String, _ daemon: TestDaemon) throws -> Bool {
    try soon { try daemon.ask("list", "--json").contains(text) }
  }

  @Test func panesOfTheFileAreShown() throws {
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 4))
    try configure(
      """
      materials = { frost = { sigma = 9; tint = "#20408060"; }; };
      panes = ( \(pane("a", "material = \"frost\";")),
        { name = "b"; geometry = "200x90-20-20"; content = ( { label = "Hello"; } ); } );
      """)
    let daemon = try TestDaemon(on: server, [])
    try daemon.sync()
    #expect(try names(daemon) == ["a", "b"])
    let shown = try client.screenshot()
    try daemon.stop()
    // The same panes by commands.
    let other = try TestDaemon(on: server, ["--fresh", "--config", "/nowhere/backdropd.conf"])
    try other.ask(
      "add", "a", "--style", "plain", "--geometry", "90x80+20+30", "--sigma", "9", "--tint",
      "#20408060")
    try other.ask("add", "b", "--geometry", "200x90-20-20", "--label", "Hello")
    try other.sync()
    #expect(try client.screenshot().difference(from: shown) == nil)
  }

  /// The file is followed: its creation with its folder, changes in place and by renaming, links, its end.
  @Test func fileIsFollowed() throws {
    let daemon = try TestDaemon(on: server, [])
    try daemon.sync()
    #expect(try daemon.ask("list").contains("no panes"))
    try configure("panes = ( \(pane("a")) );")
    #expect(try soonListed("\"a\"", daemon))
    // In place.
    try writeText("panes = ( \(pane("b")) );", to: file)
    #expect(try soonListed("\"b\"", daemon))
    #expect(try names(daemon) == ["b"])
    // A link to a file elsewhere, which then changes.
    let real = server.runtimeDirectory + "/dotfile"
    try writeText("panes = ( \(pane("c")) );", to: real)
    _ = try server.run("ln", ["-sf", real, file])
    #expect(try soonListed("\"c\"", daemon))
    try writeText("panes = ( \(pane("d")) );", to: real)
    #expect(try soonListed("\"d\"", daemon))
    // An included file.
    let included = server.configurationFolder + "/more.conf"
    try writeText("panes = ( \(pane("e")) );", to: included)
    #expect(unsafe unlink(file) == 0)
    try configure("@include \"more.conf\"\n")
    #expect(try soonListed("\"e\"", daemon))
    try writeText("panes = ( \(pane("f")) );", to: included)
    #expect(try soonListed("\"f\"", daemon))
    #expect(unsafe unlink(file) == 0)
    #expect(try soon { try daemon.ask("list").contains("no panes") })
    // The whole folder.
    #expect(
      unsafe rename(server.configurationFolder, server.runtimeDirectory + "/away") == 0)
    try configure("panes = ( \(pane("g")) );")
    #expect(try soonListed("\"g\"", daemon))
    let status = try daemon.ask("status", "--json")
    #expect(status.contains(file), "\(status)")
  }

  /// Where the kernel reports no changes, the log tells it, and the file is read at the start and by `reload`.
  @Test(.enabled(if: canLimitInotify(), "needs a user namespace"))
  func fileIsReadWithoutReports() throws {
    try configure("panes = ( \(pane("a")) );")
    let daemon = try TestDaemon(
      on: server, program: "unshare",
      [
        "--user", "--map-current-user", "--keep-caps", "sh", "-c",
        "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$0\"", ProgramPaths.backdropd,
      ]
    ) { Issue.record("\($0)") }
    try daemon.sync()
    #expect(try names(daemon) == ["a"])
    #expect(daemon.log.contains("fs.inotify.max_user_instances"), "\(daemon.log)")
    try configure("panes = ( \(pane("b")) );")
    try daemon.ask("reload")
    #expect(try names(daemon) == ["b"])
  }

  /// An error changes nothing; the log, `status`, `reload` and `config check` tell all of it.
  @Test func errorChangesNothing() throws {
    try configure("rate = 30; panes = ( \(pane("a")) );")
    let daemon = try TestDaemon(on: server, [])
    try daemon.sync()
    let before = try daemon.ask("list", "--json")
    try configure("rate = 30000;\npanes = ( \(pane("b", "sigmma = 3;")),\n \(pane("c")) );")
    let errors = [
      "\(file):1: rate: 30000 is out of range; it takes 1 to 1000 frames per second",
      "\(file):2: pane 'b': there is no setting 'sigmma'; did you mean sigma?",
    ]
    #expect(soon { errors.allSatisfy { daemon.log.contains($0) } }, "\(daemon.log)")
    #expect(try daemon.ask("list", "--json") == before)
    let status = try daemon.ask("status", "--json")
    #expect(status.contains("rate: 30000 is out"), "\(status)")
    for command in [["reload"], ["config", "check"], ["config", "save"]] {
      let outcome = try daemon.ctl(command)
      #expect(outcome.status == .exited(78), "\(command)")
      #expect(outcome.err == errors.map { $0 + "\n" }.joined(), "\(command): \(outcome.err)")
    }
    // Errors of images and labels do not wait for those of settings.
    try configure(
      """
      panes = ( \(pane("b", "sigmma = 3;")),
        \(pane("c", "content = ( { label = \"\"; } );")),
        \(pane("d", "content = ( { image = \"/none.png\"; }, { label = \"a\"; at = \"b\"; } );")),
        \(pane("e", "sigma = 2000; content = ( { image = \"/none.png\"; } );")) );
      """)
    let all = [
      ":1: pane 'b': there is no setting 'sigmma'", ":2: pane 'c': label: the text is empty",
      ":3: pane 'd': cannot read /none.png", ":3: pane 'd': at: cannot read 'b'",
      ":4: pane 'e': sigma: 2000", ":4: pane 'e': cannot read /none.png",
    ]
    #expect(soon { all.allSatisfy { daemon.log.contains(file + $0) } }, "\(daemon.log)")
    for command in [["reload"], ["config", "check"], ["config", "save"]] {
      let lines = try daemon.ctl(command).err.split(separator: "\n")
      #expect(lines.count == all.count, "\(command): \(lines)")
      for (line, wanted) in zip(lines, all) { #expect(line.hasPrefix(file + wanted), "\(line)") }
    }
    #expect(try daemon.ask("list", "--json") == before)
    // A pane that cannot be shown here, and an image that is not there.
    try configure("panes = ( { name = \"far\"; geometry = \"9x9+5000+0\"; } );")
    #expect(soon { daemon.log.contains("\(file):1: pane 'far': geometry") }, "\(daemon.log)")
    try configure("\npanes = ( \(pane("a", "content = ( { image = \"none.png\"; } );")) );")
    let missing = "\(server.configurationFolder)/none.png"
    #expect(soon { daemon.log.contains("\(file):2: pane 'a': cannot read \(missing)") })
    #expect(try daemon.ask("list", "--json") == before)
    try configure("panes = ( \(pane("b")) );")
    #expect(try soonListed("\"b\"", daemon))
    #expect(try !daemon.ask("status", "--json").contains("out of range"))
  }

  /// A pane that does not change is not drawn again; a setting that goes is reset.
  @Test func unchangedPanesAreNotTouched() throws {
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 5))
    try configure("panes = ( \(pane("a")), \(pane("b", "sigma = 4; tint = \"#FF000080\";")) );")
    let daemon = try TestDaemon(on: server, [])
    try daemon.sync()
    func report(_ name: String) throws -> String {
      let panes = try daemon.ask("list", "--json").split(separator: "\n  },")
      return String(panes.first { $0.contains("\"name\" : \"\(name)\"") } ?? "")
    }
    let before = try report("a")
    try configure("panes = ( \(pane("a")), \(pane("b", "sigma = 4;")) );")
    #expect(try soon { try !report("b").contains("#FF0000") })
    try daemon.sync()
    #expect(try report("a") == before, "also the number of its frames")
    #expect(try daemon.ask("reload") == "")
  }

  /// Changes by commands stay through reloads and restarts, until the configuration changes the same.
  @Test func commandsAreKept() throws {
    try configure("panes = ( \(pane("a", "sigma = 4;")), \(pane("b")) );")
    let first = try TestDaemon(on: server, [])
    try first.sync()
    try first.ask("set", "a", "--sigma", "6", "--noise", "0.25")
    try first.ask("remove", "b")
    try first.ask("add", "mine", "--plain", "--geometry", "50x50+300+200")
    try first.ask("reload")
    try first.stop()
    let next = try TestDaemon(on: server, [])
    try next.sync()
    #expect(try names(next) == ["a", "mine"])
    #expect(try next.ask("list", "--json").contains("\"sigma\" : 6"))
    try configure("panes = ( \(pane("a", "sigma = 5;")), \(pane("b", "sigma = 3;")) );")
    #expect(try soonListed("\"sigma\" : 5", next))
    #expect(try names(next) == ["a", "b", "mine"])
    #expect(try next.ask("list", "--json").contains("\"noise\" : 0.25"))
    #expect(try next.ask("reload", "--discard") == "remove mine\nchange a\n")
    #expect(try !next.ask("list", "--json").contains("0.25"))
    // A file that has gone meanwhile.
    try next.stop()
    #expect(unsafe unlink(file) == 0)
    let last = try TestDaemon(on: server, [])
    try last.sync()
    #expect(try last.ask("list").contains("no panes"))
  }

  /// Settings of the daemon are followed, unless its command line has them.
  @Test func daemonSettingsAreFollowed() throws {
    try configure("cache-bytes = \"1M\"; cache-count = 10; rate = 5;")
    let daemon = try TestDaemon(on: server, ["--cache-count", "20"])
    try daemon.sync()
    func limits() throws -> [Int?] {
      let status = try daemon.ask("status", "--json")
      return [number("byteLimit", in: status), number("tileLimit", in: status)]
    }
    #expect(try limits() == [1 << 20, 20])
    try configure("cache-bytes = 5000;")
    #expect(try soon { try limits() == [5000, 20] })
    try configure("")
    #expect(try soon { try limits() == [16 << 20, 20] })
  }

  /// Commands take the materials of the configuration, and the whole look of one replaces another.
  @Test func commandsTakeMaterialsOfTheFile() throws {
    try configure(
      "materials = { frost = { material = \"dark\"; sigma = 12; }; ice = { sigma = 3; }; };")
    let daemon = try TestDaemon(on: server, [])
    try daemon.sync()
    try daemon.ask(
      "add", "a", "--geometry", "90x80+20+30", "--material", "frost", "--noise", "0.125")
    var list = try daemon.ask("list", "--json")
    #expect(list.contains("\"sigma\" : 12") && list.contains("\"material\" : \"dark\""), "\(list)")
    try daemon.ask("set", "a", "--material", "ice")
    list = try daemon.ask("list", "--json")
    #expect(list.contains("\"sigma\" : 3") && !list.contains("\"material\""), "\(list)")
    #expect(!list.contains("0.125"))
    let unknown = try daemon.ctl("set", "a", "--material", "frst")
    #expect(
      unknown.status == .exited(64) && unknown.err.contains("did you mean frost"), "\(unknown.err)")
    let materials = try daemon.ask("materials").split(separator: "\n")
    #expect(materials.contains { $0.hasPrefix("frost ") && $0.hasSuffix(file) })
    // The output is a configuration.
    try writeText(try daemon.ask("config", "show"), to: file + "-shown")
    #expect(try daemon.ask("config", "check", file + "-shown").contains("0 panes, 2 materials"))
    try configure("materials = { frost = { sigma = -1; }; };")
    let wrong = try daemon.ctl("set", "a", "--material", "frost")
    #expect(wrong.status == .exited(78) && wrong.err.contains("config check"), "\(wrong.err)")
  }

  /// `config save` writes what is on the screen; comments stay where nothing changes, and nothing changes on the screen.
  @Test func panesAreSaved() throws {
    let text = """
      # head
      panes = (
        # the first
        { name = "a"; style = "plain"; geometry = "90x80+20+30"; }, # its end
        {
          name = "b"; # the second
          geometry = "200x90-20-20";
          content = ( { label = "Hello"; } ); # greeting
          sigma = 4; # little
        }
      );

      """
    try configure(text)
    let daemon = try TestDaemon(on: server, [])
    try daemon.sync()
    #expect(try daemon.ask("config", "save") == "saved 2 panes in \(file)\n")
    #expect(try readText(file) == text)
    try daemon.ask("set", "b", "--sigma", "6", "--tint", "#FF000080")
    try daemon.ask("add", "c", "--plain", "--geometry", "50x50+300+200", "--label", "a \"b\"\n\\c")
    try daemon.ask("add", "d", "--plain", "--geometry", "50x50+9+9", "--ephemeral")
    try daemon.ask("add", "e", "--plain", "--geometry", "50x50+9+9", "--for", "1h")
    try daemon.ask("hide", "a")
    try daemon.sync()
    let before = try daemon.ask("list", "--json")
    #expect(try daemon.ask("config", "save") == "saved 3 panes in \(file)\n")
    let saved = try readText(file)
    for part in ["# head", "  # the first", "# its end", "# the second", "# greeting", "# little"] {
      #expect(saved.contains(part), "\(part)\n\(saved)")
    }
    #expect(saved.contains("{ label = \"Hello\"; }") && saved.contains("sigma = 6; # little"))
    #expect(
      saved.contains("shown = false;") && !saved.contains("\"d\"") && !saved.contains("\"e\""))
    try daemon.sync()
    func lines(_ list: String) -> [Substring] {
      list.split(separator: "\n").filter { !$0.contains("remainingSeconds") }
    }
    #expect(try lines(daemon.ask("list", "--json")) == lines(before))
    // A new daemon without saved panes has the same.
    try daemon.ask("remove", "d")
    try daemon.ask("remove", "e")
    let wanted = try names(daemon)
    try daemon.stop()
    let fresh = try TestDaemon(on: server, ["--fresh"])
    try fresh.sync()
    #expect(try names(fresh) == wanted)
  }

  /// Without a file of the user, a copy of the system's is made.
  @Test func configurationOfTheSystemIsCopied() throws {
    let system = server.runtimeDirectory + "/etc/backdropd"
    _ = try server.run("mkdir", ["-p", system])
    try writeText(
      "# all users\n\n# the bar\npanes = ( \(pane("a")) );\n", to: system + "/backdropd.conf")
    let daemon = try TestDaemon(on: server, [])
    try daemon.sync()
    try daemon.ask("set", "a", "--sigma", "6")
    #expect(try daemon.ask("config", "save") == "saved 1 pane in \(file)\n")
    let own = try readText(file)
    #expect(own.hasPrefix("# The configuration of backdropd, which"))
    #expect(own.contains("# the bar\npanes = (") && own.contains("sigma = 6;"))
    #expect(!own.contains("all users"))
    #expect(try readText(system + "/backdropd.conf").contains("sigma") == false)
    // The other one is used again when the own is gone.
    #expect(unsafe unlink(file) == 0)
    #expect(try soon { try daemon.ask("status", "--json").contains(system) })
  }
}

/// Whether a process may have a user namespace, which has limits of its own.
private func canLimitInotify() -> Bool {
  let outcome = try? Child.run(
    "unshare", ["--user", "--map-current-user", "true"], environment: baseEnvironment())
  return outcome?.status == .exited(0)
}
