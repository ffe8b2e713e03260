import FoundationEssentials

/// The figures of all runs, in the order in which they came.
struct Results {
  /// The case of a scenario, and the daemon that was measured.
  struct Place: Equatable {
    let scenario, caseName: String
    /// Index of the daemon.
    let candidate: Int
  }

  struct Row {
    let scenario, caseName, figure, unit: String
    /// For each daemon, the values of its runs.
    var values: [[Double]]
  }

  /// Something that is said of one run.
  struct Remark: Equatable {
    let place: Place
    let run: Int
    let text: String
  }

  let candidates: [Candidate]
  let runs: Int
  private(set) var rows: [Row] = []
  private(set) var notes: [Remark] = []
  private(set) var failures: [Remark] = []

  init(candidates: [Candidate], runs: Int) {
    self.candidates = candidates
    self.runs = runs
  }

  mutating func add(_ measurement: Measurement, at place: Place, run: Int) {
    for figure in measurement.figures { add(figure, at: place) }
    notes += measurement.notes.map { Remark(place: place, run: run, text: $0) }
    failures += measurement.failures.map { Remark(place: place, run: run, text: $0) }
  }

  mutating func addFailure(_ text: String, at place: Place, run: Int) {
    failures.append(Remark(place: place, run: run, text: text))
  }

  private mutating func add(_ figure: Measurement.Figure, at place: Place) {
    let index = rows.firstIndex {
      $0.scenario == place.scenario && $0.caseName == place.caseName && $0.figure == figure.name
    }
    if let index {
      rows[index].values[place.candidate].append(figure.value)
      return
    }
    var row = Row(
      scenario: place.scenario, caseName: place.caseName, figure: figure.name, unit: figure.unit,
      values: candidates.map { _ in [] })
    row.values[place.candidate] = [figure.value]
    rows.append(row)
  }
}

// MARK: JSON

private struct JSONReport: Encodable {
  struct Figure: Encodable {
    let scenario, caseName, figure, unit, daemon: String
    let values: [Double]
    let median, minimum: Double
  }

  struct Remark: Encodable {
    let scenario, caseName, daemon, text: String
    let run: Int
  }

  let daemons: [String]
  let daemonOptions: [String]
  let figures: [Figure]
  let notes, failures: [Remark]
}

extension Results {
  var json: String {
    let report = JSONReport(
      daemons: candidates.map(\.path), daemonOptions: candidates.first?.options ?? [],
      figures: rows.flatMap { figures(of: $0) }, notes: notes.map { remark($0) },
      failures: failures.map { remark($0) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    guard let data = try? encoder.encode(report) else {
      preconditionFailure("texts and numbers can always be encoded")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private func figures(of row: Row) -> [JSONReport.Figure] {
    zip(candidates, row.values).compactMap { candidate, values in
      guard let minimum = values.min() else { return nil }
      return JSONReport.Figure(
        scenario: row.scenario, caseName: row.caseName, figure: row.figure, unit: row.unit,
        daemon: candidate.path, values: values, median: values.median, minimum: minimum)
    }
  }

  private func remark(_ remark: Remark) -> JSONReport.Remark {
    JSONReport.Remark(
      scenario: remark.place.scenario, caseName: remark.place.caseName,
      daemon: candidates[remark.place.candidate].path, text: remark.text, run: remark.run)
  }
}
