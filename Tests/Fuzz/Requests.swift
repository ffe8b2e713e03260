import Engine
import HeadlessDisplay
import Linux
import Panes
import Raster

@testable import Control
@testable import Daemon

/// Performs each line as a request, and lets the engine work in between.
func performRequests(_ bytes: [UInt8]) {
  let size = (width: 64, height: 48)
  let backdrop = Bitmap(width: size.width, height: size.height, filledWith: 0xFF40_6080)
  let picture = Bitmap(width: 16, height: 4, filledWith: 0xFF10_2030)
  var engine = Engine(
    HeadlessDisplay(backdrop), framesPerSecond: 100, threads: 1, cache: StoreLimits(),
    rotationFade: .none
  ) { .zero }
  var now = Duration.seconds(1000)
  for line in bytes.split(separator: 10).prefix(16) {
    let request: Request
    do {
      request = try Request(parsing: line) { try? .makePixelFile([picture]) }
    } catch { continue }
    let again = try? Request(parsing: request.line) { try? .makePixelFile([picture]) }
    precondition(again == request, "a request does not survive its line")
    _ = engine.panes(after: request)
    _ = try? engine.perform(request, now: now)
    for _ in 0..<4 {
      try? engine.step(now: now)
      _ = engine.takeEvents()
      now += .milliseconds(20)
    }
  }
}

/// Loads a file of panes, whose pictures do not exist.
func loadPanes(_ bytes: [UInt8]) {
  withFile(bytes) { path in
    var file = PaneFile(path: path)
    _ = try? file.load()
  }
}
