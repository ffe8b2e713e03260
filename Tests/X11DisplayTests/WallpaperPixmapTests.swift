import Panes
import TestDice
import Testing

@testable import X11Display

/// A server whose root names pixmaps, which come and go while the wallpaper is searched.
@Suite struct WallpaperPixmapTests {
  @Test(arguments: 0..<300)
  func searchAgreesWithTheServerInTheEnd(seed: Int) {
    var dice = Dice(seed: seed)
    var server = RootServer()
    var search = WallpaperPixmap(RootServer.atoms, depths: [24, 32])
    interleave(search.search(), using: &dice) { dice in
      server.change(&dice)
      return search.search()
    } reply: { request in
      server.reply(to: request)
    } apply: { reply in
      let progress = reply.apply(to: &search)
      #expect(progress.hasEnded != search.isSearching)
      return progress.requests
    }
    #expect(!search.isSearching && search.pixmap == server.usable, "\(dice)")
    #expect(search.fault == server.fault, "\(dice)")
  }

  @Test func refusedPixmapIsGone() {
    var search = WallpaperPixmap([1, 2], depths: [24])
    #expect(search.search() == [.property(1), .property(2)])
    _ = search.apply(RootServer.pixmap(9))
    #expect(search.apply(nil).requests == [.depth(pixmap: 9)])
    let progress = search.apply(depth: 24, of: 9)
    #expect(progress.hasEnded && search.pixmap == WallpaperPixmap.Usable(id: 9, depth: 24))
    #expect(!search.handleRefusal(of: 8) && search.pixmap != nil)
    #expect(search.handleRefusal(of: 9) && search.pixmap == nil && search.fault == .gone)
  }
}

private struct RootServer {
  static let atoms: [UInt32] = [1, 2, 3]
  /// XA_PIXMAP.
  private static let pixmapType: UInt32 = 20

  private var values: [UInt32: UInt32] = [:]
  private var depths: [UInt32: UInt8] = [:]

  enum Reply {
    case property(PropertyValue?)
    case depth(UInt32, UInt8?)

    func apply(to search: inout WallpaperPixmap) -> WallpaperPixmap.Progress {
      switch self {
      case .property(let value): search.apply(value)
      case .depth(let pixmap, let depth): search.apply(depth: depth, of: pixmap)
      }
    }
  }

  static func pixmap(_ id: UInt32) -> PropertyValue {
    PropertyValue(type: pixmapType, words: [id])
  }

  /// A property changes last: the search is told of that.
  mutating func change(_ dice: inout Dice) {
    for pixmap in 50..<55 as Range<UInt32> {
      depths[pixmap] = dice.roll(0...1) == 0 ? nil : [1, 24, 32][dice.roll(0...2)]
    }
    for atom in Self.atoms {
      values[atom] = dice.roll(0...2) == 0 ? nil : UInt32(dice.roll(50...54))
    }
  }

  func reply(to request: WallpaperPixmap.Request) -> Reply {
    switch request {
    case .property(let atom): .property(values[atom].map { Self.pixmap($0) })
    case .depth(let pixmap): .depth(pixmap, depths[pixmap])
    }
  }

  private var candidates: [UInt32] { Self.atoms.compactMap { values[$0] } }

  private func isUsable(_ pixmap: UInt32) -> Bool { [24, 32].contains(depths[pixmap]) }

  var usable: WallpaperPixmap.Usable? {
    candidates.first(where: isUsable).map {
      WallpaperPixmap.Usable(id: $0, depth: depths[$0] ?? 0)
    }
  }

  var fault: RootPixmap.Fault? {
    if usable != nil { return nil }
    return candidates.last.map { pixmap in depths[pixmap].map { .depth(Int($0)) } ?? .gone }
  }
}
