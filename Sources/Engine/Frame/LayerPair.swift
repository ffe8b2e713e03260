import Panes

/// Two layers of panes.
struct LayerPair: Hashable {
  let lower, upper: StackingLayer
}
