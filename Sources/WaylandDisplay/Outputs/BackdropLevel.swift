import Engine
import Panes

/// The content of the backdrop of an overlay, which is below windows or above them.
enum BackdropLevel: CaseIterable {
  /// The wallpaper, below all windows.
  case wallpaper
  /// Everything below the overlays that are above windows.
  case windows

  /// The level of the overlays of a layer.
  init(of layer: StackingLayer) { self = layer < .normal ? .wallpaper : .windows }

  /// The level of a view.
  init(of view: View) {
    switch view {
    case .belowPanes(let layer): self.init(of: layer)
    case .belowWindow, .client, .wallpaper: self = .wallpaper
    }
  }
}

/// One value for each level.
struct ByLevel<Value> {
  var wallpaper, windows: Value

  /// The same value for each.
  init(repeating value: Value) { (wallpaper, windows) = (value, value) }

  private init(wallpaper: Value, windows: Value) {
    (self.wallpaper, self.windows) = (wallpaper, windows)
  }

  /// The value of each level.
  static func each(_ value: (BackdropLevel) -> Value) -> ByLevel {
    ByLevel(wallpaper: value(.wallpaper), windows: value(.windows))
  }

  subscript(level: BackdropLevel) -> Value {
    get { level == .wallpaper ? wallpaper : windows }
    // A setter would copy all pixels of a backdrop for each change of one.
    _modify { if level == .wallpaper { yield &wallpaper } else { yield &windows } }
  }
}
