import Glibc
import Linux
import TestDice
import TestSupport
import Testing

@Suite struct FileWatchTests {
  /// Folders that appear while the watch looks for them are watched in the end: no change of the file is missed.
  @Test func foldersThatAppearAtAnyMomentAreWatched() throws {
    let folder = try TemporaryDirectory()
    var dice = Dice(seed: 4200)
    var watch = FileWatch([])
    for round in 0..<400 {
      let depth = dice.roll(1...40)
      let path = (0..<depth).reduce(folder.path + "/\(round)") { "\($0)/\($1)" }
      let file = path + "/a.conf"
      _ = watch.watch([file])
      let spins = dice.roll(0...3000)
      #expect(startThread { makeFolders(to: path, spins: spins) } == 0)
      while unsafe access(path, F_OK) != 0 { if watch.takeChange() { _ = watch.watch([file]) } }
      while watch.takeChange() { _ = watch.watch([file]) }
      try writeText("1", to: file)
      let isToldOfANewFile = reportsChange(watch)
      _ = watch.watch([file])
      try writeText("2", to: file)
      let isToldOfAChange = reportsChange(watch)
      #expect(isToldOfANewFile && isToldOfAChange, "\(depth) folders, \(spins) spins")
    }
  }

  /// Whether a change is reported. A process that another test starts may have the file open for a moment, which is closed after
  /// that.
  private func reportsChange(_ watch: borrowing FileWatch) -> Bool {
    while awaitReadable(watch.descriptor, within: .seconds(10)) {
      if watch.takeChange() { return true }
    }
    return false
  }

  /// Whether there are folders whose changes were not reported before.
  @Test func newFoldersAreTold() throws {
    let folder = try TemporaryDirectory()
    let (first, second) = (folder.path + "/a.conf", folder.path + "/more/b.conf")
    var watch = FileWatch([first])
    makeFolders(to: folder.path + "/more")
    let isNew = [
      watch.watch([first]), watch.watch([first, second]), watch.watch([first, second]),
      watch.watch([first]), watch.watch([second]),
    ]
    #expect(isNew == [false, true, false, false, true])
  }

  /// A link on the way to the file is swung to another folder, at each place of the path, in place or by rename. Then what is
  /// edited in the new folder is reported too, and nothing else is.
  @Test(arguments: 0..<3, [false, true])
  func linksAtAnyLevelAreFollowed(level: Int, isRenamed: Bool) throws {
    let folder = try TemporaryDirectory()
    for target in ["old", "new"] {
      makeFolders(to: folder.path + "/\(target)/b/c")
      try writeText("0", to: folder.path + "/\(target)/b/c/a.conf")
    }
    let names = [["link"], ["x", "link"], ["x", "y", "link"]][level]
    let targets = ["/old/b/c", "/old/b", "/old"]
    let rest = ["/a.conf", "/c/a.conf", "/b/c/a.conf"][level]
    let above = folder.path + names.dropLast().map { "/\($0)" }.joined()
    makeFolders(to: above)
    let link = "\(above)/link"
    let target = folder.path + targets[level]
    #expect(unsafe symlink(target, link) == 0)
    let file = link + rest
    var watch = FileWatch([file])
    var isTold = [watch.takeChange()]
    let other = target.replacing("/old", with: "/new")
    if isRenamed {
      #expect(unsafe symlink(other, "\(above)/fresh") == 0 && rename("\(above)/fresh", link) == 0)
    } else {
      #expect(unsafe unlink(link) == 0 && symlink(other, link) == 0)
    }
    isTold += [watch.takeChange(), watch.watch([file])]
    try writeText("1", to: folder.path + "/old/b/c/a.conf")
    isTold += [watch.takeChange()]
    try writeText("1", to: folder.path + "/new/b/c/a.conf")
    isTold += [reportsChange(watch), watch.watch([file]), watch.takeChange()]
    #expect(isTold == [false, true, true, false, true, false, false])
  }

  /// A folder above that of the file is moved away, and another one takes its place.
  @Test func movedFoldersAreFollowed() throws {
    let folder = try TemporaryDirectory()
    for name in ["a", "b"] {
      makeFolders(to: folder.path + "/\(name)/c/d")
      try writeText("0", to: folder.path + "/\(name)/c/d/f.conf")
    }
    let file = folder.path + "/a/c/d/f.conf"
    var watch = FileWatch([file])
    #expect(unsafe rename(folder.path + "/a", folder.path + "/x") == 0)
    var isTold = [watch.takeChange()]
    _ = watch.watch([file])
    #expect(unsafe rename(folder.path + "/b", folder.path + "/a") == 0)
    isTold += [watch.takeChange()]
    _ = watch.watch([file])
    try writeText("1", to: file)
    isTold += [reportsChange(watch)]
    #expect(isTold == [true, true, true])
  }

  /// Links that lead back to themselves end the search, and one that is mended is reported.
  @Test func loopsOfLinksEnd() throws {
    let folder = try TemporaryDirectory()
    #expect(unsafe symlink("b", folder.path + "/a") == 0 && symlink("a", folder.path + "/b") == 0)
    var watch = FileWatch([folder.path + "/a/f.conf"])
    var isTold = [watch.takeChange()]
    #expect(unsafe unlink(folder.path + "/b") == 0)
    isTold += [watch.takeChange(), watch.watch([folder.path + "/a/f.conf"])]
    #expect(isTold == [false, true, false])
  }

  /// Other files of a folder that has a link on the way do not matter.
  @Test func neighboursOfALinkAreNotReported() throws {
    let folder = try TemporaryDirectory()
    makeFolders(to: folder.path + "/real")
    #expect(unsafe symlink("real", folder.path + "/link") == 0)
    let watch = FileWatch([folder.path + "/link/f.conf"])
    try writeText("1", to: folder.path + "/other.conf")
    #expect(
      unsafe mkdir(folder.path + "/more", 0o700) == 0 && unlink(folder.path + "/other.conf") == 0)
    let isTold = watch.takeChange()
    #expect(!isTold)
  }

  /// A folder in the place of the file, and a file in the place of a folder, end the search.
  @Test func whatIsNoFolderIsNotWatched() throws {
    let folder = try TemporaryDirectory()
    try writeText("", to: folder.path + "/file")
    let watch = FileWatch([folder.path + "/file/a/b.conf"])
    try writeText("", to: folder.path + "/other")
    var isChanged = [watch.takeChange()]
    try writeText("changed", to: folder.path + "/file")
    isChanged += [reportsChange(watch)]
    #expect(isChanged == [false, true])
  }
}

/// Makes a folder and those on the way to it, like `mkdir -p`, and looks for some of them many times in between.
private func makeFolders(to path: String, spins: Int = 0) {
  var made = ""
  for name in path.split(separator: "/") {
    made += "/\(name)"
    unsafe mkdir(made, 0o700)
    for _ in 0..<(spins / 100) { _ = unsafe access(made, F_OK) }
  }
}
