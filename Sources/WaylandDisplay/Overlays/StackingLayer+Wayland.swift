import Panes

extension StackingLayer {
  /// The layer of wlr-layer-shell: background 0, bottom 1, top 2, overlay 3. `highest` is that of `top`.
  func waylandLayer(highest: Int) -> Int {
    switch self {
    // On the lowest layer a new wallpaper would cover it.
    case .desktop, .belowDocks: 1
    case .normal: 2
    case .top: highest
    }
  }
}
