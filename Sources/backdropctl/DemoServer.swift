import CLinux
import Control
import Glibc

/// The X server of the demo's scene.
struct DemoServer: ~Copyable {
  let process: DemoProcess
  let display: DemoDisplay

  /// Returns when it serves the display that it has chosen.
  init(environment: [String: String], _ interrupts: borrowing DemoInterrupts) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw Failure(.internal, "no socket pair: \(errorText(errno))")
    }
    let ours = FileDescriptor(owning: ends[0])
    let theirs = FileDescriptor(owning: ends[1])
    let process = try DemoProcess(
      "Xvfb",
      [
        "-displayfd", "3", "-screen", "0", "\(DemoScene.width)x\(DemoScene.height)x24",
        "-nolisten", "tcp", "-noreset",
      ],
      hint: "'apt install xvfb' has it", environment: environment, passing: theirs.raw)

    var line: [UInt8] = []
    var byte: UInt8 = 0
    while try interrupts.waitForReadable(ours.raw, seconds: 20),
      unsafe read(ours.raw, &byte, 1) == 1, byte != UInt8(ascii: "\n")
    {
      line.append(byte)
    }
    guard !line.isEmpty else {
      throw Failure(.unavailable, "Xvfb does not start; try it by hand: 'Xvfb :99'")
    }
    let name = ":" + String(decoding: line, as: UTF8.self)
    display = DemoDisplay(
      name: name, environment: environment.merging(["DISPLAY": name], uniquingKeysWith: { $1 }))
    self.process = process
  }
}

/// A folder for sockets and files of the show, private, removed with its owner.
struct DemoFolder: ~Copyable {
  let path: String

  init() throws {
    var template = Array("/tmp/backdropd-demo-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw Failure(.cannotCreate, "cannot make a folder in /tmp: \(errorText(errno))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in (try? fileNames(path)) ?? [] { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }
}

func writeFile(_ path: String, _ text: String) throws {
  let raw = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard raw >= 0 else { throw Failure(.cannotCreate, "cannot write \(path): \(errorText(errno))") }
  let file = FileDescriptor(owning: raw)
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(file.raw, $0.baseAddress, $0.count) }
    guard count > 0 else {
      throw Failure(.cannotCreate, "cannot write \(path): \(errorText(errno))")
    }
    rest = rest.dropFirst(count)
  }
}

private func fileNames(_ path: String) throws -> [String] {
  guard let folder = unsafe opendir(path) else { return [] }
  defer { unsafe closedir(folder) }
  var names: [String] = []
  while let entry = unsafe readdir(folder) {
    let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}
