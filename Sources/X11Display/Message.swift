extension X11Display {
  /// A line for the log.
  package struct Message: Equatable, Sendable {
    /// The severity.
    package enum Kind: Sendable {
      /// A bug in the program.
      case error
      /// A problem outside the program.
      case warning
    }

    /// The severity.
    package let kind: Kind
    /// One line.
    package let text: String
  }
}
