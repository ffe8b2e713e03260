import Engine
import Panes
import Raster

@testable import WaylandDisplay
@testable import X11Display

/// Reads a property as each of the kinds that the daemon reads.
func readProperties(_ bytes: [UInt8]) {
  for encoding in [TextEncoding.string, .utf8, .compound] {
    _ = encoding.decoded(bytes)
    _ = encoding.decodedList(bytes)
  }
  _ = scheme(inSettings: bytes)
  _ = windowScale(inSettings: bytes)
  _ = pixelScale(inResources: bytes)
  var input = Bytes(bytes)
  let screen = Rect(x: 0, y: 0, width: 800, height: 600)
  let struts = (0..<4).compactMap { _ in Strut((0..<12).map { _ in input.word() }) }
  let area = Rect(x: 10, y: 20, width: 400, height: 300).workArea(on: screen, struts)
  precondition(Rect(x: 10, y: 20, width: 400, height: 300).contains(area) || area.isEmpty)
}

/// The region of a request lies within its window.
func readBlurRequest(_ bytes: [UInt8]) {
  var input = Bytes(bytes)
  let isWhole = input.byte() & 1 == 0
  var words: [UInt32] = []
  while !input.isEmpty { words.append(input.word()) }
  let client = Rect(x: -5, y: 7, width: 640, height: 480)
  let region = BlurRequest(words: words, isWhole: isWhole).region(in: client)
  precondition(region.isEmpty || client.contains(region.bounds))
}

/// Outputs in any state, and contacts by any events.
func handleWaylandEvents(_ bytes: [UInt8]) {
  var input = Bytes(bytes)
  var tracker = ContactTracker<UInt8, UInt8>()
  let target = ContactTarget(overlay: OverlayID(number: 1), x: 3, y: 4, scale: 1.5)
  func number(_ input: inout Bytes) -> Int { Int(Int32(bitPattern: input.word())) }
  func place(_ input: inout Bytes) -> Double { Double(number(&input)) / 256 }
  var states: [OutputState] = []
  while !input.isEmpty, states.count < 8 {
    let kind = input.byte()
    switch kind % 12 {
    case 0:
      var state = OutputState(name: input.text())
      state.mode = (number(&input), number(&input))
      state.transform = Int(input.byte() % 8)
      state.integerScale = number(&input)
      state.logical = Rect(
        x: number(&input), y: number(&input), width: number(&input), height: number(&input))
      states.append(state)
    case let choice:
      let (seat, surface) = (input.byte() % 2, input.byte() % 3)
      let (x, y, time) = (place(&input), place(&input), input.word())
      let finger = Int32(seat)
      let event: PointingEvent<UInt8> =
        switch choice {
        case 1: .pointerEntered(surface, x: x, y: y)
        case 2: .pointerLeft
        case 3: .pointerMoved(x: x, y: y, time: time)
        case 4: .buttonPressed(time: time)
        case 5: .buttonReleased(time: time)
        case 6: .pointerRemoved
        case 7: .fingerDown(finger, surface, x: x, y: y, time: time)
        case 8: .fingerMoved(finger, x: x, y: y, time: time)
        case 9: .fingerUp(finger, time: time)
        default: .touchCancelled
        }
      _ = tracker.handle(event, of: seat) { $0 == 2 ? nil : target }
    }
  }
  let outputs = pixelOutputs(states)
  for (index, one) in outputs.enumerated() {
    for other in outputs[..<index] { precondition(!one.bounds.intersects(other.bounds)) }
  }
}
