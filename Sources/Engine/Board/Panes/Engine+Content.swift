package import Panes

/// Content that must be drawn again because the scale or the size of a pane changed. The engine draws no text, so the
/// caller does it.
extension Engine where Server: ~Copyable {
  /// The content of panes for each different size and scale that they have on their outputs: all of it, or what is not
  /// drawn yet; of one pane, or of all.
  package func drawingJobs(of name: String? = nil, includesDrawn: Bool) -> [DrawingJob] {
    var jobs: [DrawingJob] = []
    for entry in board.entries where name == nil || entry.pane.name == name {
      guard let target = entry.contentTarget, !entry.pane.contents.isEmpty else { continue }
      let job = DrawingJob(name: entry.pane.name, target: target, contents: entry.pane.contents)
      if jobs.contains(where: { $0.name == job.name && $0.target == target }) { continue }
      if includesDrawn || !job.contents.allSatisfy({ $0.isDrawn(for: target) }) { jobs.append(job) }
    }
    return jobs
  }

  /// Replaces the drawings of a pane's content by new ones, whose scopes say for which sizes and scales they are.
  /// `contents` must declare what the content of the pane does. Throws `unknownName`, `otherContent` or `outOfRange`;
  /// then nothing has changed.
  package mutating func setDrawings(
    of name: String, _ contents: [PaneContent]
  ) throws(EngineError) {
    let old = try board.find(name).pane
    guard contents.elementsEqual(old.contents, by: { $0.declaration == $1.declaration }) else {
      throw .pane(.otherContent(name))
    }
    let targets = board.entries(of: name).compactMap(\.contentTarget)
    var change = PaneChange(PaneSettings())
    change.settings.contents = zip(old.contents, contents).map { item, new in
      var item = item
      item.add(new.drawing, for: targets)
      return item
    }
    let pane: Pane
    // The next daemon may get other content, so `keeping` is unchanged.
    do {
      pane = try old.changed(by: change).keeping(old.keeping)
    } catch {
      throw .pane(error)
    }
    try checkContent(of: panes.map { $0.name == name ? pane : $0 })
    for entry in board.entries(of: name) {
      let old = entry.look
      entry.pane = pane
      // The size may follow the content.
      placeDrawer(of: entry)
      let look = entry.look
      // Transitions go on, with the new picture.
      entry.transition = entry.transition?.replacing(old, by: look)
      entry.looks = entry.looks.replacing(old, by: look)
      updateAppearance(of: entry)
    }
  }
}
