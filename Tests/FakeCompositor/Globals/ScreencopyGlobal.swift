import Raster

/// `zwlr_screencopy_manager_v1`. Each one has its own account of damage.
final class ScreencopyManagerHandler: RequestHandler {
  weak var resource: Resource?
  private unowned let compositor: FakeCompositor
  /// The changed regions of outputs since a frame with damage; none before such a frame.
  fileprivate var damage: [ObjectIdentifier: Region] = [:]

  init(_ compositor: FakeCompositor) { self.compositor = compositor }

  func begin() { compositor.screencopyManagers.append(self) }

  func end() { compositor.screencopyManagers.removeAll { $0 === self } }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    if request.name == "destroy" { return }
    let output = request.handler(2, as: OutputHandler.self)?.output
    var part: Rect?
    if request.name == "capture_output_region" {
      let (x, y, width, height) = request.numbers(from: 3)
      part = Rect(x: x, y: y, width: width, height: height)
    }
    try request.make(0, CaptureFrameHandler(self, output, part: part, compositor))
  }

  func record(_ region: Region, on output: FakeOutput) {
    damage[ObjectIdentifier(output)]?.form(union: region)
  }

  func forget(_ output: FakeOutput) { damage[ObjectIdentifier(output)] = nil }
}

/// `zwlr_screencopy_frame_v1`.
package final class CaptureFrameHandler: RequestHandler, PendingCapture {
  package weak var resource: Resource?
  private let manager: ScreencopyManagerHandler
  private weak var output: FakeOutput?
  private unowned let compositor: FakeCompositor
  /// The part of the picture that the output shows.
  private var native = Rect.zero
  private let part: Rect?
  private var description = CaptureDescription(width: 0, height: 0)
  private var buffer: BufferHandler?
  private var waitsForDamage = false
  private var isEnded = false

  init(
    _ manager: ScreencopyManagerHandler, _ output: FakeOutput?, part: Rect?,
    _ compositor: FakeCompositor
  ) {
    self.manager = manager
    self.output = output
    self.part = part
    self.compositor = compositor
  }

  package func begin() {
    compositor.captureCount += 1
    guard let output, output.state.isOn else { return fail() }
    let turn = output.state.turn
    let scale = output.state.scale
    var seen = output.state.seen
    if let part {
      func edge(_ logical: Int) -> Int { Int((Double(logical) * scale).rounded()) }
      seen = Rect(
        edge(part.x)..<max(edge(part.x), edge(part.maxX)),
        edge(part.y)..<max(edge(part.y), edge(part.maxY))
      ).intersection(seen)
    }
    native = turn.native(seen)
    if native.isEmpty { return fail() }
    description = compositor.describe(
      CaptureDescription(width: native.width, height: native.height))
    for format in description.formatsBefore { sendBuffer(format) }
    sendBuffer(description.format)
    for format in description.formatsAfter { sendBuffer(format) }
    if description.hasDmabuf {
      send("linux_dmabuf", [.uint(0x3432_5258), .uint(native.width), .uint(native.height)])
    }
    send("buffer_done")
  }

  private func sendBuffer(_ format: Int) {
    send(
      "buffer",
      [
        .uint(format), .uint(description.width), .uint(description.height),
        .uint(description.stride),
      ])
  }

  package func handle(_ request: ClientRequest) throws(ProtocolError) {
    if request.name == "destroy" { return }
    if isEnded { return }
    guard let buffer = request.handler(0, as: BufferHandler.self) else { return }
    guard self.buffer == nil else {
      throw request.resource.error(0, "a frame can be copied once")
    }
    guard description.accepts(buffer) else {
      throw request.resource.error(
        1, "the buffer is \(buffer.width)x\(buffer.height), format \(buffer.format)")
    }
    self.buffer = buffer
    waitsForDamage = request.name == "copy_with_damage"
    guard let output, output.state.isOn else { return fail() }
    let id = ObjectIdentifier(output)
    if waitsForDamage, manager.damage[id] == nil {
      manager.damage[id] = Region(output.state.seen)
    }
    output.copies.append(self)
  }

  package func end() {
    isEnded = true
    output?.copies.removeAll { $0 === self }
  }

  var needsPower: Bool { true }

  var isDue: Bool {
    guard let output else { return true }
    if !waitsForDamage { return true }
    return !output.damage.isEmpty || manager.damage[ObjectIdentifier(output)]?.isEmpty == false
  }

  package func fail() {
    if isEnded { return }
    isEnded = true
    output?.copies.removeAll { $0 === self }
    send("failed")
  }

  func finish() {
    guard let output, let buffer, !isEnded else { return }
    let id = ObjectIdentifier(output)
    // The output may have had another size.
    let changed = (manager.damage[id] ?? Region()).intersection(output.state.seen)
    if waitsForDamage, changed.isEmpty { return }
    let isWhole =
      description.fits(native) && output.state.turn.native(output.state.seen).contains(native)
    guard isWhole || compositor.behavior.fillsWrongSizes else { return fail() }
    isEnded = true
    output.copies.removeAll { $0 === self }
    copy(output, to: buffer)
    send("flags", [.uint(compositor.behavior.invertsCaptures ? 1 : 0)])
    if waitsForDamage {
      manager.damage[id] = Region()
      let rects = changed.rects.map(output.state.turn.native)
      for rect in compositor.reportedDamage(rects) {
        send(
          "damage", [.uint(rect.x), .uint(rect.y), .uint(rect.width), .uint(rect.height)])
      }
    }
    send("ready", [.uint(0), .uint(0), .uint(0)])
  }

  private func copy(_ output: FakeOutput, to buffer: BufferHandler) {
    let (turn, layout) = (output.state.turn, buffer.layout)
    let (shown, native, isInverted) = (
      output.shown, native, compositor.behavior.invertsCaptures
    )
    let foreign = compositor.takeForeignPixels()
    buffer.withPixels { pixels in
      for y in 0..<shown.height {
        for x in 0..<shown.width {
          let place = turn.native(x: x, y: y)
          guard native.contains(x: place.x, y: place.y) else { continue }
          let row = isInverted ? native.maxY - 1 - place.y : place.y - native.y
          guard layout.bounds.contains(x: place.x - native.x, y: row) else { continue }
          // The fourth byte has no meaning.
          let pixel = foreign?[x % 64, y % 64] ?? shown.pixels[y * shown.width + x]
          pixels[layout.index(x: place.x - native.x, y: row)] = pixel & 0x00ff_ffff
        }
      }
    }
  }
}

/// The description of the buffer of a capture by the compositor.
package struct CaptureDescription: Equatable {
  package var width, height: Int
  /// In bytes.
  package var stride: Int
  /// The format of its 32-bit pixels.
  package var format = 1
  /// Formats in other events before and after the one of 32-bit pixels.
  package var formatsBefore: [Int] = []
  package var formatsAfter: [Int] = []
  package var hasDmabuf = true

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = 4 * width
  }

  /// Whether a buffer has this size.
  func accepts(_ buffer: BufferHandler) -> Bool {
    (buffer.width, buffer.height, buffer.stride) == (width, height, stride) && buffer.format <= 1
  }

  func fits(_ native: Rect) -> Bool { (width, height) == (native.width, native.height) }
}
