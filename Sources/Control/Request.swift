package import Panes
import Raster

/// A request to the daemon. On the socket it is a line of JSON (see `Request+JSON.swift`). The
/// pixels of content are in a file that is sent with the line (see `readContents`).
package enum Request: Equatable, Sendable {
  /// Adds a pane above all others and shows it. With `orSet` it replaces the pane with this name, if there is one. A
  /// pane with a lifetime is removed by itself. The next daemon does not get an ephemeral one.
  case add(
    name: String, PaneChange, Fade = .none, orSet: Bool = false, for: Lifetime? = nil,
    isEphemeral: Bool = false)
  /// Changes settings of a pane. The next daemon does not get an ephemeral change.
  case set(name: String, PaneChange, Fade = .none, isEphemeral: Bool = false)
  /// Removes a pane.
  case remove(name: String)
  /// Shows a hidden pane.
  case show(name: String, Fade = .none)
  /// Hides a pane and keeps its settings.
  case hide(name: String, Fade = .none)
  /// Shows a hidden pane or hides a shown one.
  case toggle(name: String, Fade = .none)
  /// Opens or closes a drawer.
  case drawer(name: String, DrawerAction)
  /// Replaces all panes by those of a list, lowest first, as one transaction. A rehearsal changes
  /// nothing and only reports the actions.
  case apply([Pane], isRehearsal: Bool)
  /// Makes the daemon and the panes follow a configuration, as one transaction. `files` are those that it was read from, the
  /// main one first; none if there is no configuration. If `isExact`, what commands have changed is undone.
  case configure(files: [String], DaemonSettings, [Pane], isExact: Bool = false)
  /// Reports the declarations of the panes that are kept and of those in the configuration, without pictures.
  case declared
  /// Reports the content of panes for each size and scale that they have on their outputs, without pixels: what must be
  /// drawn again, or all; of one pane, or of all.
  case drawings(name: String? = nil, isAll: Bool)
  /// Replaces the pictures of a pane's content, which must be declared in the same way.
  case redraw(name: String, [PaneContent])
  /// Reports the wallpaper that must be drawn.
  case wallpaper
  /// Gives the wallpaper of outputs, for the work with a number (see `WallpaperReport`).
  case paintWallpaper(number: Int, [WallpaperPicture])
  /// Reports all panes.
  case list
  /// Reports the outputs of the display.
  case outputs
  /// Reports the windows that may have glass behind them.
  case windows
  /// Reports the contents of the backdrop cache.
  case cache
  /// Removes from the cache what no shown pane needs.
  case clearCache
  /// Captures what is behind all panes again.
  case refresh
  /// Reports the state of the daemon.
  case status
  /// The reply is sent when the effects of all earlier requests are on the screen.
  case sync
  /// Returns the pixels of a pane as last drawn, or those of its backdrop; of a pane on several outputs those on
  /// `output`, or on the first one.
  case snapshot(name: String, output: String? = nil, isBackdrop: Bool)
  /// Reports events of some kinds, or of all if there are none, until the client disconnects: first the state as events. No other
  /// request follows.
  case subscribe([EventKind] = [])
  /// Ends the daemon.
  case quit

  /// Whether it changes anything. Otherwise it is only answered.
  package var hasEffect: Bool {
    switch self {
    case .list, .declared, .outputs, .windows, .cache, .status, .sync, .snapshot, .drawings,
      .wallpaper, .paintWallpaper, .subscribe, .apply(_, isRehearsal: true):
      false
    case .add, .set, .remove, .show, .hide, .toggle, .drawer, .apply, .configure, .redraw,
      .clearCache,
      .refresh,
      .quit:
      true
    }
  }

  /// Whether it makes the panes those of the configuration, as the daemon has asked for.
  package var isOfConfiguration: Bool { if case .configure = self { true } else { false } }

  /// Whether the next daemon does not get its effect.
  package var isEphemeral: Bool {
    switch self {
    case .add(_, _, _, _, _, let isEphemeral), .set(_, _, _, let isEphemeral): isEphemeral
    default: false
    }
  }

  /// Whether it may change the content of panes that exist.
  package var replacesContents: Bool {
    switch self {
    case .set(_, let change, _, _): change.replacesContents
    case .add(_, _, _, let replaces, _, _): replaces
    case .remove, .redraw, .configure, .apply(_, isRehearsal: false): true
    default: false
    }
  }

  /// The pictures in the file of the request.
  var pictures: [Bitmap] {
    if case .paintWallpaper(_, let pictures) = self { return pictures.map(\.bitmap) }
    return contents.flatMap(\.drawing.pictures)
  }

  /// The content of the request, in the order of the pictures in its file.
  package var contents: [PaneContent] {
    switch self {
    case .add(_, let change, _, _, _, _), .set(_, let change, _, _): change.settings.contents ?? []
    case .apply(let panes, _), .configure(_, _, let panes, _):
      panes.flatMap { $0.settings.contents ?? [] }
    case .redraw(_, let contents): contents
    default: []
    }
  }
}

/// The value of the key `request`.
enum Verb: String, CaseIterable {
  case add, set, remove, show, hide, toggle, drawer, apply, configure, drawings, redraw
  case wallpaper, paintWallpaper
  case list, declared, outputs
  case windows, cache
  case clearCache, refresh, status, sync, snapshot, subscribe, quit

  /// The keys that the object may have in addition to `request`.
  var keys: [String] {
    switch self {
    case .add: Self.paneKeys + [Key.orSet, .lifetime, .ephemeral].map(\.rawValue)
    case .set: Self.paneKeys + [Key.ephemeral.rawValue]
    case .show, .hide, .toggle: [Key.name.rawValue, Key.fade.rawValue]
    case .remove: [Key.name.rawValue]
    case .drawer: [Key.name.rawValue, Key.action.rawValue]
    case .apply: [Key.panes.rawValue, Key.dryRun.rawValue]
    case .configure: [Key.files, .daemon, .panes, .exact].map(\.rawValue)
    case .drawings: [Key.name.rawValue, Key.all.rawValue]
    case .redraw: [Key.name.rawValue, Key.content.rawValue]
    case .paintWallpaper: [Key.number.rawValue, Key.pictures.rawValue]
    case .subscribe: [Key.kinds.rawValue]
    case .snapshot: [Key.name.rawValue, Key.output.rawValue, Key.backdrop.rawValue]
    case .list, .declared, .outputs, .windows, .cache, .clearCache, .refresh, .status, .sync, .quit,
      .wallpaper:
      []
    }
  }

  private static let paneKeys =
    [Key.name.rawValue] + Setting.all.map(\.name) + [Key.fade.rawValue]

  var name: String { rawValue }
}

/// The keys of requests that are not settings.
enum Key: String, CodingKey {
  case request, name, action, output, fade, backdrop, panes, dryRun, shown, all, content, orSet,
    ephemeral, files, daemon, exact, kinds, number, pictures
  /// In milliseconds.
  case lifetime = "for"
}
