package import Panes

/// A click on a pane with a command.
package struct PaneClick: Equatable, Sendable {
  package let pane: String
  package let command: ShellCommand
}
