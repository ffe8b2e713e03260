/// The panes after the declarations of the configuration, which they followed, have changed from `old` to `new`.
///
/// A setting that a command has changed keeps its value as long as the configuration does not change it too: then the
/// configuration is newer. A pane that a command has removed stays away until its declaration changes. The panes of the
/// configuration are below others, in its order.
///
/// - Parameters:
///   - panes: The present panes, the lowest first.
///   - old: The panes that were declared. Their content needs no pictures.
///   - new: The panes that are declared now. Their content is drawn.
package func followedPanes(_ panes: [Pane], from old: [Pane], to new: [Pane]) -> [Pane] {
  var result: [Pane] = []
  for declared in new {
    let former = old.first { $0.name == declared.name }
    if let present = panes.first(where: { $0.name == declared.name }) {
      result.append(present.following(from: former, to: declared))
    } else if former.map({ !$0.declaresSame(as: declared) }) ?? true {
      result.append(declared)
    }
  }
  let isOther: (Pane) -> Bool = { pane in
    !new.contains { $0.name == pane.name } && !old.contains { $0.name == pane.name }
  }
  return result + panes.filter(isOther)
}

extension Pane {
  /// The pane without the pictures of its content.
  package var declaration: Pane {
    if contents.isEmpty { return self }
    var change = PaneChange()
    change.settings.contents = contents.map(\.declared)
    return (try? changed(by: change)) ?? self
  }

  /// Whether another pane declares the same, whatever was drawn for it.
  package func declaresSame(as other: Pane) -> Bool {
    isShown == other.isShown && Setting.all.allSatisfy { hasSame($0, as: other) }
  }

  private func hasSame(_ setting: Setting, as other: Pane) -> Bool {
    if setting.kind == .contents {
      return settings.contents?.map(\.declaration) == other.settings.contents?.map(\.declaration)
    }
    return setting.write(settings) == setting.write(other.settings)
  }

  /// The pane with the settings that differ between the old and the new declaration; the new declaration if there was no old one.
  fileprivate func following(from old: Pane?, to new: Pane) -> Pane {
    guard let old else { return new.keepingDrawings(of: self) }
    if old.declaresSame(as: new) { return self }
    let changed = Setting.all.filter { !old.hasSame($0, as: new) }
    var settings = settings
    for setting in changed {
      setting.reset(&settings)
      setting.copy(new.settings, &settings)
    }
    let isShown = old.isShown == new.isShown ? isShown : new.isShown
    // A change by a command may contradict the new declaration.
    guard var pane = try? Pane(name, settings, isShown: isShown) else {
      return new.keepingDrawings(of: self)
    }
    pane.end = end
    if case .former(let kept, let end) = keeping {
      var kept = kept
      for setting in changed {
        setting.reset(&kept)
        setting.copy(new.settings, &kept)
      }
      pane.keeping = .former(kept, end: end)
    } else {
      pane.keeping = keeping
    }
    return pane.keepingDrawings(of: self)
  }
}
