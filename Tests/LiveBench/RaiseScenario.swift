import Raster
import TestSupport

extension Scenario {
  /// Windows that are raised above a pane, which must be above them again within a frame.
  static let raise = Scenario(name: .raise, cases: [Case(measure: measureRaise)])
}

private let raiseCount = 200

private func measureRaise(_ candidate: Candidate) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  let rect = Rect(x: 560, y: 240, width: 800, height: 600)
  // Several, because a window that raises itself all the time is not covered any more.
  let windows = try (0..<4).map { index in
    try screen.client.makeWindow(rect, color: 0xFF20_4000 | UInt32(index * 40))
  }
  try screen.client.sync()
  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.addPane("pane", rect, corner: 24, hasShadow: true)
  var tint = BenchRequest("set", "pane")
  tint.tint = "#C02060"
  try daemon.control.ask(tint)
  try daemon.control.sync()
  let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)

  var times: [Double] = []
  for index in 0..<raiseCount {
    let start = now()
    windows[index % windows.count].raise()
    screen.client.flush()
    // The pane has one colour, whatever is below it.
    while try screen.client.screenPixel(x: x, y: y) != 0xFFC0_2060 {
      if millisecondsSince(start) > 5000 { throw TestFailure("the pane stays below a window") }
      sleep(milliseconds: 0.1)
    }
    times.append(millisecondsSince(start))
    // At any time within a frame.
    sleep(milliseconds: 20 + Double(index * 7 % 17))
  }
  var result = Measurement()
  result.addTimes("raise to pane above it", times)
  return result
}
