import Raster

/// A shown window and an output that it covers.
struct Cover: Equatable {
  let window: UInt32
  let output: Rect
  let facts: CoverFacts
}

extension WindowStack {
  /// Whether a window covers an output.
  func coversOutput(_ window: Window) -> Bool { outputs.contains { window.covers($0) } }

  /// The unmanaged windows that cover outputs, the lowest first. `named` are the windows that the user has named for
  /// glass behind them.
  func covers(named: Set<UInt32>) -> [Cover] {
    let candidates = windows.filter { $0.isShownClient && $0.isUnmanaged }
    let areas = candidates.flatMap { window in
      outputs.filter {
        window.covers($0) || window.hasCovered && $0.intersects(window.geometry.outer)
      }
      .map { (window, $0) }
    }
    if areas.isEmpty { return [] }
    let low = lowWindows
    return areas.map { window, output in
      let facts = CoverFacts(
        isDesktop: window.hints.kind == .desktop || window.isBackground,
        isLow: low.contains(window.id), isOpaque: window.isOpaque(hasCompositor: hasCompositor),
        takesInput: window.takesInput(of: output), isNamed: named.contains(window.id))
      return Cover(window: window.id, output: output, facts: facts)
    }
  }

  /// The unmanaged windows that lie where a wallpaper does.
  ///
  /// A lock screen is shown above all existing windows, including the hidden windows of window managers and of the daemon. So if
  /// all windows below a window are unmanaged and shown, it was lowered, or no other window existed before it. A window that was
  /// shown before the daemon started may also be below a managed window.
  var lowWindows: Set<UInt32> {
    let lowest = windows.prefix { window in
      switch window.role {
      case .overlay, .server: true
      // The daemon lowers its own windows that show nothing and are mapped.
      case .hidden: window.isMapped
      case .client:
        window.isMapped && screen.intersects(window.geometry.outer)
          && (window.isUnmanaged || window.hints.kind == .desktop)
      }
    }
    let managed = windows.lastIndex { $0.isShownClient && !$0.isUnmanaged } ?? 0
    let early = windows[..<managed].filter { $0.mapCount == 0 }
    return Set((lowest + early).filter { $0.isShownClient && $0.isUnmanaged }.map(\.id))
  }
}

extension WindowStack.Window {
  /// Whether the window covers an output except for a small margin. The window that xsecurelock shows under compositors leaves
  /// such a margin.
  func covers(_ output: Rect) -> Bool {
    let inner = output.withoutMargin
    return geometry.outer.contains(inner) && region.contains(inner)
  }

  /// Whether it covered an output when its geometry was the same, with the outputs of that time.
  var hasCovered: Bool { coveringGeometry == geometry }

  /// Whether nothing below it is visible through it.
  func isOpaque(hasCompositor: Bool) -> Bool {
    guard hasCompositor, let attributes else { return true }
    return attributes.depth != 32 && attributes.opacity == .max
  }

  /// Whether clicks on an output reach it, where it is and except for the margin.
  fileprivate func takesInput(of output: Rect) -> Bool {
    guard let input = attributes?.inputShape else { return true }
    return input.translated(x: geometry.origin.x, y: geometry.origin.y)
      .contains(output.withoutMargin.intersection(geometry.outer))
  }
}

extension Rect {
  /// An output without the largest margin in pixels that a lock screen leaves at its edges.
  fileprivate var withoutMargin: Rect { grown(by: -min(16, min(width, height) / 8)) }
}
