import CLinux
import Glibc

/// Reports changes of files that may not exist, and whose folders may not exist either: also when an editor replaces a file,
/// and when a link or a folder on the way to it changes. Costs nothing while nothing changes there.
package struct FileWatch: ~Copyable {
  // Not `let`, because Swift 6.2 then refuses mutating calls in `init`.
  /// Becomes readable when something changes in one of the folders; -1 if it cannot be told.
  package private(set) var descriptor: Int32
  /// The names that matter in each watched folder.
  private var names: [Int32: Set<String>] = [:]

  /// Watches files with these absolute paths.
  package init(_ files: [String]) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    _ = watch(files)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches these files in place of the former ones, in the folders that exist now. Returns whether it watches a folder that
  /// it did not watch before: changes of files there before this call were not reported. There is one descriptor for life,
  /// because to close one takes some 10 ms.
  package mutating func watch(_ files: [String]) -> Bool {
    if descriptor < 0 { return false }
    let former = names
    names = [:]
    for file in files {
      watch(file)
      // The file itself may be elsewhere.
      if let real = unsafe realpath(file, nil) {
        let path = unsafe String(cString: real)
        unsafe free(real)
        if path != file { watch(path) }
      }
    }
    for old in former.keys where names[old] == nil { inotify_rm_watch(descriptor, old) }
    return names.keys.contains { former[$0] == nil }
  }

  /// Watches the folder of a file, or the deepest one on the way to it that exists.
  private mutating func watch(_ file: String) {
    var missing = watchDeepestFolder(of: file)
    // A folder that appeared before the one above it was watched is not reported. The loop ends at one that exists and cannot
    // be watched.
    while let path = missing, unsafe access(path, F_OK) == 0 {
      missing = watchDeepestFolder(of: file)
      if missing == path { return }
    }
  }

  /// Returns the folder on the way to the file below the watched one; nil if the watched one has the file.
  private mutating func watchDeepestFolder(of file: String) -> String? {
    var path = file[...]
    while let end = path.lastIndex(of: "/") {
      let name = String(path[path.index(after: end)...])
      let folder = end == path.startIndex ? "/" : String(path[..<end])
      let wd = unsafe inotify_add_watch(descriptor, folder, Self.events)
      if wd >= 0 {
        names[wd, default: []].insert(name)
        return path.endIndex == file.endIndex ? nil : String(path)
      }
      path = path[..<end]
    }
    return nil
  }

  private static let events = UInt32(
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR)

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
        let watched = names[Int32(bitPattern: word(0))]
        let text = String(decoding: name, as: UTF8.self)
        // Events about the folder itself have no name. Another file may be one that the file includes.
        if name.isEmpty || watched?.contains(where: { $0 == text || includes(text, $0) }) == true {
          isChanged = true
        }
        events = events.dropFirst(size)
      }
    }
  }

  /// Whether a file of the same folder may be included by a configuration.
  private func includes(_ name: String, _ file: String) -> Bool {
    file.hasSuffix(".conf") && name.hasSuffix(".conf")
  }

  /// The words `wd`, `mask`, `cookie` and `len` of an event, before its name (inotify(7)).
  private static var headSize: Int { 16 }
}
