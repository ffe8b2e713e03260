import Linux

/// The report for a terminal of 80 columns: a line for each check, its remedy below it, and a summary at the end.
extension DoctorReport {
  private static let width = 80

  /// The lines. A word that is longer than a line, such as a path, is not broken.
  package var text: String {
    let stateWidth = columns(groups.flatMap(\.checks).map(\.state.rawValue))
    var lines: [String] = []
    for group in groups where !group.checks.isEmpty {
      lines.append(group.name.printable)
      let nameWidth = columns(group.checks.map(\.name))
      for check in group.checks {
        let state = "  " + check.state.rawValue.padded(toCells: stateWidth) + "  "
        let start = state + check.name.printable.padded(toCells: nameWidth) + "  "
        lines += wrapped(check.found.printable, first: start, rest: blank(start))
        guard let remedy = check.remedy else { continue }
        lines += wrapped(
          remedy.printable, first: blank(state) + "-> ", rest: blank(state) + "   ")
      }
      lines.append("")
    }
    return (lines + summary).joined(separator: "\n")
  }

  /// The names of the checks that are not well.
  private var summary: [String] {
    let checks = groups.flatMap(\.checks)
    let lines = [Check.State.problem, .warning].flatMap { state -> [String] in
      var names: [String] = []
      for check in checks where check.state == state && !names.contains(check.name) {
        names.append(check.name.printable)
      }
      if names.isEmpty { return [] }
      let title = "\(state.rawValue)s: "
      return wrapped(names.joined(separator: ", "), first: title, rest: blank(title))
    }
    return lines.isEmpty ? ["Nothing is wrong."] : lines
  }

  /// The words of a text in lines that begin with `first`, and then with `rest`, which is as long.
  private func wrapped(_ text: String, first: String, rest: String) -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.cellCount + 1 + word.cellCount > Self.width {
        lines.append(line)
        line = rest
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}

private func blank(_ text: String) -> String { String(repeating: " ", count: text.cellCount) }

private func columns(_ texts: [String]) -> Int { texts.map(\.printable.cellCount).max() ?? 0 }
