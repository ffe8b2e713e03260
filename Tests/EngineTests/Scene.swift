import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// An engine on a headless display, with a clock that only `wait` and `settle` advance. The engine measures its
/// stages with another clock, which stands still unless `slowness` is set.
final class Scene {
  /// Another one after each loss.
  private(set) var display: HeadlessDisplay
  private(set) var engine: Engine<HeadlessDisplay>
  private(set) var now = Duration.seconds(1000)
  /// The requests for pictures and backdrops that were started and are not known to be completed.
  private(set) var openTickets: Set<Ticket> = []
  /// What the engine has told and no test has taken.
  private var events: [EngineEvent] = []
  private let watch = Watch()
  static let interval = Duration.milliseconds(10)
  /// The distance to the next frame if none began within the last interval.
  static let shortestDistance = FrameSchedule(interval: interval).shortestDistance

  init(
    _ backdrop: Bitmap, x: Int = 0, y: Int = 0, limits: (bytes: Int, tiles: Int)? = nil,
    threads: Int = 1, rotationFade: Fade = .none
  ) {
    display = HeadlessDisplay(backdrop, x: x, y: y)
    let cache =
      limits.map { StoreLimits(byteCount: $0.bytes, tileCount: $0.tiles) } ?? StoreLimits()
    let watch = watch
    engine = Engine(
      display, framesPerSecond: 100, threads: threads, cache: cache, rotationFade: rotationFade
    ) { watch.read() }
  }

  /// The clock with which the engine measures its stages.
  private final class Watch {
    var time = Duration.zero
    var step = Duration.zero

    func read() -> Duration {
      time += step
      return time
    }
  }

  /// The time that passes for the engine each time that it measures the time.
  var slowness: Duration {
    get { watch.step }
    set { watch.step = newValue }
  }

  convenience init(width: Int = 120, height: Int = 90, seed: Int = 1) {
    var dice = Dice(seed: seed)
    self.init(dice.picture(width: width, height: height))
  }

  var screen: Rect { display.bounds }
  var deadline: Duration? { engine.deadline }
  var isPainting: Bool { engine.isPainting }
  var isFading: Bool { engine.isFading }
  var panes: [Pane] { engine.panes }
  var names: [String] { engine.panes.map(\.name) }
  var statistics: Statistics { engine.statistics }
  var store: StoreReport { engine.storeReport }

  // MARK: Connection

  var isSuspended: Bool { engine.isSuspended }

  /// The connection to the display breaks.
  func loseDisplay() {
    display.error = .lost("lost")
    #expect(throws: DisplayError.lost("lost")) { try step() }
    engine.suspend()
  }

  /// Connects to another display.
  func reconnect(to backdrop: Bitmap) {
    display = HeadlessDisplay(backdrop)
    engine.resume(on: display)
  }

  // MARK: Requests

  /// Adds a pane at `rect`, relative to the output.
  func add(
    _ name: String, _ rect: Rect, sigma: Double = 5, fade: Fade = .none
  ) throws {
    try engine.add(makePane(name, rect, sigma: sigma), fade: fade)
  }

  func add(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    try engine.add(pane, fade: fade)
  }

  func put(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    try engine.put(pane, fade: fade)
  }

  func change(
    _ name: String, fade: Fade = .none, _ edit: (inout PaneSettings) -> Void
  ) throws(EngineError) {
    var settings = PaneSettings()
    edit(&settings)
    try engine.change(name, PaneChange(settings), fade: fade)
  }

  func change(_ name: String, _ change: PaneChange, fade: Fade = .none) throws(EngineError) {
    try engine.change(name, change, fade: fade)
  }

  func setShown(_ name: String, _ isShown: Bool, fade: Fade = .none) throws(EngineError) {
    try engine.setShown(name, isShown, fade: fade)
  }

  func remove(_ name: String) throws(EngineError) { try engine.remove(name) }

  func moveDrawer(_ name: String, _ action: DrawerAction) throws(EngineError) {
    try engine.moveDrawer(name, action)
  }

  /// Whether a drawer is open, closed or moving.
  func drawer(_ name: String) -> PaneState.Drawer? { engine.states(of: name).first?.drawer }

  @discardableResult
  func apply(_ panes: [Pane], isRehearsal: Bool = false) throws(EngineError) -> [PaneAction] {
    try engine.apply(panes, isRehearsal: isRehearsal)
  }

  func setDrawings(of name: String, _ contents: [PaneContent]) throws(EngineError) {
    try engine.setDrawings(of: name, contents)
  }

  func costlyDecorations(of panes: [Pane]) -> [DecorationPlan] {
    engine.costlyDecorations(of: panes)
  }

  /// Makes decorations for the next requests.
  func prepare(_ plans: [DecorationPlan]) {
    engine.preparedDecorations = plans.map { $0.make() }
  }

