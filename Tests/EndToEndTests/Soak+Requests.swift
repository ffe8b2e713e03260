import Control
import Frost
import Linux
import Panes
import RandomPanes
import Raster
import TestDice
import TestSupport
import Testing

/// Random requests of one client.
extension Soak {
  /// Sends requests one after the other and waits for the reply to each.
  func askRepeatedly(_ count: Int, waiting: Bool = true) throws {
    for _ in 0..<count { try ask(someRequest(waiting: waiting)) }
  }

  /// Performs a request. Its reply arrives in time, and is no internal error.
  @discardableResult
  func ask(_ request: Request) throws -> String {
    let start = ContinuousClock.now
    try connection.send(request)
    let reply = connection.reply()
    record(ContinuousClock.now - start, "\(request)".prefix(300))
    guard let reply else {
      let states =
        "server \(try server.process.state()), daemon \(try scene.daemon.process.state())"
      throw TestFailure("no reply to \(request); process states: \(states)")
    }
    #expect(!reply.contains(#""failure":"internal""#), "\(place): \(reply)")
    return reply
  }

  private func record(_ duration: Duration, _ what: Substring) {
    requestCount += 1
    if duration > slowestReply { (slowestReply, slowestRequest) = (duration, "\(what)") }
    #expect(duration < .seconds(5) * Sanitizer.slowdown, "\(place): \(what)")
  }

  /// The daemon refuses wrong requests and continues.
  func askWrongly() throws {
    let lines = [
      "nonsense", "[]", "{}", #"{"request":"dance"}"#, #"{"request":"add","name":"x"}"#,
      #"{"request":"add","name":"a/b","style":"plain","geometry":"9x9+0+0"}"#,
      #"{"request":"add","name":"x","style":"plain","geometry":"0x9+0+0"}"#,
      #"{"request":"add","name":"x","style":"plain","geometry":"9x9+9999+0"}"#,
      #"{"request":"set","name":"gone","sigma":3}"#, #"{"request":"hide","name":"gone"}"#,
      #"{"request":"set","name":"p0","sigma":-1}"#, #"{"request":"set","name":"p0","blur":1}"#,
      #"{"request":"apply","panes":[{"name":"x"}]}"#,
      #"{"request":"apply","panes":[{"name":"x","geometry":"9x9+0+0","sigma":"a"}]}"#,
      #"{"request":"add","name":"x","style":"plain","geometry":"9x9+0+0","content":[{"image":"x","width":9,"#
        + #""height":9}]}"#,
    ]
    for _ in 0..<scene.random.roll(1...10) {
      let line = lines.randomElement(using: &scene.random) ?? ""
      let start = ContinuousClock.now
      let reply = connection.ask(line)
      record(ContinuousClock.now - start, line[...])
      #expect(reply?.contains(#""failure":"usage""#) == true, "\(place): \(line): \(reply ?? "")")
    }
  }

  /// A request of any kind but `quit`. If not `waiting`, one that needs no answer of the X server.
  func someRequest(waiting: Bool = true) -> Request {
    let name = "p\(scene.random.roll(0...9))"
    return switch scene.random.roll(0...(waiting ? 25 : 22)) {
    case 0...5:
      .add(
        name: name, someChange(isNew: true), someFade(), orSet: scene.chance(1, in: 3),
        for: someLifetime())
    case 6...12: .set(name: name, someChange(isNew: false), someFade())
    case 13, 14: .show(name: name, someFade())
    case 15: .hide(name: name, someFade())
    case 16:
      scene.chance(1, in: 2)
        ? .toggle(name: name, someFade())
        : .drawer(
          name: name, DrawerAction.allCases.randomElement(using: &scene.random) ?? .toggle)
    case 17, 18: .remove(name: name)
    case 19: .apply(somePanes(), isRehearsal: scene.chance(2, in: 3))
    case 20: .list
    case 21, 22: .status
    case 23: .sync
    default: .snapshot(name: name, isBackdrop: .random(using: &scene.random))
    }
  }

  /// Most fades end within the round; some never do.
  private func someFade() -> Fade {
    if scene.chance(2, in: 3) { return .none }
    let limit = scene.chance(1, in: 4) ? 10_000 : 300
    return (try? Fade(milliseconds: Double(scene.random.roll(0...limit)))) ?? .none
  }

  /// Most panes stay.
  private func someLifetime() -> Lifetime? {
    if scene.chance(3, in: 4) { return nil }
    return try? Lifetime(milliseconds: Double(scene.random.roll(1...2000)))
  }

