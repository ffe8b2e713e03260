import Panes

extension StackingLayer {
  /// The layer of wlr-layer-shell: background 0, bottom 1, top 2, overlay 3.
  var waylandLayer: Int {
    switch self {
    // On the lowest layer a new wallpaper would cover it.
    case .desktop, .belowDocks: 1
    case .normal: 2
    case .top: 3
    }
  }
}