  func shrinkCache() { engine.shrinkCache() }

  /// The state of a pane on its first output.
  func state(
    of name: String
  ) throws(PaneError) -> (rect: Rect, scheme: ColorScheme, frames: Int) {
    guard let state = engine.states(of: name).first else {
      throw .unknownName(name, known: names)
    }
    return (state.rect ?? .zero, state.scheme, state.frames)
  }

  func picture(of name: String, on output: String? = nil) throws -> Bitmap {
    try picture(for: engine.requestPicture(of: name, on: output))
  }

  func backdrop(of name: String) throws -> Bitmap {
    try picture(for: engine.requestBackdrop(of: name))
  }

  /// Starts a request for a picture, which `step` completes.
  @discardableResult
  func startPicture(of name: String) throws(EngineError) -> Ticket {
    let ticket = try engine.requestPicture(of: name)
    openTickets.insert(ticket)
    return ticket
  }

  /// Starts a request for a backdrop, which `step` completes.
  @discardableResult
  func startBackdrop(of name: String) throws(EngineError) -> Ticket {
    let ticket = try engine.requestBackdrop(of: name)
    openTickets.insert(ticket)
    return ticket
  }

  /// Starts a request for the windows that panes may be behind.
  func startWindows() throws(EngineError) {
    openTickets.insert(try engine.requestWindows())
  }

  /// The windows that panes may be behind.
  func targetStates() throws -> [TargetState] {
    let ticket = try engine.requestWindows()
    guard case .windows(_, let states) = try complete({ $0.ticket == ticket }) else {
      throw Missing()
    }
    return states
  }

  func sync() throws {
    let ticket = try engine.requestSync()
    if case .failed(_, let error) = try complete({ $0.ticket == ticket }) { throw error }
  }

  /// Steps until a request for a picture or backdrop is completed.
  func picture(for ticket: Ticket) throws -> Bitmap {
    switch try complete({ $0.ticket == ticket }) {
    case .picture(_, let picture): return picture

    case .failed(_, let error): throw error
    case .synced, .windows: throw Missing()
    }
  }

  /// Steps until a request is completed, without advancing the clock. Throws when nothing would
  /// wake a real event loop.
  private func complete(_ isWanted: (Completion) -> Bool) throws -> Completion {
    try step()
    for _ in 0..<200 {
      if let completion = takeCompletions().first(where: isWanted) { return completion }
      guard display.hasEvents || deadline.map({ $0 <= now }) == true else { break }
      try step()
    }
    throw Missing()
  }

  @discardableResult
  func takeCompletions() -> [Completion] {
    let completions = take(\.completion)
    for completion in completions { openTickets.remove(completion.ticket) }
    return completions
  }

  /// The request was not completed.
  struct Missing: Error {}

  // MARK: Time

  func step() throws(DisplayError) { try engine.step(now: now) }

  /// The events of one kind since the last call.
  private func take<Value>(_ pick: (EngineEvent) -> Value?) -> [Value] {
    events += engine.takeEvents()
    defer { events.removeAll { pick($0) != nil } }
    return events.compactMap(pick)
  }

  func takeContentChange() -> Bool {
    !take { if case .contentChanged = $0 { true } else { nil } }.isEmpty
  }

  func takeEnds() -> Bool { !take { if case .panesEnded = $0 { true } else { nil } }.isEmpty }

  func takeClicks() -> [PaneClick] {
    take { if case .clicked(let click) = $0 { click } else { nil } }
  }

  func takeObstacles() -> [PaneObstacle] {
    take { if case .obstructed(let obstacle) = $0 { obstacle } else { nil } }
  }

  func wait(_ time: Duration) { now += time }

  /// Steps at each deadline until there is none. Returns false if there are more than 1000
  /// deadlines, or 1000 steps within frames.
  func settle() throws(DisplayError) -> Bool {
    try step()
    var (deadlines, steps) = (0, 0)
    while deadlines < 1000, steps < 1000 {
      if isPainting { steps += 1 } else { deadlines += 1 }
      guard let deadline else { return true }
      now = max(now, deadline)
      try step()
    }
    return false
  }
}

extension HeadlessDisplay {
  /// Whether a lock screen covers a part of a rectangle.
  func isLocked(_ rect: Rect) -> Bool { lockedRegion.intersects(rect) }
}

func makePane(_ name: String, _ rect: Rect, sigma: Double = 5) throws(PaneError) -> Pane {
  var settings = PaneSettings()
  settings.style = .plain
  settings.geometry = geometry(rect)
  settings.sigma = sigma
  return try Pane(name, settings)
}

/// The geometry of a rectangle, from the left and the top.
func geometry(_ rect: Rect) -> Geometry {
  Geometry(
    width: rect.width, height: rect.height, x: .fromStart(rect.x), y: .fromStart(rect.y))
}
