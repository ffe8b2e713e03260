/// Items of panes, such as the panes themselves, by layers, each layer in its present order, and those behind windows last.
package func sortedByLayer<Item>(_ items: [Item], _ pane: (Item) -> Pane) -> [Item] {
  let inLayers = items.filter { pane($0).placement.behind == nil }
  return StackingLayer.allCases.flatMap { layer in inLayers.filter { pane($0).layer == layer } }
    + items.filter { pane($0).placement.behind != nil }
}

/// Panes in the order in which they were declared, and others after them. Returns the panes in their present order if the new one
/// would change the order within a layer: only that is visible.
package func arranged(_ panes: [Pane], asIn declared: [Pane]) -> [Pane] {
  let known = declared.compactMap { pane in panes.first { $0.name == pane.name } }
  let others = panes.filter { pane in !declared.contains { $0.name == pane.name } }
  let arranged = known + others
  let isSame =
    sortedByLayer(arranged, \.self).map(\.name) == sortedByLayer(panes, \.self).map(\.name)
  return isSame ? arranged : panes
}
