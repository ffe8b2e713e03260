import TestSupport
import Testing

/// The completions of bash after `backdropctl`, by the script that is installed.
@Suite(.waiting) struct CompletionTests {
  private let server: XServer
  private let daemon: TestDaemon
  private let script: String

  init() throws {
    server = try XServer(width: 400, height: 300)
    daemon = try TestDaemon(on: server, [])
    script = server.runtimeDirectory + "/completion"
    let outcome = try server.run(
      ProgramPaths.backdropctl, ["--generate-completion-script", "bash"])
    let functions = """
      words=("\(ProgramPaths.backdropctl)" "$@")
      COMP_WORDS=("${words[@]}"); COMP_CWORD=$(( ${#words[@]} - 1 ))
      COMP_LINE="${words[*]}"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
      _backdropctl backdropctl "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"

      """
    try writeText(outcome.out + functions, to: script)
  }

  /// The completions of the last of some words.
  private func offered(_ words: String...) throws -> [Substring] {
    try server.run("bash", ["-O", "extglob", script] + words).out.split(separator: "\n")
  }

  @Test func valuesAreOffered() throws {
    try daemon.ask("add", "clock", "--geometry", "90x80+1+2")
    try daemon.ask("add", "card", "--geometry", "90x80+1+2")
    _ = try server.run("mkdir", ["-p", server.configurationFolder])
    try writeText(
      "materials = { regular-frost = { sigma = 3; }; };",
      to: server.configurationFolder + "/backdropd.conf")
    #expect(try offered("set", "c") == ["clock", "card"])
    #expect(try offered("remove", "cl") == ["clock"])
    #expect(try offered("set", "--display", server.display, "cl") == ["clock"])
    #expect(
      try offered("set", "clock", "--material", "reg") == [
        "regular-light", "regular-dark", "regular-frost",
      ])
    #expect(
      try offered("set", "clock", "--layer", "") == ["desktop", "below-docks", "normal", "top"])
    #expect(try offered("set", "clock", "--output", "").contains("primary"))
    #expect(try offered("set", "clock", "--output", "").count >= 5)
    #expect(try offered("set", "clock", "--reset", "sig") == ["sigma"])
    #expect(try offered("con") == ["config"])
    #expect(try offered("config", "s") == ["show", "save"])
  }
}
