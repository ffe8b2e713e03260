import Raster
import TestSupport

extension Scenario {
  /// Many panes over a window that changes as a whole, and one pane of the area of all of them.
  static let panes = Scenario(
    name: .panes,
    cases: [false, true].flatMap { hasShadow in
      let look = hasShadow ? "shadow" : "plain"
      return [
        Case(name: "1 \(look)") { try measurePanes(grid(1, 1), hasShadow, $0) },
        Case(name: "10 \(look)") { try measurePanes(grid(5, 2), hasShadow, $0) },
        Case(name: "40 \(look)") { try measureBesideLarge(grid(8, 5), hasShadow, $0) },
      ]
    })
}

private let screenRect = Rect(x: 0, y: 0, width: 1920, height: 1080)
/// In the timed pass: 20 changes of one pane take too short a time for a stable figure.
private let changeCount = 100
/// Under strace, and before the timed pass.
private let tracedChangeCount = 20

/// Panes of 300x200 in rows and columns from edge to edge of the screen.
private func grid(_ columns: Int, _ rows: Int) -> [Rect] {
  let (width, height) = (300, 200)
  func position(_ index: Int, of count: Int, in space: Int) -> Int {
    count == 1 ? space / 2 : space * index / (count - 1)
  }
  return (0..<rows).flatMap { row in
    (0..<columns).map { column in
      Rect(
        x: position(column, of: columns, in: screenRect.width - width),
        y: position(row, of: rows, in: screenRect.height - height), width: width, height: height)
    }
  }
}

private func measureBesideLarge(
  _ rects: [Rect], _ hasShadow: Bool, _ candidate: Candidate
) throws -> Measurement {
  var result = try measurePanes(rects, hasShadow, candidate)
  let hull = rects.reduce(Rect.zero) { $0.hull($1) }
  let large = try measurePanes([hull], hasShadow, candidate)
  for figure in large.figures { result.add("1 large, \(figure.name)", figure.value, figure.unit) }
  result.notes += large.notes.map { "1 large: \($0)" }
  let ratio = result.value("CPU of both") / large.value("CPU of both")
  result.add("CPU of both, 40 to 1 large", ratio, "")
  return result
}

private func measurePanes(
  _ rects: [Rect], _ hasShadow: Bool, _ candidate: Candidate
) throws -> Measurement {
  let screen = try Screen(width: screenRect.width, height: screenRect.height)
  let window = try screen.makeBackground()
  let pictures = screen.makePictures(2)
  try screen.client.sync()
  let daemon = try LiveDaemon(candidate, on: screen)
  for (index, rect) in rects.enumerated() {
    try daemon.addPane("pane\(index)", rect, hasShadow: hasShadow)
  }
  func change(_ count: Int) throws {
    for index in 0..<count {
      window.draw(pictures[index % 2])
      // The daemon's round trip must come after the drawing.
      try screen.client.sync()
      try daemon.control.sync()
    }
  }
  try change(tracedChangeCount)

  var result = Measurement()
  let usage = try daemon.usage { try change(changeCount) }
  result.addCosts(usage)
  do {
    let sends = try daemon.sendCount { try change(tracedChangeCount) }
    let mean = Double(sends) / Double(tracedChangeCount)
    result.add("sends to the X server", mean, "1/change")
  } catch {
    result.notes.append("sends not counted: \(error)")
  }
  return result
}

extension Measurement {
  fileprivate mutating func addCosts(_ usage: Usage) {
    let perChange = 1000 / Double(changeCount)
    add("CPU of daemon", usage.daemonSeconds * perChange, "ms/change")
    add("CPU of X server", usage.serverSeconds * perChange, "ms/change")
    add("CPU of both", (usage.daemonSeconds + usage.serverSeconds) * perChange, "ms/change")
    add("wall time", usage.wallMilliseconds / Double(changeCount), "ms/change")
    add("frames presented", Double(usage.frames) / Double(changeCount), "1/change")
  }

  fileprivate func value(_ name: String) -> Double {
    figures.first { $0.name == name }?.value ?? .nan
  }
}
