import Engine
import FakeCompositor
import Glibc
import Panes
import Raster
import TestSupport

@testable import WaylandDisplay

/// Comparing a scene with a fresh start.
extension FakeScene {
  /// A new compositor with the same outputs, on which a new engine shows the same panes.
  func fresh() throws -> FakeScene {
    let other = try FakeCompositor()
    for output in compositor.outputs { other.addOutput(output.state, output.picture) }
    let scene = try FakeScene(other)
    scene.edit { $0.restore(engine.panes) }
    try scene.sync()
    try scene.run(for: .seconds(1))
    return scene
  }

  /// The first difference from another scene with the same outputs; nil if there is none. In panes, the peak signal to noise
  /// ratio must be at least `decibels`, and no pixel that is no mark differs by more than `levels`. Around them no pixel may
  /// differ by more than `around` levels.
  func difference(
    from other: FakeScene, decibels: Double = 48, levels: Int = 3, around: Int = 0
  ) -> String? {
    let states = compositor.outputs.map(\.state)
    if states != other.compositor.outputs.map(\.state) { return "the outputs are \(states)" }
    for name in states.map(\.name) {
      let rects = [self, other].map { $0.overlays(on: name).rects }
      if rects[0] != rects[1] { return "\(name): overlays at \(rects[0]), not at \(rects[1])" }
      let distance = distance(from: other, on: name)
      if distance.around > around || distance.most > levels || distance.decibels < decibels {
        return "\(name): \(distance); overlays at \(rects[0])"
      }
    }
    return nil
  }

  /// The distance of the pixels of an output from those in another scene.
  func distance(from other: FakeScene, on name: String) -> ScreenDistance {
    let pictures = [self, other].compactMap { scene in
      scene.compositor.outputs.first { $0.state.name == name }?.shown
    }
    let overlays = [self, other].map { $0.overlays(on: name) }
    let marks = Set(overlays.flatMap(\.marks).map { $0.y * pictures[0].width + $0.x })
    var distance = ScreenDistance()
    for y in 0..<pictures[0].height {
      for x in 0..<pictures[0].width where !marks.contains(y * pictures[0].width + x) {
        let isInside = overlays[0].rects.contains { $0.contains(x: x, y: y) }
        distance.record(distances(pictures[0][x, y], pictures[1][x, y]), isInside: isInside)
      }
    }
    return distance
  }

  private func distances(_ one: UInt32, _ other: UInt32) -> [Int] {
    [0, 8, 16].map { abs(Int(one >> $0 & 255) - Int(other >> $0 & 255)) }
  }

  /// The places of the overlays on an output and of their marks, in the pixels of the output.
  private func overlays(on name: String) -> (rects: [Rect], marks: [(x: Int, y: Int)]) {
    guard let monitor = engine.server.monitors.first(where: { $0.state.name == name }) else {
      return ([], [])
    }
    let corner = monitor.bounds
    let own = surfaces.filter { $0.output == monitor.id }
    let rects = own.map { $0.place.rect.translated(x: -corner.x, y: -corner.y) }
    return (
      rects.sorted { ($0.x, $0.y, $0.width, $0.height) < ($1.x, $1.y, $1.width, $1.height) },
      own.flatMap(\.faces.marks.values).map { ($0.x - corner.x, $0.y - corner.y) }
    )
  }
}

/// How far the pixels of a screen are from those of another one.
struct ScreenDistance: CustomStringConvertible {
  /// The largest difference of a channel in panes, and around them.
  private(set) var most = 0
  private(set) var around = 0
  private var squares = 0
  private var count = 0

  mutating func record(_ channels: [Int], isInside: Bool) {
    let largest = channels.max() ?? 0
    if !isInside { return around = max(around, largest) }
    most = max(most, largest)
    for channel in channels { squares += channel * channel }
    count += channels.count
  }

  /// The peak signal to noise ratio in panes.
  var decibels: Double {
    squares == 0 ? 99 : 10 * log10(255 * 255 * Double(count) / Double(squares))
  }

  var description: String { "\(decibels) dB, \(most) levels, around panes \(around)" }
}
