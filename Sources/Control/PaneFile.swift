import FoundationEssentials
import Glibc
import Linux
package import Panes
import Raster

/// The panes of a display in a file, so that they survive the end of their daemon, whatever ended it.
///
/// The file has two lines of JSON: a header, and the request `apply` with all panes. The pictures of their
/// content are in a second file, whose number is in the header. The first file is replaced as a whole when the
/// second is complete, so a process that is killed at any time leaves either the old panes or the new ones.
package struct PaneFile {
  private let path: String
  private var header = Header(pixels: 0, starts: 0)
  /// The panes in the file.
  private var saved: [Pane] = []

  /// The first line of the file.
  private struct Header: Codable {
    /// The version of the format.
    var version = Self.currentVersion
    /// The number of the file with the pictures.
    var pixels: Int
    /// How many daemons loaded the panes since the last one that called `confirm`.
    var starts: Int
    /// The ends of the panes that have one, by the name of the pane.
    var ends: [String: SavedEnd]?

    static let currentVersion = 1

    var isValid: Bool {
      version == Self.currentVersion && (0...1 << 50).contains(pixels)
        && (0...1 << 50).contains(starts)
    }
  }

  /// The end of a pane. The clock of the daemon goes on as long as the folder of the file exists: until the next start
  /// of the system.
  private struct SavedEnd: Codable {
    /// In milliseconds; 0 if the pane was fading.
    var time, fade: Double

    init(_ end: PaneEnd) {
      switch end {
      case .at(let time, let fade):
        (self.time, self.fade) = (time / .milliseconds(1), fade.milliseconds)
      case .fading: (time, fade) = (0, 0)
      }
    }

    /// Nil if no daemon wrote it.
    var end: PaneEnd? {
      guard (0...1e15).contains(time), let fade = try? Fade(milliseconds: fade) else { return nil }
      return .at(.milliseconds(1) * time, fade)
    }
  }

  /// The number of daemons that load the panes and end soon after it, after which the panes are set aside.
  package static let startLimit = 3

  /// The panes in the file at `path`, which need not exist.
  package init(path: String) { self.path = path }

  /// Reads the panes and counts the start. Returns no panes if there is no file. If the file cannot be used, renames
  /// it and throws a `PaneFileError`.
  package mutating func load() throws(PaneFileError) -> [Pane] {
    guard let bytes = readFile(path) else { return [] }
    do {
      saved = try parse(bytes)
      header.starts += 1
      if header.starts > Self.startLimit { throw Unusable.crashes(Self.startLimit) }
      // The daemon may have been killed before it removed the last one.
      unsafe unlink(pixelPath(header.pixels - 1))
      try write(saved)
      return saved
    } catch {
      header = Header(pixels: header.pixels + 1, starts: 0)
      saved = []
      unsafe rename(path, path + "-bad")
      throw PaneFileError(path: path, newPath: path + "-bad", reason: "\(error)")
    }
  }

  /// Removes the panes of earlier daemons.
  package func forget() {
    guard let bytes = readFile(path) else { return }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    unsafe unlink(path)
    if let header = try? JSONDecoder().decode(Header.self, from: Data(line)) {
      unsafe unlink(pixelPath(header.pixels))
    }
  }

  private mutating func parse(_ bytes: [UInt8]) throws -> [Pane] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    guard lines.count == 2 else { throw Unusable.format }
    let header = try JSONDecoder().decode(Header.self, from: Data(lines[0]))
    guard header.isValid else { throw Unusable.format }
    self.header = header
    let pictures = pixelPath(header.pixels)
    let request = try Request(parsing: lines[1]) { makeMemoryFile(copying: pictures) }
    guard case .apply(var panes, _) = request else { throw Unusable.format }
    for i in panes.indices {
      guard let saved = header.ends?[panes[i].name] else { continue }
      guard let end = saved.end else { throw Unusable.format }
      panes[i].end = end
    }
    return panes
  }

  /// Whether a pane with this name is in the file.
  package func contains(_ name: String) -> Bool { saved.contains { $0.name == name } }

  /// Records that a daemon runs with the panes. Throws `system`.
  package mutating func confirm() throws(ControlError) {
    if header.starts == 0 { return }
    header.starts = 0
    try write(saved)
  }

  /// The pictures that must be written before these panes can be saved; nil if they are in the file already.
  package func newPictures(of panes: [Pane]) -> NewPictures? {
    let pictures = panes.flatMap(\.contents).flatMap(\.drawing.pictures)
    if pictures.isEmpty || pictures == saved.flatMap(\.contents).flatMap(\.drawing.pictures) {
      return nil
    }
    return NewPictures(number: header.pixels + 1, path: pixelPath(header.pixels + 1), pictures)
  }

  /// Replaces the panes in the file, if they are not the same. `pictures` are those that `newPictures` returned, and
  /// must have been written. Throws `system`; then the file is unchanged.
  package mutating func save(_ panes: [Pane], _ pictures: NewPictures?) throws(ControlError) {
    if panes == saved { return }
    if panes.isEmpty {
      unsafe unlink(path)
    } else {
      let old = header.pixels
      header.pixels = pictures?.number ?? old
      do throws(ControlError) {
        try write(panes)
      } catch {
        header.pixels = old
        throw error
      }
    }
    let hadPictures = saved.contains { !$0.contents.isEmpty }
    let hasPictures = panes.contains { !$0.contents.isEmpty }
    saved = panes
    if hadPictures, pictures != nil || !hasPictures {
      unsafe unlink(pixelPath(pictures == nil ? header.pixels : header.pixels - 1))
    }
  }

  // MARK: Files

  private func pixelPath(_ number: Int) -> String { "\(path)-pixels-\(number)" }

  /// Writes the first file as a whole.
  private mutating func write(_ panes: [Pane]) throws(ControlError) {
    let ends = panes.compactMap { pane in pane.end.map { (pane.name, SavedEnd($0)) } }
    header.ends = ends.isEmpty ? nil : Dictionary(ends) { $1 }
    let new = path + "-new"
    let lines = jsonLine(header) + Request.apply(panes, isRehearsal: false).line
    let file = try FileDescriptor.create(path: new)
    let code = unsafe lines.withUnsafeBytes { unsafe file.write($0, at: 0) }
    if code != 0 { throw .system(action: "write \(new)", errno: code) }
    guard unsafe rename(new, path) == 0 else {
      throw .system(action: "rename \(new)", errno: errno)
    }
  }
}