  private func somePanes() -> [Pane] {
    (0..<scene.random.roll(0...6)).shuffled(using: &scene.random).compactMap { i in
      let settings = someChange(isNew: true).settings
      return try? Pane("p\(i)", settings, isShown: scene.chance(3, in: 4))
    }
  }

  /// Settings of all kinds in their whole ranges, but most places are on the screen.
  private func someChange(isNew: Bool) -> PaneChange {
    var change = PaneChange.random(using: &scene.random)
    // A request can reset a setting or give it a value.
    change.reset.subtract(Setting.all.filter { $0.write(change.settings) != nil }.map(\.name))
    if isNew { change.reset = [] }
    place(&change.settings, isNew: isNew)
    if change.settings.corner != nil, scene.chance(9, in: 10) {
      change.settings.corner = .random(upTo: 12, using: &scene.random)
    }
    // None is drawn again: that would be a moment after the change of a size.
    change.settings.contents = change.settings.contents?.map { content in
      var content = content
      content.drawing = ContentDrawing(
        content.picture, emoji: content.drawing.emoji, scope: nil)
      return content
    }
    if change.settings.contents?.isEmpty == false, scene.chance(1, in: 3) {
      let (width, height) = scene.someSize()
      let picture = Bitmap.noise(
        width: width, height: height, seed: scene.random.next(), opaque: false)
      change.settings.contents?[0].drawing = ContentDrawing(picture, scope: nil)
    }
    return change
  }

  /// Gives a new pane a place in one of the forms, and mostly removes what contradicts it. Some are behind windows that no
  /// window manager manages.
  private func place(_ settings: inout PaneSettings, isNew: Bool) {
    if scene.chance(1, in: 20) { return }
    let isBehind = scene.chance(1, in: 16)
    let contradicting: [Setting.Group] = isBehind ? [.place, .content, .behavior] : []
    let names = Setting.all.filter { ([.window] + contradicting).contains($0.group) }.map(\.name)
    settings = PaneChange(PaneSettings(), reset: Set(names)).applied(to: settings)
    if settings.input == .pass { settings.click = nil }
    if isBehind {
      settings.overrideRedirect = true
      if settings.sees == .panes { settings.sees = nil }
      return
    }
    (settings.size, settings.anchor, settings.margin) = (nil, nil, nil)
    (settings.edge, settings.peek, settings.elasticity) = (nil, nil, nil)
    settings.dragHandle = nil
    if !isNew, settings.geometry == nil { return }
    settings.geometry = scene.chance(3, in: 4) ? someGeometry() : nil
    if settings.geometry != nil { return }
    func length(_ most: Int) -> PaneSize.Length {
      scene.chance(1, in: 2) ? .pixels(scene.random.roll(24...most)) : .percent(50)
    }
    settings.size = PaneSize(width: length(220), height: length(180))
    if scene.chance(1, in: 2) {
      settings.anchor = Anchor.allCases.randomElement(using: &scene.random)
    } else {
      settings.edge = Edge.allCases.randomElement(using: &scene.random)
      settings.peek = Double(scene.random.roll(0...30))
      settings.elasticity = Double.random(in: 0...0.5, using: &scene.random)
    }
  }

  private func someGeometry() -> Geometry {
    if scene.chance(1, in: 20) { return .random(using: &scene.random) }
    func offset(_ limit: Int) -> Geometry.Offset {
      let distance = scene.random.roll(-60...limit)
      return scene.chance(1, in: 2) ? .fromStart(distance) : .fromEnd(distance)
    }
    let isLarge = scene.chance(1, in: 6)
    return Geometry(
      width: scene.random.roll(isLarge ? 100...700 : 24...220),
      height: scene.random.roll(isLarge ? 100...600 : 24...180),
      x: offset(server.width), y: offset(server.height))
  }
}

extension ControlConnection {
  /// Sends a request, or only its first bytes, with the pixels of its content.
  func send(_ request: Request, prefix length: Int = .max) throws {
    let pictures = request.contents.flatMap(\.drawing.pictures)
    let line = Array(request.line.prefix(length))
    if pictures.isEmpty {
      send(line)
    } else {
      try send(line, attaching: pictures)
    }
  }

  private func send(_ line: [UInt8], attaching pictures: [Bitmap]) throws {
    let file = try FileDescriptor.makePixelFile(pictures)
    send(line, attaching: [file.raw])
  }
}
