package import Panes
package import Raster

/// The state of a pane on one output.
package struct PaneState: Equatable, Sendable {
  /// The name of the output; that of the declaration if it is not there.
  package let output: String
  /// The whole pane and its part on the output; nil if the output is not there or not known yet.
  package let frame, rect: Rect?
  package let scheme: ColorScheme
  /// The number of times it was presented.
  package let frames: Int
  /// The state of a drawer; nil for other panes.
  package let drawer: Drawer?
  /// Whether it waits for wallpaper that windows cover.
  package let awaitsWallpaper: Bool
  /// Whether it is where no output shows anything, as between monitors of different sizes.
  package let isOffOutputs: Bool

  /// The states of drawers.
  package enum Drawer: String, Sendable {
    case open, closed, moving
  }

  init(_ entry: PaneEntry, awaitsWallpaper: Bool, outputs: [Output]) {
    self.awaitsWallpaper = awaitsWallpaper
    // A closed drawer may be beyond the edge of its output.
    isOffOutputs =
      entry.drawer == nil
      && entry.rect.map { rect in !outputs.contains { rect.intersects($0.bounds) } } ?? false
    output = entry.output?.name ?? entry.site.text
    (frame, rect) = (entry.frame, entry.rect)
    drawer = entry.drawer.map { $0.isMoving ? .moving : $0.isOpen ? .open : .closed }
    scheme = entry.scheme
    frames = entry.frames
  }
}

/// The action of `apply` for one pane.
package struct PaneAction: Equatable, Sendable {
  /// The kinds of actions; `keep` is no change.
  package enum Kind: String, Codable, Sendable {
    case add, change, remove, keep
  }

  package let kind: Kind
  package let name: String

  package init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }
}

/// The statistics of the engine since its start: sums over all panes.
package struct Statistics: Equatable, Sendable {
  /// The number of presented frames of panes.
  package var frames = 0
  /// The number of captures after which no pixel of a pane had changed.
  package var unchangedFrames = 0
  package var captures = 0
  package var capturedPixels = 0
  /// The time in each stage. `capturing` includes the time until the reply of the server.
  package var capturing = Duration.zero
  package var reducing = Duration.zero
  package var blurring = Duration.zero
  package var drawing = Duration.zero
  package var presenting = Duration.zero
}

/// The contents and the statistics of the backdrop store.
package struct StoreReport: Equatable, Sendable {
  package let byteCount, tileCount: Int
  package let limits: StoreLimits
  /// The number of tiles that shown panes need.
  package let pinnedTileCount: Int
  package let statistics: StoreStatistics
}