/// Pictures in a file of their own. Written before the panes that have them are saved.
package struct NewPictures: Sendable {
  fileprivate let number: Int
  private let path: String
  private let pictures: [Bitmap]

  fileprivate init(number: Int, path: String, _ pictures: [Bitmap]) {
    self.number = number
    self.path = path
    self.pictures = pictures
  }

  package var byteCount: Int { pictures.reduce(0) { $0 + 4 * $1.pixels.count } }

  /// Returns the error if they cannot be written.
  package func write() -> ControlError? {
    do throws(ControlError) {
      let code = try FileDescriptor.create(path: path).write(pictures)
      return code == 0 ? nil : .system(action: "write \(path)", errno: code)
    } catch {
      return error
    }
  }
}

/// The reason why saved panes are not used.
private enum Unusable: Error, CustomStringConvertible {
  case format
  case crashes(Int)

  var description: String {
    switch self {
    case .format: "another version of backdropd made it"
    case .crashes(let count): "\(count) daemons that showed these panes ended within seconds"
    }
  }
}

/// Saved panes cannot be used. Their file has a new name, so that it is not overwritten.
package struct PaneFileError: Error, Equatable, Sendable, CustomStringConvertible {
  package let path, newPath, reason: String

  package var description: String {
    "cannot use the panes in \(path): \(reason); the file is \(newPath) now"
  }
}

/// The bytes of a file; nil if it cannot be read.
private func readFile(_ path: String) -> [UInt8]? {
  let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
  if raw < 0 { return nil }
  return FileDescriptor(owning: raw).readBytes()
}

/// A file in memory with the pixels of the file at `path`; nil if it cannot be read.
private func makeMemoryFile(copying path: String) -> FileDescriptor? {
  let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
  if raw < 0 { return nil }
  let file = FileDescriptor(owning: raw)
  guard let count = file.pixelCount, let pixels = file.readPixels(count) else { return nil }
  return try? .makePixelFile([Bitmap(width: count, height: 1, pixels: pixels)])
}
