package import Panes

/// The content of a pane that must be drawn.
package struct DrawingJob: Equatable, Sendable {
  /// The name of the pane.
  package let name: String
  package let target: ContentTarget
  package let contents: [PaneContent]
}
