extension Results {
  /// The figures of a scenario as text: for each daemon the median and, in parentheses, the minimum, and
  /// the ratio of its median to that of the first daemon.
  func table(of scenario: String) -> String {
    let table = [header(scenario)] + rows.filter { $0.scenario == scenario }.map { cells(of: $0) }
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    var lines = table.map { row in
      row.indices.map { pad(row[$0], to: widths[$0], isLeft: $0 == 0) }.joined(separator: "  ")
    }
    lines += notes.filter { $0.place.scenario == scenario }.map { "  note: \(line(of: $0))" }
    lines += failures.filter { $0.place.scenario == scenario }.map { "  FAILED: \(line(of: $0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func header(_ scenario: String) -> [String] {
    [scenario] + candidates.map(\.label) + candidates.dropFirst().map { _ in "ratio" }
  }

  private func cells(of row: Row) -> [String] {
    let name = row.caseName.isEmpty ? row.figure : "\(row.caseName): \(row.figure)"
    let values = row.values.map { values in
      values.isEmpty ? "-" : "\(text(values.median)) (\(text(values.min() ?? 0)))"
    }
    let ratios = row.values.dropFirst().map { values in
      guard let first = row.values.first, !first.isEmpty, !values.isEmpty, first.median != 0 else {
        return "-"
      }
      return text(values.median / first.median)
    }
    return ["  \(name)\(row.unit.isEmpty ? "" : " [\(row.unit)]")"] + values + ratios
  }

  private func line(of remark: Remark) -> String {
    let place = remark.place
    let name = place.caseName.isEmpty ? "" : "\(place.caseName), "
    return "\(name)\(candidates[place.candidate].label), run \(remark.run): \(remark.text)"
  }
}

private func pad(_ text: String, to width: Int, isLeft: Bool) -> String {
  let blanks = String(repeating: " ", count: max(0, width - text.count))
  return isLeft ? text + blanks : blanks + text
}

/// Three digits that count, at most three of them after the point.
private func text(_ value: Double) -> String {
  guard value.isFinite else { return "\(value)" }
  let decimals = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
  let scale = [1, 10, 100, 1000][decimals]
  let scaled = Int((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  if decimals == 0 { return "\(sign)\(scaled)" }
  let fraction = String(scaled % scale)
  let zeros = String(repeating: "0", count: decimals - fraction.count)
  return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
}
