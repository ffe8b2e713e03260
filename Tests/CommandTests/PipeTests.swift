import Glibc
import TestSupport
import Testing

/// Pipes in place of files, whose other end may never come or stay silent.
@Suite struct PipeTests {
  private let picture = HandmadePNG(colorType: 2, width: 40, height: 30) { x, y in [x, y, 99] }
    .bytes
  private let folder = CommandFolder()

  /// More than a command waits for a pipe, and more than a busy machine adds to it.
  private static let limit = Duration.seconds(30)

  private func makePipe(_ name: String) {
    #expect(unsafe mkfifo("\(folder.path)/\(name)", 0o600) == 0)
  }

  /// Opens both ends of a pipe, so that it has a writer, and writes to it.
  private func openWriter(_ name: String, _ bytes: [UInt8] = []) -> Int32 {
    let file = unsafe open("\(folder.path)/\(name)", O_RDWR | O_CLOEXEC)
    write(bytes, to: file)
    return file
  }

  private func write(_ bytes: [UInt8], to file: Int32) {
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
    #expect(count == bytes.count)
  }

  /// Starts a line of the shell in the folder, where `ctl` is `backdropctl`.
  private func start(_ line: String) throws -> Child {
    let program = "cd '\(folder.path)'; ctl() { exec '\(ProgramPaths.backdropctl)' \"$@\"; }\n"
    return try Child("sh", ["-c", program + line], environment: ["HOME": folder.path])
  }

  private func expectFailure(_ child: Child, _ status: Int32, _ words: String) {
    #expect(child.wait(for: Self.limit) == .exited(status), "\(child.err)")
    #expect(child.err.hasPrefix("backdropctl: ") && child.err.contains(words), "\(child.err)")
    #expect(child.err.count { $0 == "\n" } == 1, "\(child.err)")
  }

  @Test func pipeWithoutAWriterIsRefused() throws {
    makePipe("in")
    for line in ["ctl blur in out.png --sigma 5", "ctl apply in", "ctl config check in"] {
      try expectFailure(start(line), 66, "no program writes to this pipe")
    }
    folder.write("a.png", picture)
    let piped = try start("cat a.png | ctl blur /dev/stdin out.png --sigma 5")
    #expect(piped.wait(for: Self.limit) == .exited(0), "\(piped.err)")
  }

  /// A user may type into the standard input, for however long.
  @Test func onlyTheStandardInputMayStaySilent() throws {
    let names = ["bare", "begun", "conf", "stdin", "link"]
    names.forEach(makePipe)
    let writers = names.map { openWriter($0, $0 == "begun" ? Array(picture.prefix(9)) : []) }
    defer { writers.prefix(3).forEach { close($0) } }
    let awaited = try [
      start("ctl blur - a.png --sigma 5 <stdin"),
      start("ctl blur /dev/stdin b.png --sigma 5 <link"),
    ]
    let refused = try [
      start("ctl blur bare out.png --sigma 5"), start("ctl blur begun out.png --sigma 5"),
      start("ctl config check conf"), start("ctl apply conf"),
    ]
    for child in refused { expectFailure(child, 66, "nothing came for 5 s") }
    // These have waited for longer.
    for (child, writer) in zip(awaited, writers.suffix(2)) {
      #expect(child.wait(for: .zero) == nil, "\(child.err)")
      write(picture, to: writer)
      close(writer)
      #expect(child.wait(for: Self.limit) == .exited(0), "\(child.err)")
    }
    #expect(folder.read("a.png") == folder.read("b.png"))
    #expect(!folder.files.contains("out.png"))
  }

  /// `config save` and `snapshot` write in the same way, but need a daemon.
  @Test func pipeWithoutAReaderIsRefused() throws {
    makePipe("out")
    folder.write("in.png", picture)
    let commands = try ["blur in.png out --sigma 5", "shot out", "snapshot a out"].map {
      try start("ctl " + $0)
    }
    for child in commands { expectFailure(child, 73, "no program came to read this pipe for 5 s") }
  }

  /// The file is read by a reader that comes after the command has begun to wait.
  @Test func readerMayComeLater() throws {
    makePipe("out")
    folder.write("in.png", picture)
    let child = try start("ctl blur in.png out --sigma 5")
    #expect(child.wait(for: .milliseconds(200)) == nil, "\(child.err)")
    let reader = try start("cat out")
    #expect(child.wait(for: Self.limit) == .exited(0), "\(child.err)")
    #expect(reader.wait(for: Self.limit) == .exited(0))
    #expect(reader.out.contains("IHDR"))
  }
}
