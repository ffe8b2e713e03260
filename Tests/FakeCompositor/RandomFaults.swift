package import Raster
import TestDice

/// Random faults and changes of a compositor, from a seed, between any two requests of its clients.
package final class RandomFaults {
  /// The faults so far, for the message of a failure.
  package private(set) var log: [String] = []
  /// Whether a capture did not have the pixels of the screen, or not all damage. No client can know that, so it is right
  /// only after the next change.
  package private(set) var hasLied = false
  /// The number of requests so far.
  package private(set) var requestCount = 0
  private let kinds: [Kind]
  private unowned let compositor: FakeCompositor
  private var dice: Dice
  private let pictures: [Bitmap]
  private let rate: Int
  private var isActive = false

  /// Makes outputs that show some of the pictures.
  package init(
    _ kinds: [Kind] = Kind.allCases, of compositor: FakeCompositor, showing pictures: [Bitmap],
    seed: Int
  ) {
    self.kinds = kinds
    self.compositor = compositor
    self.pictures = pictures
    dice = Dice(seed: seed)
    rate = dice.roll(8...120)
    compositor.behavior.copiesBuffers = Bool.random(using: &dice)
    compositor.behavior.reportsBoundingBox = Bool.random(using: &dice)
    for _ in 0..<dice.roll(1...2) { addOutput() }
    compositor.beforeRequest = { [weak self] in self?.countRequest() }
  }

  private static let names = ["one", "two", "three"]

  private func countRequest() {
    requestCount += 1
    if isActive, dice.roll(0...rate) == 0 { strike() }
  }

  /// Begins to let things happen between requests.
  package func begin() { isActive = true }

  /// Lets nothing happen any more. All outputs are on and without surfaces of others; at least one is there. After lies everything on
  /// the screens changes.
  package func end() {
    isActive = false
    let (copies, reports) = (
      compositor.behavior.copiesBuffers, compositor.behavior.reportsBoundingBox
    )
    compositor.endHolding()
    for client in compositor.clients where client.byteLimit != nil { compositor.disconnect(client) }
    compositor.behavior = FakeCompositor.Behavior()
    compositor.behavior.copiesBuffers = copies
    compositor.behavior.reportsBoundingBox = reports
    if compositor.outputs.isEmpty { addOutput() }
    for output in compositor.outputs {
      output.setForeign([])
      compositor.change(output) { $0.isOn = true }
      if hasLied { output.setPicture(picture()) }
    }
  }

  // MARK: Faults

  /// The kinds of faults.
  package enum Kind: String, CaseIterable {
    case failingCaptures, wrongDescriptions, wrongDamage, foreignPixels, invertedRows
    case closedSurface, configuredSurface, heldEvents, lateEvents, calledHiddenSurfaces
    case removedOutput, addedOutput, changedOutput, switchedOutput
    case coveredOutput, changedPicture, brokenConnection

    /// How often it happens relative to others.
    fileprivate var weight: Int {
      switch self {
      case .brokenConnection, .calledHiddenSurfaces: 1
      case .changedPicture: 10
      case .failingCaptures, .changedOutput, .coveredOutput, .heldEvents, .lateEvents: 4
      default: 2
      }
    }
  }

  /// Lets something happen.
  package func strike() {
    let kinds = kinds.flatMap { Array(repeating: $0, count: $0.weight) }
    guard let kind = kinds.randomElement(using: &dice) else { return }
    log.append("\(requestCount) \(kind)")
    if let output = compositor.outputs.randomElement(using: &dice) { perform(kind, on: output) }
    switch kind {
    case .failingCaptures: compositor.behavior.failingCaptures = dice.roll(0...5)
    case .wrongDescriptions: describeWrongly()
    case .wrongDamage: reportWrongly()
    case .foreignPixels:
      compositor.behavior.foreignPixels = picture()
      hasLied = true
    case .invertedRows: compositor.behavior.invertsCaptures.toggle()
    case .closedSurface: compositor.layerSurfaces.randomElement(using: &dice)?.close()
    case .configuredSurface:
      compositor.layerSurfaces.randomElement(using: &dice)?
        .configure(width: dice.roll(0...300), height: dice.roll(0...300))
    case .heldEvents: hold()
    case .lateEvents: compositor.endHolding()
    case .calledHiddenSurfaces: compositor.behavior.callsHiddenSurfaces.toggle()
    case .addedOutput: addOutput()
    case .brokenConnection: breakConnection()
    default: break
    }
  }

  private func perform(_ kind: Kind, on output: FakeOutput) {
    switch kind {
    case .removedOutput: compositor.remove(output)
    case .changedOutput: change(output)
    case .switchedOutput: compositor.change(output) { $0.isOn.toggle() }
    case .coveredOutput: cover(output)
    case .changedPicture: draw(output)
    default: break
    }
  }

  private func describeWrongly() {
    let kind = dice.roll(0...7)
    let amount = dice.roll(1...9)
    compositor.behavior.fillsWrongSizes = Bool.random(using: &dice)
    compositor.behavior.describe = { description in
      switch kind {
      case 0: break
      case 1: description.width += amount
      case 2: description.height = max(0, description.height - amount)
      case 3: description.stride -= 4 * amount
      case 4: description.stride += 4 * amount
      case 5: description.stride += amount
      case 6: description.format = 0x3432_4742
      default: (description.width, description.height) = (0xffff_ffff, 0xffff_fff0)
      }
      if kind == 7, amount > 4 { description.stride = 0xffff_fffc }
    }
  }

  private func reportWrongly() {
    let kind = dice.roll(0...4)
    let rect = dice.rect(in: Rect(x: 0, y: 0, width: 300, height: 300))
    compositor.behavior.reportDamage = { rects in
      switch kind {
      case 0: rects
      case 1: rects + [rect]
      case 2: rects + [Rect(x: 0xffff_fff0, y: 0xffff_ffff, width: 0xffff_ffff, height: 1)]
      case 3: [rect]
      default: []
      }
    }
    if kind > 2 { hasLied = true }
  }

  private func hold() {
    switch dice.roll(0...2) {
    case 0: compositor.behavior.holdsCallbacks = true
    case 1: compositor.behavior.holdsReleases = true
    default: compositor.behavior.holdsConfigures = true
    }
  }

  private func breakConnection() {
    guard let client = compositor.clients.randomElement(using: &dice) else { return }
    if Bool.random(using: &dice) {
      compositor.fail(client, code: dice.roll(0...9))
    } else {
      compositor.disconnect(client, afterBytes: dice.roll(0...60))
    }
  }

  // MARK: Outputs

  private func picture() -> Bitmap { pictures[dice.roll(0...pictures.count - 1)] }

  private func addOutput() {
    let present = compositor.outputs.map(\.state.name)
    guard let name = Self.names.first(where: { !present.contains($0) }) else { return }
    var state = FakeOutput.State(name: name, width: 0, height: 0)
    choose(&state)
    compositor.addOutput(state, picture())
  }

  private func change(_ output: FakeOutput) {
    compositor.change(output) { state in
      let old = state
      choose(&state)
      // Often only one property changes.
      switch dice.roll(0...3) {
      case 0: (state.width, state.height, state.scale) = (old.width, old.height, old.scale)
      case 1: (state.transform, state.x, state.y) = (old.transform, old.x, old.y)
      default: break
      }
    }
  }

  private func choose(_ state: inout FakeOutput.State) {
    (state.width, state.height) = (dice.roll(96...200), dice.roll(64...140))
    state.transform = dice.roll(0...7)
    state.scale = [1, 1, 1.25, 1.5, 2][dice.roll(0...4)]
    (state.x, state.y) = (dice.roll(0...2) * 200, dice.roll(-20...20))
  }

  private func cover(_ output: FakeOutput) {
    let seen = output.state.seen
    switch dice.roll(0...3) {
    case 0: output.setForeign([])
    case 1: output.setForeign([FakeOutput.Foreign(seen, UInt32(dice.roll(0...0xff_ffff)))])
    default:
      output.setForeign(
        (0..<dice.roll(1...3)).map { _ in
          FakeOutput.Foreign(dice.rect(in: seen), UInt32(dice.roll(0...0xff_ffff)))
        })
    }
  }

  private func draw(_ output: FakeOutput) {
    if dice.roll(0...3) == 0 { return output.setPicture(picture()) }
    let other = picture()
    output.draw(dice.rect(in: output.state.seen)) { x, y in
      other[x % other.width, y % other.height]
    }
  }
}
