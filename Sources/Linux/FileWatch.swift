import CLinux
import Glibc

/// Reports changes of files that may not exist, and whose folders may not exist either: also when an editor replaces a file,
/// and when a link or a folder on the way to it changes. Costs nothing while nothing changes there.
package struct FileWatch: ~Copyable {
  // Not `let`, because Swift 6.2 then refuses mutating calls in `init`.
  /// Becomes readable when something changes in one of the folders; -1 if it cannot be told.
  package private(set) var descriptor: Int32
  /// Whether the kernel had not enough memory or watches at the last `watch`, so that changes may not be reported.
  package private(set) var isIncomplete = false
  /// The watched events of folders, by the watch descriptors of the kernel.
  private var watched: [Int32: FolderEvents] = [:]

  /// Watches files with these absolute paths.
  package init(_ files: [String]) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    _ = watch(files)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches these files in place of the former ones, in the folders that exist now. Returns whether it watches something in a
  /// folder that it did not watch before: changes there before this call were not reported. There is one descriptor for life,
  /// because to close one takes some 10 ms.
  package mutating func watch(_ files: [String]) -> Bool {
    if descriptor < 0 { return false }
    let former = watched
    isIncomplete = false
    var route = FileRoute(to: files)
    while true {
      watched = [:]
      for (folder, events) in route.folders { add(folder, events) }
      // The kernel has not reported changes from before the watch.
      let current = FileRoute(to: files)
      if current == route { break }
      route = current
    }
    if isIncomplete {
      // The former watches may include those that could not be made again.
      watched.merge(former) { current, _ in current }
    } else {
      for old in former.keys where watched[old] == nil { inotify_rm_watch(descriptor, old) }
    }
    return watched.contains { number, events in
      former[number].map { events.mask & ~$0.mask != 0 } ?? true
    }
  }

  /// Watches a folder or, if that is not allowed, for another one in its place.
  private mutating func add(_ folder: String, _ events: FolderEvents) {
    let number = unsafe inotify_add_watch(
      descriptor, folder.systemText, events.mask | IN_ONLYDIR.mask)
    if number >= 0 {
      watched[number, default: FolderEvents()].form(union: events)
    } else if ![EACCES, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(errno) {
      isIncomplete = true
    } else if !events.names.isEmpty, folder != "/", let parent = folder.folderOfPath {
      add(parent, FolderEvents(.links, of: folder.nameInPath))
    }
  }

  /// Reads all events. Returns whether one is about a file or a folder on the way to it; then `watch` is needed, because other
  /// folders may exist now.
  package func takeChange() -> Bool {
    var isChanged = false
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = unsafe read(descriptor, &bytes, bytes.count)
      if count <= 0 { return isChanged }
      var events = bytes[..<count]
      while events.count >= Self.headSize {
        func word(_ index: Int) -> UInt32 {
          (0..<4).reduce(0) { $0 | UInt32(events[events.startIndex + 4 * index + $1]) << (8 * $1) }
        }
        let size = Self.headSize + Int(word(3))
        let name = events.dropFirst(Self.headSize).prefix(Int(word(3))).prefix { $0 != 0 }
        let folder = watched[Int32(bitPattern: word(0))]
        // Some events were lost.
        if word(1) & IN_Q_OVERFLOW.mask != 0 || folder?.includes(name) == true { isChanged = true }
        events = events.dropFirst(size)
      }
    }
  }

  /// The words `wd`, `mask`, `cookie` and `len` of an event, before its name (inotify(7)).
  private static var headSize: Int { 16 }
}

/// The folders on the way to files, with what must be watched in each: the names of links and files, and the end or the move of
/// any folder.
private struct FileRoute: Equatable {
  /// By their paths, which have no links.
  private(set) var folders: [String: FolderEvents] = [:]

  /// The largest number of links in a path, as in the kernel (path_resolution(7)).
  private static var linkLimit: Int { 40 }

  init(to files: [String]) {
    for file in files { add(file) }
  }

  private mutating func add(_ path: String) {
    var folder = "/"
    var rest = Self.names(path)
    var linkCount = 0
    while let name = rest.popLast() {
      if name == ".." {
        folder = folder.folderOfPath ?? "/"
        continue
      }
      folders[folder, default: FolderEvents()].form(union: FolderEvents())
      let child = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      if let target = linkTarget(child), linkCount < Self.linkLimit {
        linkCount += 1
        folders[folder, default: FolderEvents()].form(union: FolderEvents(.links, of: name))
        rest += Self.names(target)
        if target.isAbsolutePath { folder = "/" }
      } else if !rest.isEmpty, isFolder(child) {
        folder = child
      } else {
        folders[folder, default: FolderEvents()].form(union: FolderEvents(.files, of: name))
        return
      }
    }
  }

  /// The names in a path, the last one first.
  private static func names(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).reversed().compactMap { String($0) }
      .filter { $0 != "." }
  }
}

/// The events of a folder that the kernel reports. It always reports the end and the move of the folder itself.
private struct FolderEvents: Equatable {
  private(set) var mask = (IN_DELETE_SELF | IN_MOVE_SELF).mask
  private(set) var names: Set<String> = []

  enum Kind { case files, links }

  init() {}

  init(_ kind: Kind, of name: String) {
    mask |= (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO).mask
    if kind == .files { mask |= IN_CLOSE_WRITE.mask }
    names = [name]
  }

  mutating func form(union other: FolderEvents) {
    mask |= other.mask
    names.formUnion(other.names)
  }

  /// Whether an event with a name matters. Events about the folder itself have none.
  func includes(_ name: ArraySlice<UInt8>) -> Bool {
    let name = String(systemBytes: name)
    // Another file may be one that a configuration includes.
    return name.isEmpty || names.contains(name)
      || name.hasSuffix(".conf") && names.contains { $0.hasSuffix(".conf") }
  }
}

extension BinaryInteger {
  fileprivate var mask: UInt32 { UInt32(truncatingIfNeeded: self) }
}

private func isFolder(_ path: String) -> Bool {
  var information = stat()
  return unsafe lstat(path.systemText, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
}
