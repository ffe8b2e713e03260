import FoundationEssentials
import Glibc
import Linux
package import Panes
import Raster

/// The saved state for the next daemon of a display.
package struct SavedPanes: Equatable, Sendable {
  /// The panes, the lowest first.
  package var panes: [Pane] = []
  /// The panes that the configuration declared when it was last read, without pixels.
  package var declared: [Pane] = []
  /// The names of the panes that a daemon has had for a while, as they are, and did not crash.
  package var tried: Set<String> = []

  /// Nothing.
  package init() {}

  /// `panes` and what the configuration declares.
  package init(_ panes: [Pane], declared: [Pane] = [], tried: Set<String> = []) {
    self.panes = panes
    self.declared = declared
    self.tried = tried
  }

  /// The panes without those that may have crashed their daemons: without all panes that are not tried, or without any panes if
  /// all are tried.
  var withoutSuspects: SavedPanes {
    let rest = panes.filter { tried.contains($0.name) }
    if rest.isEmpty || rest.count == panes.count { return SavedPanes() }
    return SavedPanes(rest, declared: declared, tried: tried)
  }

  var isEmpty: Bool { panes.isEmpty && declared.isEmpty }
  var pictures: [Bitmap] { panes.flatMap(\.contents).flatMap(\.drawing.pictures) }
}

/// The panes of a display in a file, so that they survive the end of their daemon and of the session.
///
/// The file has two lines of JSON: a header, and the request `apply` with all panes. The pictures of their
/// content are in a second file, whose number is in the header. The first file is replaced as a whole when the
/// second is complete, so a process that is killed at any time leaves either the old panes or the new ones.
package struct PaneFile {
  private let path: String
  /// The number of the file with the pictures.
  private var pixels = 0
  /// The panes in the file.
  private var saved = SavedPanes()

  /// After this number of daemons have crashed soon after they loaded the panes, panes are set aside.
  package static let crashLimit = 3

  /// The panes in the file at `path`, which need not exist.
  package init(path: String) { self.path = path }

  /// The file in which a daemon writes a byte when it crashes soon after it has loaded the panes.
  package var crashPath: String { path + "-crashes" }

  /// Reads the panes. Returns none if there is no file. If the file, or a part of it, cannot be used, renames it and throws a
  /// `PaneFileError`, with the rest.
  package mutating func load() throws(PaneFileError) -> SavedPanes {
    var rest = SavedPanes()
    do {
      guard let panes = try readRepeatedly() else { return SavedPanes() }
      saved = panes
      if (bytesOfFile(crashPath)?.count ?? 0) >= Self.crashLimit {
        rest = saved.withoutSuspects
        throw Unusable.crashes(Self.crashLimit, kept: rest.panes.map(\.name))
      }
      // The daemon may have been killed before it removed the last one.
      unsafe unlink(pixelPath(pixels - 1).systemText)
      return saved
    } catch {
      pixels += 1
      saved = SavedPanes()
      unsafe rename(path.systemText, (path + "-bad").systemText)
      unsafe unlink(crashPath.systemText)
      throw PaneFileError(path: path, newPath: path + "-bad", reason: "\(error)", rest: rest)
    }
  }

  /// Removes the panes of earlier daemons.
  package func forget() {
    let line = bytesOfFile(path)?.prefix { $0 != UInt8(ascii: "\n") } ?? []
    unsafe unlink(path.systemText)
    if let header = try? JSONDecoder().decode(Header.self, from: Data(line)) {
      unsafe unlink(pixelPath(header.pixels).systemText)
    }
  }

  /// Reads the file, more than once if a file cannot be read: for a moment the system may have no descriptors or memory. Nil if
  /// there is none.
  private mutating func readRepeatedly() throws -> SavedPanes? {
    for _ in 1..<Self.attemptCount {
      do {
        return try read()
      } catch Unusable.unreadable(let code) where code != 0 {
        usleep(Self.pause)
      } catch RequestError.noPixelFile, RequestError.noMemory, RequestError.unreadablePixelFile {
        usleep(Self.pause)
      }
    }
    return try read()
  }

  private static let attemptCount = 3
  /// In microseconds.
  private static let pause: UInt32 = 10_000

  private mutating func read() throws -> SavedPanes? {
    errno = 0
    guard let bytes = bytesOfFile(path) else {
      if errno == ENOENT || errno == ELOOP { return nil }
      throw Unusable.unreadable(errno)
    }
    return try parse(bytes)
  }

  private mutating func parse(_ bytes: [UInt8]) throws -> SavedPanes {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    guard lines.count == 2 else { throw Unusable.format }
    let header = try JSONDecoder().decode(Header.self, from: Data(lines[0]))
    guard header.isValid else { throw Unusable.format }
    pixels = header.pixels
    let pictures = pixelPath(pixels)
    let request = try Request(parsing: lines[1]) { makeMemoryFile(copying: pictures) }
    guard case .apply(let panes, _) = request else { throw Unusable.format }
    return SavedPanes(
      try header.addingEnds(to: panes), declared: header.declared.map(\.pane),
      tried: Set(header.tried ?? []))
  }

  /// Whether a pane with this name is in the file.
  package func contains(_ name: String) -> Bool { saved.panes.contains { $0.name == name } }

  /// The names of the given panes that differ from those in the file, or are not in it.
  package func names(ofChanged panes: [Pane]) -> [String] {
    let old = Dictionary(saved.panes.map { ($0.name, $0) }) { $1 }
    return panes.filter { old[$0.name] != $0 }.map(\.name)
  }

  /// The change that gives the file these panes; nil if it has them.
  package func change(to panes: SavedPanes) -> PaneFileChange? {
    if panes == saved { return nil }
    let pictures = panes.pictures
    let isNew = !pictures.isEmpty && pictures != saved.pictures
    let number = isNew ? pixels + 1 : pixels
    let hadPictures = !saved.pictures.isEmpty
    return PaneFileChange(
      panes: panes, number: number, path: path, pixelPath: pixelPath(number),
      newPictures: isNew ? pictures : [],
      oldPixelPath: hadPictures && (isNew || pictures.isEmpty) ? pixelPath(pixels) : nil)
  }

  /// Records a change that was written.
  package mutating func record(_ change: PaneFileChange) {
    pixels = change.number
    saved = change.panes
  }

  private func pixelPath(_ number: Int) -> String { "\(path)-pixels-\(number)" }
}

