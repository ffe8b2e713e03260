import TestDice
import Testing

@testable import X11Display

/// An overlay that draws into two buffers, and a server that reads them some time later.
@Suite struct BufferReaderTests {
  private var readers = [BufferReader(), BufferReader()]
  /// The number of the picture in each buffer.
  private var pictures = [0, 0]
  /// The requests that the server has not executed.
  private var requests: [Request] = []
  /// The items of the server that the daemon has not read.
  private var items: [Item] = []
  private var last: RequestSequence = .max - 50
  private var drawn = 0

  private struct Request {
    let number: RequestSequence
    /// The buffer that it reads, and the picture that must be in it; nil for other requests.
    let reading: (buffer: Int, picture: Int)?
  }

  private struct Item {
    let request: RequestSequence
    let isCompletion: Bool
  }

  @Test(arguments: 0..<300)
  mutating func nothingIsDrawnWhereTheServerReads(seed: Int) {
    var dice = Dice(seed: seed)
    for step in 0..<400 {
      switch dice.roll(0...6) {
      case 0: draw()
      case 1: send(nil)
      case 2, 3, 4:
        let isRead = executeRequest(sendsItem: dice.roll(0...1) == 0)
        #expect(isRead, "seed \(seed), step \(step)")
      default: readItem()
      }
    }
    #expect(drawn > 5, "seed \(seed)")
  }

  private mutating func send(_ reading: (buffer: Int, picture: Int)?) {
    last &+= 1
    requests.append(Request(number: last, reading: reading))
  }

  /// Draws into the first buffer, or into the second one if the server reads that, as an overlay does.
  private mutating func draw() {
    guard let buffer = readers.firstIndex(where: { !$0.isReading }) else { return }
    drawn += 1
    pictures[buffer] = drawn
    send((buffer, drawn))
    readers[buffer].begin(last)
  }

  /// Returns false if the server reads another picture than the one that was sent.
  private mutating func executeRequest(sendsItem: Bool) -> Bool {
    if requests.isEmpty { return true }
    let request = requests.removeFirst()
    if sendsItem { items.append(Item(request: request.number, isCompletion: false)) }
    guard let reading = request.reading else { return true }
    if reading.buffer == 1 { items.append(Item(request: request.number, isCompletion: true)) }
    return pictures[reading.buffer] == reading.picture
  }

  private mutating func readItem() {
    if items.isEmpty { return }
    let item = items.removeFirst()
    for i in readers.indices {
      readers[i].recordProgress(to: item.request)
      if item.isCompletion { readers[i].recordCompletion(of: item.request) }
    }
  }
}
