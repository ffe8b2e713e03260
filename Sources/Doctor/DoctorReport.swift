/// All checks, in groups.
package struct DoctorReport: Equatable, Sendable {
  /// The version of the program that made the report.
  package var version: String
  package var groups: [CheckGroup]

  package init(version: String, groups: [CheckGroup]) {
    self.version = version
    self.groups = groups
  }

  /// The worst state of all checks.
  package var state: Check.State { groups.flatMap(\.checks).map(\.state).max() ?? .good }

  /// 1 if there is a problem, or else 0.
  package var exitStatus: Int32 { state == .problem ? 1 : 0 }
}

extension DoctorReport: Encodable {
  private enum Key: String, CodingKey {
    case version, state, checks
  }

  private struct Entry: Encodable {
    let group, name: String
    let state: Check.State
    let found: String
    let remedy: String?

    init(_ check: Check, in group: String) {
      self.group = group
      name = check.name
      state = check.state
      found = check.found
      remedy = check.remedy
    }
  }

  /// Encodes the checks as one list, each with the name of its group.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(version, forKey: .version)
    try container.encode(state, forKey: .state)
    let entries = groups.flatMap { group in group.checks.map { Entry($0, in: group.name) } }
    try container.encode(entries, forKey: .checks)
  }
}
