import Engine
import Frost
import WaylandClient

/// The way in which glass is shown on a compositor, and why.
struct GlassChoice: Equatable {
  private(set) var way: GlassWay
  private(set) var reason: String
  /// Whether samples on the outputs decide about the way.
  let isTested: Bool

  /// Chooses by the protocols of a compositor. `wanted` is the way that the user demands, or nil for the best one: live glass
  /// where captures are possible, otherwise the blur of the compositor. `missingCaptures` names the missing protocols for
  /// captures ("neither ... nor ..."); nil if captures are possible. Throws `unsupported` with the protocol that is missing.
  init(
    _ wanted: GlassWay?, missingCaptures: String?, compositorBlurs: Bool, display: String
  ) throws(DisplayError) {
    isTested = wanted == nil && missingCaptures == nil
    switch (wanted, missingCaptures) {
    case (nil, nil):
      (way, reason) = (.live, "no overlay was captured yet")
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

  /// Applies the last verdicts about all outputs: glass is live unless an output is not blended exactly. Returns whether the way
  /// has changed.
  mutating func apply(_ verdicts: [BlendingSample.Verdict]) -> Bool {
    if !isTested || verdicts.isEmpty { return false }
    let old = way
    (way, reason) = (.live, "the compositor blends overlays exactly")
    for case .other(let different, let count) in verdicts {
      way = .still
      reason =
        "the compositor blends overlays in another way: \(different) of \(count) pixels of a sample "
        + "differ"
    }
    return way != old
  }
}
