/// One examined subject, with its state and the finding.
package struct Check: Equatable, Sendable {
  /// The subject, in a few words.
  package var name: String
  package var state: State
  /// The finding, as one line.
  package var found: String
  /// A command or a setting that mends it; nil if there is nothing to mend.
  package var remedy: String?

  /// `remedy` is nil if there is nothing to mend.
  package init(_ name: String, _ state: State, _ found: String, remedy: String? = nil) {
    self.name = name
    self.state = state
    self.found = found
    self.remedy = remedy
  }

  /// The severity of a finding, the best first.
  package enum State: String, Encodable, Comparable, CaseIterable, Sendable {
    case good
    /// Information, or a limit that does not affect every user.
    case note
    /// Glass works worse than it could, or not yet.
    case warning
    /// Glass does not work.
    case problem

    /// Whether the first state is better.
    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }
}

/// Checks of one subject.
package struct CheckGroup: Equatable, Sendable {
  /// The subject, such as `session`.
  package var name: String
  package var checks: [Check]

  package init(_ name: String, _ checks: [Check]) {
    self.name = name
    self.checks = checks
  }
}