/// A change of a pane file. It can be written on another thread.
package struct PaneFileChange: Sendable {
  fileprivate let panes: SavedPanes
  fileprivate let number: Int
  fileprivate let path, pixelPath: String
  fileprivate let newPictures: [Bitmap]
  /// The file with pictures that is not needed any more.
  fileprivate let oldPixelPath: String?

  /// Writes the change. Returns the error if it cannot; then the file has the old panes.
  package func write() -> ControlError? {
    if panes.isEmpty {
      guard unsafe unlink(path.systemText) == 0 || errno == ENOENT else {
        return .system(action: "remove \(path)", errno: errno)
      }
    } else if let error = replaceFile() {
      return error
    }
    if let oldPixelPath { unsafe unlink(oldPixelPath.systemText) }
    return nil
  }

  private func replaceFile() -> ControlError? {
    let folder = path.folderOfPath ?? "."
    let code = makeFolder(folder)
    if code != 0 { return .system(action: "make the folder \(folder)", errno: code) }
    do throws(ControlError) {
      if !newPictures.isEmpty { try writePictures() }
      try writePanes()
      return nil
    } catch {
      return error
    }
  }

  /// Writes the pictures. They are on the disk before the panes that need them.
  private func writePictures() throws(ControlError) {
    let file = try FileDescriptor.create(path: pixelPath)
    var code = file.write(newPictures)
    if code == 0 { code = file.sync() }
    if code != 0 { throw .system(action: "write \(pixelPath)", errno: code) }
  }

  /// Replaces the file as a whole. The new one is on the disk before it has the name: if the power fails, there are the old panes
  /// or the new ones.
  private func writePanes() throws(ControlError) {
    let new = path + "-new"
    let lines =
      jsonLine(Header(panes, pixels: number)) + Request.apply(panes.panes, isRehearsal: false).line
    let file = try FileDescriptor.create(path: new)
    var code = unsafe lines.withUnsafeBytes { unsafe file.write($0, at: 0) }
    if code == 0 { code = file.sync() }
    if code != 0 { throw .system(action: "write \(new)", errno: code) }
    guard unsafe rename(new.systemText, path.systemText) == 0 else {
      throw .system(action: "rename \(new)", errno: errno)
    }
  }
}

