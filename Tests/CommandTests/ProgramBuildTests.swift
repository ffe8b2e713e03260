#if arch(x86_64)
  import Control
  import Glibc
  import Raster
  import TestSupport
  import Testing

  /// The start of the best build for the processor. In the place of the build for x86-64-v3 is a script that prints its arguments.
  @Suite struct ProgramBuildTests {
    private let folder = CommandFolder()
    /// A processor without AVX2, emulated.
    private static let oldProcessor = ["qemu-x86_64", "-cpu", "Nehalem"]

    init() throws {
      for path in ["bin", "lib", "lib/backdropd", "lib/backdropd/x86-64-v3"] {
        unsafe mkdir("\(folder.path)/\(path)", 0o755)
      }
      folder.write("other", Array("#!/bin/sh\necho other $*\n".utf8))
      for program in [ProgramPaths.backdropd, ProgramPaths.backdropctl] {
        let name = String(try #require(program.split(separator: "/").last))
        try copy(program, to: "bin/\(name)")
        try copy("\(folder.path)/other", to: "lib/backdropd/x86-64-v3/\(name)")
      }
    }

    /// By another process: a program cannot start while this one, or a child that inherits that, has it open for writing.
    private func copy(_ file: String, to name: String) throws {
      for (tool, words) in [("cp", [file]), ("chmod", ["755"])] {
        let outcome = try Child.run(tool, words + ["\(folder.path)/\(name)"], environment: [:])
        #expect(outcome.status == .exited(0))
      }
    }

    private func run(_ words: [String]) throws -> ProgramOutcome {
      try Child.run(words[0], Array(words.dropFirst()), environment: [:])
    }

    private func continues(_ outcome: ProgramOutcome) -> Bool { outcome.out.hasPrefix("other") }

    @Test func bestInstalledBuildIsStartedWithTheSameArguments() throws {
      let isBest = ProgramBuild.best == .level3
      let daemon = try run(["\(folder.path)/bin/backdropd", "--display", ":7", "--version"])
      #expect(continues(daemon) == isBest)
      #expect(!isBest || daemon.out == "other --display :7 --version\n")
      let bench = try run(["\(folder.path)/bin/backdropctl", "bench", "--runs", "1"])
      #expect(continues(bench) == isBest)
      let version = try run(["\(folder.path)/bin/backdropctl", "--version"])
      #expect(version.out.hasSuffix("for \(ProgramBuild.current.rawValue)\n"))
    }

    @Test func otherBuildIsNotNeeded() throws {
      for name in ["backdropd", "backdropctl"] {
        unsafe unlink("\(folder.path)/lib/backdropd/x86-64-v3/\(name)")
        let outcome = try run(["\(folder.path)/bin/\(name)", "--version"])
        #expect(outcome.status == .exited(0))
        #expect(outcome.out.hasPrefix("\(name) "))
      }
    }

    @Test(.disabled(if: Sanitizer.isActive || ProgramBuild.current != .baseline))
    func oldProcessorRunsTheBuildForAll() throws {
      let daemon = try run(Self.oldProcessor + ["\(folder.path)/bin/backdropd", "--version"])
      #expect(daemon.out.hasSuffix("for x86-64\n"), "\(daemon.err)")
      try writePNG(
        straight: Bitmap(width: 64, height: 48, filledWith: 0xff30_80c0),
        to: "\(folder.path)/in.png")
      func blur(_ words: [String], into output: String) throws -> [UInt8]? {
        let outcome = try run(
          words + [
            "\(folder.path)/bin/backdropctl", "blur", "--sigma", "7",
            "\(folder.path)/in.png", "\(folder.path)/\(output)",
          ])
        #expect(outcome.status == .exited(0), "\(outcome.err)")
        return folder.read(output)
      }
      let expected = try blur(Self.oldProcessor, into: "old.png")
      for name in ["backdropd", "backdropctl"] {
        unsafe unlink("\(folder.path)/lib/backdropd/x86-64-v3/\(name)")
      }
      #expect(try blur([], into: "new.png") == expected)
      #expect(expected?.isEmpty == false)
    }
  }
#endif
