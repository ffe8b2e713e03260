import Control
import Engine
import FoundationEssentials
import Linux
import Panes

/// Prints a report as JSON with sorted keys.
func printJSON(_ report: some Encodable) throws(Failure) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(report) else {
    throw Failure(.internal, "the report has a number that JSON cannot hold")
  }
  print(terminalJSON(String(decoding: data, as: UTF8.self)))
}

/// JSON of the same value without characters that control a terminal. Outside of texts JSON has none but line feeds.
func terminalJSON(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    scalar.isPrintable || scalar == "\n" ? "\(scalar)" : scalar.jsonEscape
  }.joined()
}

extension Unicode.Scalar {
  /// The character in a text of JSON. It must be one of 16 bits.
  fileprivate var jsonEscape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// The output of `list` without panes.
private let noPanes =
  "no panes; add one, for example: backdropctl add NAME --geometry 400x300+20+40"

/// The table of `list`: one row for each pane, in a terminal of 80 columns.
func table(of panes: [PaneReport]) -> String {
  if panes.isEmpty { return noPanes }
  let rows = panes.map { pane in
    let material = pane.settings["material"] ?? pane.settings["style"]
    return [
      pane.name, place(of: pane), shown(pane), cell(material), cell(pane.settings["content"]),
    ]
  }
  return aligned([["NAME", "ON SCREEN", "SHOWN", "LOOK", "CONTENT"]] + rows, fitting: 80)
}

/// The table of `list --wide`: all settings.
func wideTable(of panes: [PaneReport]) -> String {
  if panes.isEmpty { return noPanes }
  // The settings in the order of their table; the position on the screen follows the geometry. 'behind list' has those of
  // windows.
  let settings = Setting.all.filter { $0.group != .window }.map(\.name)
  let titles =
    ["name", "geometry", "on screen", "shown"] + settings.filter { $0 != "geometry" } + ["frames"]
  let rows = panes.map { pane in
    [pane.name, cell(pane.settings["geometry"]), place(of: pane), shown(pane)]
      + settings.filter { $0 != "geometry" }.map { cell(pane.settings[$0]) } + ["\(pane.frames)"]
  }
  return aligned([titles.map { $0.uppercased() }] + rows)
}

/// Whether a pane is shown, and for how long it is still there.
private func shown(_ pane: PaneReport) -> String {
  (!pane.isShown
    ? "no" : pane.awaitsWallpaper ? "waits" : pane.isOffOutputs ? "on no output" : "yes")
    + (pane.remainingSeconds.map { ", \(decimal(($0 * 10).rounded() / 10)) s left" } ?? "")
}

/// Where a pane is: on each of its outputs, or the output for which it waits.
private func place(of pane: PaneReport) -> String {
  let output = cell(pane.settings["output"])
  if pane.isBehindWindows {
    return "windows: \(pane.places.count)"
  }
  if pane.places.isEmpty { return output == "pointer" ? "-" : "waits for \(output)" }
  return pane.places.map { place in
    (output == "screen" ? place.rect : "\(place.rect) on \(place.output)")
      + (place.drawer.map { " (\($0))" } ?? "")
  }.joined(separator: ", ")
}

private func cell(_ value: ReportedValue?) -> String {
  switch value {
  case nil: "-"
  case .number(let number): decimal(number)
  case .flag(let flag): flag ? "yes" : "no"
  case .text(let text): text
  case .texts(let texts): texts.isEmpty ? "-" : texts.joined(separator: " ")
  case .contents(let contents): summary(of: contents)
  }
}

/// The number of images and labels: '2 images, 1 label'.
private func summary(of content: [ContentReport]) -> String {
  let labels = content.count { $0.label != nil }
  let counts = [("image", content.count - labels), ("label", labels)].filter { $0.1 > 0 }
  let parts = counts.map { name, count in "\(count) \(name)\(count == 1 ? "" : "s")" }
  return parts.isEmpty ? "-" : parts.joined(separator: ", ")
}

/// The table of `behind match`.
func table(of windows: [WindowReport]) -> String {
  if windows.isEmpty { return "no window fulfils the conditions" }
  let titles = ["WINDOW", "CLASS", "INSTANCE", "TYPE", "ROLE", "ASKS", "PANE", "TITLE"]
  let rows = windows.map { window in
    [
      window.window, window.windowClass, window.instance, window.type, window.role,
      window.requests ? "yes" : "no", window.pane ?? "", window.title,
    ].map { $0.isEmpty ? "-" : $0 }
  }
  return aligned([titles] + rows)
}

/// The table of `behind list`: one row for each window, and one for each pane without windows.
func table(of windows: [WindowReport], behind panes: [PaneReport]) -> String {
  if panes.isEmpty {
    return "no glass behind windows; add some, such as: backdropctl behind add NAME --class kitty"
  }
  let rows = panes.flatMap { pane in
    let own = windows.filter { $0.pane == pane.name }
    if own.isEmpty { return [[pane.name, "-", absence(of: pane, among: windows), "-"]] }
    return own.map { [pane.name, $0.window, glass(of: $0), $0.title.isEmpty ? "-" : $0.title] }
  }
  return aligned([["NAME", "WINDOW", "GLASS", "TITLE"]] + rows)
}

/// Why a pane behind windows has no window.
private func absence(of pane: PaneReport, among windows: [WindowReport]) -> String {
  let match = try? pane.settings(in: .window).placement().behind?.match
  let fitting = windows.filter { window in
    window.properties.map { match?.includes($0) == true } ?? false
  }
  return fitting.isEmpty
    ? "no such window" : "no window of its own: \(earlierPanes(having: fitting))"
}

/// Whether glass of a window is shown, or why not.
private func glass(of window: WindowReport) -> String {
  let share = Int(((window.backgroundShare ?? 0) * 100).rounded())
  let background = window.background.map { "background \($0), \(share) %" }
  guard let obstacle = window.obstacle else {
    return window.over == true ? "keyed" + (background.map { ", \($0)" } ?? "") : "shown"
  }
  let finding = TargetState.Obstacle(rawValue: obstacle)?.finding ?? obstacle
  guard obstacle == TargetState.Obstacle.uneven.rawValue, let background else { return finding }
  return "\(finding): \(background)"
}

/// The table of `outputs`.
func table(of outputs: [OutputReport]) -> String {
  let titles = ["NAME", "ON SCREEN", "WORK AREA", "SCALE", "ROTATION", "PRIMARY"]
  let rows = outputs.map { output in
    [
      output.name, output.rect ?? "off", output.workArea ?? "-", output.scale.map(decimal) ?? "-",
      output.rotation.map { "\($0)\(output.reflected == true ? ", reflected" : "")" } ?? "-",
      output.primary ? "yes" : "no",
    ]
  }
  return aligned([titles] + rows)
}

/// The table of `cache`.
func table(of entries: [CacheEntryReport]) -> String {
  if entries.isEmpty { return "the cache is empty" }
  let titles = [
    "REGION", "OUTPUT", "ROTATION", "VIEW", "CELL", "TILES", "PINNED", "BYTES", "AGE", "HITS",
    "MISSES",
  ]
  let rows = entries.map { entry in
    [
      entry.region, entry.output, "\(entry.rotation)\(entry.reflected ? ", reflected" : "")",
      entry.view + (entry.below.map { " below \($0)" } ?? ""), "\(entry.cell)", "\(entry.tiles)",
      "\(entry.pinnedTiles)", "\(entry.bytes)", "\(decimal(entry.ageSeconds)) s",
      "\(entry.hits)", "\(entry.misses)",
    ]
  }
  return aligned([titles] + rows)
}

/// The table of `status`: one row for each subject.
func table(of status: StatusReport) -> String {
  let stages = status.milliseconds
  func perFrame(_ milliseconds: Double) -> String {
    let mean = status.frames == 0 ? 0 : milliseconds / Double(status.frames)
    return "\(decimal(milliseconds)) ms, \(decimal(mean)) per frame"
  }
  let size =
    "\(mebibytes(status.residentBytes)) resident, \(mebibytes(status.bufferBytes)) of it buffers"
  let start: [[String]] = [
    ["display", "\(status.display), \(status.connected ? status.screen : "no connection")"],
    ["scale", decimal(status.scale)],
    ["compositor", status.compositor ? "yes" : "no"],
    ["glass", "\(status.glass): \(status.glassReason)"],
    [
      "locked",
      (status.locked ? "yes" : "no") + (status.lockReason.map { ", because \($0)" } ?? ""),
    ],
    ["shared memory", status.sharedMemory ? "yes" : "no"],
  ]
  let work: [[String]] = [
    ["rate", rateText(status)],
    ["panes", "\(status.panes)"],
    ["frames", "\(status.frames); \(status.unchangedFrames) captures showed no change"],
    ["damage", "\(status.damageEvents) events"],
    ["captures", "\(status.captures), \(status.capturedPixels) pixels"],
    ["read, written", "\(mebibytes(status.bytesRead)), \(mebibytes(status.bytesWritten))"],
    ["capture", perFrame(stages.capture)],
    ["reduce", perFrame(stages.reduce)],
    ["blur", perFrame(stages.blur)],
    ["draw", perFrame(stages.draw)],
    ["present", perFrame(stages.present)],
    ["cache", text(of: status.cache)],
    ["redirected", redirectedText(status)],
    ["memory", size],
  ]
  let settings: [[String]] =
    [["configuration", status.configuration ?? "none"]]
    + status.configurationErrors.map { ["", $0] }
    + wallpaperRows(status)
  let program: [[String]] = [
    ["version", "\(status.version) for \(status.build)"],
    ["process", "\(status.pid), up \(decimal(status.uptimeSeconds)) s"],
  ]
  return aligned(start + work + settings + program)
}

private func wallpaperRows(_ status: StatusReport) -> [[String]] {
  guard let wallpaper = status.wallpaper else { return [] }
  guard let error = status.wallpaperError else { return [["wallpaper", wallpaper]] }
  return [["wallpaper", "without effect: \(wallpaper)"], ["", error]]
}

private func rateText(_ status: StatusReport) -> String {
  func rounded(_ rate: Double) -> String { decimal((rate * 10).rounded() / 10) }
  let highest = "\(rounded(status.rate)) frames/s"
  guard let budget = status.cpuBudget else { return highest }
  let source = status.onBattery == true ? "cpu-budget-on-battery" : "cpu-budget"
  let limit = "\(source) \(decimal(budget))%"
  return status.allowedRate < status.rate
    ? "\(rounded(status.allowedRate)) of \(highest), because of \(limit)" : "\(highest), \(limit)"
}

private func text(of cache: CacheReport) -> String {
  "\(mebibytes(cache.bytes)) of \(mebibytes(cache.byteLimit)) in \(cache.tiles) tiles, "
    + "\(cache.pinnedTiles) of them pinned; \(cache.hits) hits, \(cache.misses) misses, "
    + "\(cache.evictions) evictions"
}

private func redirectedText(_ status: StatusReport) -> String {
  let leftOut = status.leftOutWindows
  return "\(status.redirectedWindows) windows"
    + (leftOut > 0 ? ", \(leftOut) left out: too large or unreadable" : "")
}

/// The first rows of `status --watch`: what was done per second between two reports of one daemon.
func rateTable(from last: StatusReport, to status: StatusReport) -> String {
  let time = max(0.001, status.uptimeSeconds - last.uptimeSeconds)
  func rate(_ value: (StatusReport) -> Double) -> String {
    decimal(((value(status) - value(last)) / time * 10).rounded() / 10)
  }
  func work(_ stages: StageMilliseconds) -> Double {
    stages.reduce + stages.blur + stages.draw + stages.present
  }
  return aligned([
    ["frames/s", rate { Double($0.frames) }],
    ["captures/s", rate { Double($0.captures) }],
    ["pixels/s", rate { Double($0.capturedPixels) }],
    ["work", "\(rate { work($0.milliseconds) }) ms/s"],
  ])
}

/// The tables of `bench`.
func table(of report: BenchReport) -> String {
  let frames = report.frames.map { frame in
    [
      "\(frame.width)x\(frame.height)", decimal(frame.sigma), "\(frame.threads)",
      decimal(frame.milliseconds), decimal(frame.memcpyMilliseconds), decimal(frame.ratio),
    ]
  }
  let stages = report.stages.map { stage in
    [
      "\(stage.width)x\(stage.height)", decimal(stage.sigma), stage.stage,
      decimal(stage.milliseconds), decimal(stage.memcpyMilliseconds), decimal(stage.ratio),
    ]
  }
  let updates = report.updates.map { update in
    [
      "\(update.size)x\(update.size)", decimal(update.medianMicroseconds),
      decimal(update.minimumMicroseconds), decimal(update.memcpyMicroseconds),
      decimal(update.ratio),
    ]
  }
  return [
    aligned([["FRAME", "SIGMA", "THREADS", "MILLISECONDS", "MEMCPY", "RATIO"]] + frames),
    aligned([["FRAME", "SIGMA", "STAGE", "MILLISECONDS", "MEMCPY", "RATIO"]] + stages),
    aligned([["UPDATE", "MICROSECONDS", "FASTEST", "MEMCPY", "RATIO"]] + updates),
  ].joined(separator: "\n\n")
}

/// Rows as lines with aligned columns, two spaces apart. If `limit` is given, cells of the widest columns are shortened until
/// no line takes more cells of a terminal, but each keeps 4.
func aligned(_ rows: [[String]], fitting limit: Int? = nil) -> String {
  let rows = rows.map { $0.map(\.printable) }
  let columnCount = rows.map(\.count).max() ?? 0
  var widths = (0..<columnCount).map { column in rows.map { $0[column].cellCount }.max() ?? 0 }
  if let limit {
    while widths.reduce(2 * (columnCount - 1), +) > limit, let most = widths.max(), most > 4,
      let widest = widths.lastIndex(of: most)
    {
      widths[widest] -= 1
    }
  }
  let lines = rows.map { row in
    row.enumerated().map { column, cell in
      let width = widths[column]
      let fitted = cell.cellCount > width ? cell.prefix(cells: width - 1) + "…" : cell
      return column == row.count - 1 ? fitted : fitted.padded(toCells: width)
    }.joined(separator: "  ")
  }
  return lines.joined(separator: "\n")
}

/// A number with at most three decimals, without trailing zeros.
func decimal(_ value: Double) -> String {
  guard abs(value) < 1e15 else { return "\(value)" }
  let thousandths = Int((value * 1000).rounded())
  if thousandths % 1000 == 0 { return "\(thousandths / 1000)" }
  return "\(Double(thousandths) / 1000)"
}

private func mebibytes(_ byteCount: Int) -> String {
  "\(decimal((Double(byteCount) / 104857.6).rounded() / 10)) MiB"
}
