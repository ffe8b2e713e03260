import Glibc
import TestSupport
import Testing

/// Files that come with requests: wrong ones are named, and all are closed.
@Suite(.serialized, .waiting) struct ControlAttachmentTests {
  private let server: XServer
  private let daemon: TestDaemon
  private let connection: ControlConnection

  init() throws {
    server = try XServer(width: 400, height: 300)
    daemon = try TestDaemon(on: server)
    connection = try ControlConnection(server)
    #expect(
      connection.ask(#"{"request":"add","name":"live","style":"plain","geometry":"200x150+10+10"}"#)
        == done)
    // The files of its buffers are on their way to the server until then.
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
  }

  private func line(_ width: Int, _ height: Int) -> [UInt8] {
    let object = #"{"image":"x.png","width":\#(width),"height":\#(height),"at":"1,-0"}"#
    return Array(#"{"request":"set","name":"live","content":[\#(object)]}"#.utf8) + [10]
  }

  private var fileCount: Int { namesInDirectory("/proc/\(daemon.process.pid)/fd").count }

  private func expectNoFileIsKept(
    _ before: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let start = ContinuousClock.now
    // The daemon may notice later that other clients have disconnected.
    while fileCount != before, ContinuousClock.now - start < .seconds(10) {
      #expect(connection.ask(#"{"request":"sync"}"#) == done, sourceLocation: sourceLocation)
    }
    #expect(fileCount == before, sourceLocation: sourceLocation)
    #expect(daemon.process.wait(for: .zero) == nil, sourceLocation: sourceLocation)
  }

  // MARK: Correct files

  @Test func contentOfAPaneIsListed() throws {
    let before = fileCount
    let file = try MemoryFile(byteCount: 4 * 35)
    connection.send(line(7, 5), attaching: [file.number])
    #expect(connection.reply() == done)
    let list = try daemon.ask("list", "--json")
    #expect(list.contains(#""at" : "1,-0""#) && list.contains(#""image" : "x.png""#))
    #expect(number("width", in: list) == 7)
    #expect(try daemon.ask("list").contains("1 image"))
    #expect(connection.ask(#"{"request":"set","name":"live","sigma":9}"#) == done)
    #expect(try daemon.ask("list").contains("1 image"))
    #expect(connection.ask(#"{"request":"set","name":"live","content":[]}"#) == done)
    #expect(try !daemon.ask("list").contains("image"))
    expectNoFileIsKept(before)
  }

  // MARK: Wrong files

  /// Open descriptors stay when the limit is reduced, so requests still arrive.
  @Test func fileWithoutADescriptorNamesTheLimit() throws {
    _ = try server.run("prlimit", ["--pid", "\(daemon.process.pid)", "--nofile=1:"])
    // It waits with this limit now, which is lower than the number of its files.
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
    let file = try MemoryFile(byteCount: 4 * 35)
    connection.send(line(7, 5), attaching: [file.number])
    #expect(connection.reply()?.contains("too many open files to receive its pixels") == true)
    _ = try server.run("prlimit", ["--pid", "\(daemon.process.pid)", "--nofile=1024:"])
    connection.send(line(7, 5), attaching: [file.number])
    #expect(connection.reply() == done)
  }

  @Test func clientWithoutADescriptorIsTold() throws {
    let pid = "\(daemon.process.pid)"
    let files = Set(namesInDirectory("/proc/\(pid)/fd"))
    let free = (0...).first { !files.contains("\($0)") } ?? 0
    _ = try server.run("prlimit", ["--pid", pid, "--nofile=\(free):"])
    let outcome = try daemon.ctl("list")
    #expect(outcome.err.contains("too many open files"), "\(outcome.err)")
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
    _ = try server.run("prlimit", ["--pid", pid, "--nofile=1024:"])
    #expect(try daemon.ask("list").contains("live"))
  }

  @Test func fileThatIsNotInMemoryIsRefused() throws {
    let before = fileCount
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    let paths = ["/dev/zero", "/dev/full", "/", "/proc/self/stat"]
    let files = ends + paths.map { unsafe open($0, O_RDONLY) }
    for file in files {
      let hostile = try ControlConnection(server)
      hostile.send(line(20, 20), attaching: [file])
      #expect(hostile.reply()?.contains("not in memory") == true)
      close(file)
    }
    expectNoFileIsKept(before)
  }

  @Test func truncatedFileIsRefused() throws {
    let before = fileCount
    let file = try MemoryFile(byteCount: 4 * 400)
    connection.send(line(20, 20), attaching: [file.number])
    file.resize(to: 4 * 400 - 1)
    let first = connection.reply() ?? "nothing"
    #expect(first == done || first.contains("has fewer"))
    connection.send(line(20, 20), attaching: [file.number])
    #expect(connection.reply()?.contains("content: its pictures have 400 pixels") == true)
    expectNoFileIsKept(before)
  }

  @Test func emptyFileCostsNoMemory() throws {
    let before = fileCount
    let file = try MemoryFile(byteCount: 0)
    let peak = try daemon.process.usage().peakByteCount
    for _ in 0..<100 {
      connection.send(line(32767, 512), attaching: [file.number])
      #expect(connection.reply()?.contains("has fewer") == true)
      connection.send(line(32767, 32767), attaching: [file.number])
      #expect(connection.reply()?.contains("pixels in all is out of range") == true)
    }
    // The claimed size is 64 MiB.
    #expect(try daemon.process.usage().peakByteCount - peak < 32 << 20)
    expectNoFileIsKept(before)
  }

  @Test func contentOfAllPanesIsLimited() throws {
    let before = fileCount
    for number in 0..<4 { try addPane(number, width: 4096, height: 4096) }
    let file = try MemoryFile(byteCount: 4)
    connection.send(line(1, 1), attaching: [file.number])
    #expect(connection.reply()?.contains("67108865 pixels on all panes together") == true)
    expectNoFileIsKept(before)
  }

  @Test(.enabled(if: !Sanitizer.isActive)) func memoryOfRemovedContentIsFreed() throws {
    let resident = try daemon.process.usage().residentByteCount
    for number in 0..<4 { try addPane(number, width: 4096, height: 4096) }
    for number in 0..<4 {
      #expect(connection.ask(#"{"request":"remove","name":"p\#(number)"}"#) == done)
    }
    // Another thread frees it.
    #expect(try soon { try daemon.process.usage().residentByteCount - resident < 32 << 20 })
  }

  private func addPane(_ number: Int, width: Int, height: Int) throws {
    // Larger than the memory: the daemon must read no more than the picture.
    let file = try MemoryFile(byteCount: 1 << 42)
    let add = #"{"request":"add","name":"p\#(number)","geometry":"9x9+0+0","content":["#
    let object = #"{"label":"x","font":"Sans 9","width":\#(width),"height":\#(height)}]}"#
    connection.send(Array("\(add)\(object)\n".utf8), attaching: [file.number])
    #expect(connection.reply() == done)
  }

  @Test func surplusFilesAreClosed() throws {
    let before = fileCount
    try sendFilesWithoutNumber(before)
    expectNoFileIsKept(before)
  }

  private func sendFilesWithoutNumber(_ before: Int) throws {
    let file = try MemoryFile(byteCount: 4 * 400)
    let many = [Int32](repeating: file.number, count: 250)
    let crowd = try ControlConnection(server)
    for request in [Array("{\"request\":\"list\"}\n".utf8), line(20, 20), Array("noise\n".utf8)] {
      #expect(crowd.send(request, attaching: many))
      #expect(crowd.reply() != nil)
    }
    let slow = try ControlConnection(server)
    for byte in line(20, 20) { #expect(slow.send([byte], attaching: [file.number])) }
    #expect(slow.reply() == done)
    // It sends a line without an end, each byte with a file.
    let endless = try ControlConnection(server)
    for _ in 0..<500 { #expect(endless.send([32], attaching: [file.number])) }
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
    #expect(fileCount < before + 8)
    for cut in 1..<40 {
      let hasty = try ControlConnection(server)
      hasty.send(Array(line(20, 20).prefix(cut)), attaching: [file.number])
    }
    withExtendedLifetime((crowd, slow, endless)) {}
  }
}
