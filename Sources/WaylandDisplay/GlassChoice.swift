import Engine
import Frost
import WaylandClient

/// The way in which glass is shown on a compositor, and why.
struct GlassChoice: Equatable {
  private(set) var way: GlassWay
  private(set) var reason: String
  /// Whether the first captures of overlays decide about the way.
  private(set) var isTesting = false
  /// The number of tests without a verdict while nothing changed around overlays.
  private var unknownCount = 0
  private static let unknownLimit = 8
  /// The number of tests in a row by which the compositor blends in another way, or something else was captured.
  private var foreignCount = 0
  private static let foreignLimit = 3

  /// Whether backdrops were recovered before the verdict.
  var hasRecovered: Bool { unknownCount > 0 }

  /// Chooses by the protocols of a compositor. `wanted` is the way that the user demands, or nil for the best one: live glass
  /// where captures are possible, else that of the compositor. `missingCaptures` are the protocols without which they are not:
  /// "neither ... nor ...". Throws `unsupported` with the protocol that is missing.
  init(
    _ wanted: GlassWay?, missingCaptures: String?, compositorBlurs: Bool, display: String
  ) throws(DisplayError) {
    switch (wanted, missingCaptures) {
    case (nil, nil):
      (way, reason) = (.live, "no overlay was captured yet")
      isTesting = true
    case (.live?, nil): (way, reason) = (.live, "demanded by --glass")
    case (.still?, nil): (way, reason) = (.still, "demanded by --glass")
    case (nil, let missing?) where compositorBlurs:
      (way, reason) = (.handedOver, "the compositor blurs, and has \(missing)")
    case (.handedOver?, _) where compositorBlurs:
      (way, reason) = (.handedOver, "demanded by --glass")
    case (.handedOver?, _):
      throw Self.refusal(
        display, "does not blur by \(InterfaceTable.backgroundEffectManager.name)")
    case (_, let missing?): throw Self.refusal(display, "has \(missing)")
    }
  }

  private static func refusal(_ display: String, _ text: String) -> DisplayError {
    .unsupported("display \(display) cannot show glass: the compositor \(text)")
  }

  /// Whether tests say, with this one, that the compositor blends in another way.
  private mutating func isDifferent(_ test: LeakTest, isStill: Bool) -> Bool {
    if test.verdict == .different { return true }
    if test.verdict == .foreign {
      foreignCount += 1
      return foreignCount == Self.foreignLimit
    }
    foreignCount = 0
    if !isStill { return false }
    // A backdrop that changes again and again, but never beside the overlays, is none.
    unknownCount += 1
    return unknownCount == Self.unknownLimit
  }

  /// Takes the result of a test. `isStill` is whether nothing changed around the overlays. Returns whether the way has
  /// changed.
  mutating func take(_ test: LeakTest, isStill: Bool) -> Bool {
    if !isTesting || test.count == 0 { return false }
    if test.verdict != .exact, !isDifferent(test, isStill: isStill) { return false }
    isTesting = false
    if test.verdict == .exact {
      reason = "the compositor blends overlays exactly"
      return false
    }
    way = .still
    reason =
      "the compositor blends overlays in another way: \(test.count - test.exactCount) of "
      + "\(test.count) pixels differ"
    return true
  }
}
