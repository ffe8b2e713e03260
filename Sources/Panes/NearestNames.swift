extension String {
  /// The names of `names` that a user may have meant, the most similar first: at most three, and
  /// only names within an edit distance of a third of the shorter length, or that start with this text
  /// or end with it as a word of their own: `dark` may be `regular-dark`, but `move` is not `remove`.
  package func nearest(in names: [String]) -> [String] {
    let ranked = names.map { (name: $0, distance: editDistance(from: self, to: $0)) }
    let likely = ranked.filter { candidate in
      candidate.distance <= Swift.max(1, min(count, candidate.name.count) / 3)
        || !isEmpty && (candidate.name.hasPrefix(self) || candidate.name.hasSuffix("-\(self)"))
    }
    return likely.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }
}

/// The edit distance of the first 64 characters: the number of insertions, deletions, replacements
/// and transpositions of adjacent characters, where no substring is edited twice (optimal string
/// alignment).
private func editDistance(from text: String, to other: String) -> Int {
  let (a, b) = (Array(text.prefix(64)), Array(other.prefix(64)))
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      let isSame = a[i] == b[j]
      var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (isSame ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        least = min(least, rows[i - 1][j - 1] + 1)
      }
      row.append(least)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
