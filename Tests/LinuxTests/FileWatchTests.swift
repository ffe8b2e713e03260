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
      let isToldOfANewFile = watch.takeChange()
      _ = watch.watch([file])
      try writeText("2", to: file)
      let isToldOfAChange = watch.takeChange()
      #expect(isToldOfANewFile && isToldOfAChange, "\(depth) folders, \(spins) spins")
    }
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

  /// A folder in the place of the file, and a file in the place of a folder, end the search.
  @Test func whatIsNoFolderIsNotWatched() throws {
    let folder = try TemporaryDirectory()
    try writeText("", to: folder.path + "/file")
    let watch = FileWatch([folder.path + "/file/a/b.conf"])
    try writeText("", to: folder.path + "/other")
    var isChanged = [watch.takeChange()]
    try writeText("changed", to: folder.path + "/file")
    isChanged += [watch.takeChange()]
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