// MARK: Header

/// The first line of the file.
private struct Header: Codable {
  /// The version of the format.
  var version = Self.currentVersion
  /// The number of the file with the pictures.
  var pixels: Int
  /// The start of the system in which the times of `ends` are.
  var boot: String?
  /// The ends of the panes that have one, by the name of the pane.
  var ends: [String: SavedEnd]?
  /// The panes that the configuration declared.
  var declared: [DeclaredState]
  /// The panes that have not crashed a daemon.
  var tried: [String]?

  static let currentVersion = 2

  init(_ saved: SavedPanes, pixels: Int) {
    self.pixels = pixels
    let ends = saved.panes.compactMap { pane in pane.end.map { (pane.name, SavedEnd($0)) } }
    if !ends.isEmpty {
      self.ends = Dictionary(ends) { $1 }
      boot = bootIdentifier()
    }
    declared = saved.declared.map(DeclaredState.init)
    if !saved.tried.isEmpty { tried = saved.tried.sorted() }
  }

  var isValid: Bool { version == Self.currentVersion && (0...1 << 50).contains(pixels) }

  /// The panes with their ends. A pane with an end does not survive a restart of the system, because the clock begins again.
  func addingEnds(to panes: [Pane]) throws(Unusable) -> [Pane] {
    guard let ends else { return panes }
    let isSameStart = boot == bootIdentifier()
    var result: [Pane] = []
    for var pane in panes {
      if let saved = ends[pane.name] {
        guard let end = saved.end else { throw .format }
        if !isSameStart { continue }
        pane.end = end
      }
      result.append(pane)
    }
    return result
  }
}

/// The end of a pane, by the clock of the daemon, which goes on until the next start of the system.
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

/// Names the present start of the system; nil if the kernel does not tell.
private func bootIdentifier() -> String? {
  let text = textOfKernelFile("/proc/sys/kernel/random/boot_id").split(separator: "\n")
  return text.first.map(String.init)
}

// MARK: Errors

/// The reason why saved panes are not used.
private enum Unusable: Error, CustomStringConvertible {
  case format
  /// A system call failed with this `errno`, or it is no regular file if that is 0.
  case unreadable(Int32)
  /// A number of daemons crashed; the panes with these names did not cause that.
  case crashes(Int, kept: [String])

  var description: String {
    switch self {
    case .format: "another version of backdropd made it"
    case .unreadable(0): "it is no regular file"
    case .unreadable(let code): errorText(code)
    case .crashes(let count, let kept):
      "\(count) daemons that showed these panes crashed within seconds"
        + (kept.isEmpty ? "" : "; these are older, and stay: \(kept.joined(separator: ", "))")
    }
  }
}

/// Saved panes cannot be used. Their file has a new name, so that it is not overwritten.
package struct PaneFileError: Error, Equatable, Sendable, CustomStringConvertible {
  package let path, newPath, reason: String
  /// The panes that can be used.
  package let rest: SavedPanes

  package var description: String {
    "cannot use the panes in \(path): \(reason); the file is \(newPath) now"
  }
}

/// A file in memory with the pixels of the file at `path`; nil if it cannot be read.
private func makeMemoryFile(copying path: String) -> FileDescriptor? {
  let raw = unsafe open(path.systemText, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
  if raw < 0 { return nil }
  let file = FileDescriptor(owning: raw)
  guard let count = file.pixelCount, let pixels = try? file.readPixels(count) else { return nil }
  return try? .makePixelFile([Bitmap(width: count, height: 1, pixels: pixels)])
}
