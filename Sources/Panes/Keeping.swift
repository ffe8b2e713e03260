/// The part of a pane that is saved for the next daemon.
package enum Keeping: Equatable, Sendable {
  /// The pane as it is.
  case all
  /// The pane with other settings and another end, because some changes were ephemeral.
  case former(PaneSettings, end: PaneEnd?)
  /// Nothing: the pane is ephemeral.
  case nothing

}

extension Pane {
  /// The pane that is saved for the next daemon; nil if there is none.
  package var kept: Pane? {
    switch keeping {
    case .all: return self
    case .nothing: return nil
    case .former(let settings, let end):
      // A later change may depend on a setting that is not kept.
      guard var pane = try? Pane(name, settings, isShown: isShown) else { return keeping(.all) }
      pane.end = end
      return pane
    }
  }

  /// The same pane with another value of `keeping`.
  package func keeping(_ keeping: Keeping) -> Pane {
    var pane = self
    pane.keeping = keeping
    return pane
  }

  /// The part to save after a change of this pane.
  func keeping(after change: PaneChange, isEphemeral: Bool) -> Keeping {
    switch keeping {
    case .all: isEphemeral ? .former(settings, end: end) : .all
    case .former(let kept, let end):
      isEphemeral ? keeping : .former(change.applied(to: kept), end: end)
    case .nothing: .nothing
    }
  }

  /// The pane as an ephemeral replacement of `old`.
  package func ephemeral(replacing old: Pane?) -> Pane {
    keeping(old?.kept.map { .former($0.settings, end: $0.end) } ?? .nothing)
  }
}
