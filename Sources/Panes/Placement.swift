package import Raster

/// The position and size of a pane: on which output, and where on it.
package struct Placement: Equatable, Sendable {
  package var output: OutputChoice
  package var position: Position
  /// Whether the space that panels reserve stays clear.
  package var keepsWorkArea: Bool
  /// The unit of all lengths.
  package var unit: LengthUnit
  /// The content, if the size follows it.
  private let content: ContentExtent

  /// Where a pane is on its output.
  package enum Position: Equatable, Sendable {
    /// A rectangle at distances from two edges.
    case geometry(Geometry)
    /// A size at an edge, at a corner or in the centre.
    case anchored(Anchor, PaneSize, Margin)
    /// Right beneath each window that matches. Its place is that of the window.
    case behind(WindowMatch, inset: Margin)
  }

  /// The declared place.
  package init(
    _ position: Position, on output: OutputChoice, keepsWorkArea: Bool = false,
    unit: LengthUnit = .pixels, contents: [PaneContent] = []
  ) {
    self.position = position
    if case .anchored(_, let size, _) = position, size.isAuto {
      content = ContentExtent(contents)
    } else {
      content = .none
    }
    self.output = output
    self.keepsWorkArea = keepsWorkArea
    self.unit = unit
  }

  /// The text of the position for messages.
  package var text: String {
    switch position {
    case .geometry(let geometry): "\(geometry)"
    case .anchored(let anchor, let size, let margin):
      margin == .none
        ? "\(size.text) at \(anchor.rawValue)"
        : "\(size.text) at \(anchor.rawValue) with margin \(margin.text)"
    case .behind: "behind windows"
    }
  }

  /// The part of an output in which the pane is placed.
  package func area(of output: Output) -> Rect {
    keepsWorkArea ? output.workArea : output.bounds
  }

  /// The whole rectangle of the pane on an output, in the coordinates of the display. It may extend beyond the output.
  /// For a drawer, the frame when it is open. For a pane behind windows, which has no place of its own, an empty frame.
  package func frame(on output: Output) -> Rect {
    let area = area(of: output)
    let factor = unit.pixels(on: output)
    switch position {
    case .geometry(let geometry): return geometry.scaled(by: factor).rect(on: area)
    case .anchored(let anchor, let size, let margin):
      let inner = margin.scaled(by: factor).reduced(area)
      let (width, height) = isAuto ? content.size(on: contentTarget(on: output)) : (1, 1)
      let size = size.scaled(by: factor)
      return anchor.rect(
        width: size.width.pixels(of: inner.width, content: width),
        height: size.height.pixels(of: inner.height, content: height), in: inner)
    case .behind: return .zero
    }
  }

  /// The pane for which its content is drawn on an output: if its size follows the content, the largest one.
  package func contentTarget(on output: Output) -> ContentTarget {
    var largest = self
    if case .anchored(let anchor, let size, let margin) = position {
      func length(_ length: PaneSize.Length) -> PaneSize.Length {
        length == .auto ? .percent(100) : length
      }
      largest.position = .anchored(
        anchor, PaneSize(width: length(size.width), height: length(size.height)), margin)
    }
    let frame = largest.frame(on: output)
    return ContentTarget(
      scale: output.scale, unit: unit.pixels(on: output), width: frame.width, height: frame.height)
  }

  /// Whether its size follows the content.
  package var isAuto: Bool {
    if case .anchored(_, let size, _) = position { size.isAuto } else { false }
  }

  /// Whether its size follows the content, and there is none.
  package var lacksContent: Bool { isAuto && content.isEmpty }

  /// The part of `frame(on:)` on the output; empty if there is none.
  package func rect(on output: Output) -> Rect { frame(on: output).intersection(output.bounds) }

  /// The windows behind which the pane belongs, and the distances from their edges; nil for other panes.
  package var behind: (match: WindowMatch, inset: Margin)? {
    if case .behind(let match, let inset) = position { (match, inset) } else { nil }
  }

  /// The size of the frame in pixels; nil if it depends on the output.
  package var fixedSize: (width: Int, height: Int)? {
    if unit == .logical { return nil }
    return switch position {
    case .geometry(let geometry): (geometry.width, geometry.height)
    case .anchored(_, let size, _): size.fixed
    case .behind: nil
    }
  }
}
