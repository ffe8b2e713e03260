import CLinux
import Control
import Engine
import Glibc
import Linux
import Logging
import Panes

/// The event loop of the daemon. It waits for what `LoopPart` names. No other code blocks.
struct Daemon<Server: ServedDisplay & ~Copyable>: ~Copyable {
  // Released in this order. The socket is released after the display, so that a daemon that replaces this one
  // finds both free.
  var engine: Engine<Server>
  var control: ControlServer
  private let signals: SignalQueue
  private let pressure: MemoryPressure
  private var memoryEvents = MemoryEvents()
  private var session = SessionLock(now: now())
  private var heartbeat = Heartbeat(now: now())
  private var alarm: AlarmClock
  var keeper: PaneKeeper
  private var reopener: DisplayReopener<Server>
  private var renewal = DisplayRenewal()
  /// The clients whose pictures and lists of windows follow later, by the ticket of their request.
  var waiting: [Ticket: ClientID] = [:]
  var syncs = Syncs()
  var pictures = PictureFiles()
  var replacedContents = ReplacedContents()
  var preparations = Preparations()
  private var redrawing: Redrawing
  var wallpaper: WallpaperPainting
  private var clickCommands: ClickCommands
  var configuration: ConfigurationLoader
  /// Replies that are sent when the panes are saved.
  var heldReplies: [(reply: Reply, client: ClientID)] = []
  var subscriptions = Subscriptions()
  var power = PowerWatch()
  let started: Duration
  var options: Options
  let logger: Logger
  var isQuitting = false
  /// An alarm that expires late by less counts as in time.
  private var alarmTolerance: Duration { engine.frameInterval / 8 }
  /// How often the loop looks whether clients have received pictures. No event reports that.
  private static var readerInterval: Duration { .milliseconds(20) }

  /// A daemon for an open display.
  init(
    _ display: consuming Server, _ control: consuming ControlServer,
    _ signals: consuming SignalQueue, _ alarm: consuming AlarmClock, _ keeper: PaneKeeper,
    _ options: Options, _ logger: Logger
  ) {
    self.alarm = alarm
    engine = Engine(
      display, framesPerSecond: options.framesPerSecond, threads: options.threads,
      cache: options.cache, rotationFade: options.rotationFade, processorTime: processorTime,
      clock: now)
    self.control = control
    self.signals = signals
    self.keeper = keeper
    redrawing = Redrawing(display: options.display.text, logger: logger)
    wallpaper = WallpaperPainting(display: options.display.text, logger: logger)
    clickCommands = ClickCommands(display: options.display, logger: logger)
    configuration = ConfigurationLoader(
      options.configurationFiles, isRequired: options.isConfigurationGiven,
      display: options.display.text, logger: logger)
    reopener = DisplayReopener(options, logger)
    self.options = options
    self.logger = logger
    pressure = MemoryPressure()
    started = now()
  }

  /// Runs until a signal, the request `quit`, or another daemon replaces this one. Throws a `DaemonError`.
  mutating func run() throws(DaemonError) {
    begin()
    do throws(DaemonError) {
      // Events that arrived while the display was opened.
      try step(now: now())
      while !isEnding { try iterate() }
    } catch {
      finish()
      throw error
    }
    end()
  }

  /// Whether the loop must end.
  var isEnding: Bool { isQuitting || engine.server.isReplaced }

  /// Shows the panes of the last daemon.
  mutating func begin() {
    engine.setSessionLock(session.reason)
    if options.isFresh { keeper.forget() } else { engine.restore(keeper.load(now: now())) }
    if !keeper.declared.isEmpty { configuration.request() }
    announce("serving")
    notifyServiceManager("READY=1")
    limitShare(now: now())
    wallpaper.declare(options.wallpaper, now: now())
  }

  /// Removes the panes from the display, and saves them.
  mutating func end() {
    notifyServiceManager("STOPPING=1")
    engine.end()
    finish()
    logger.info("ended")
  }

  /// Saves the panes, also if the display is lost, and answers each client that waits.
  private mutating func finish() {
    keeper.finish(engine.panes, now: now())
    let failure = Reply.failure(
      .unavailable, "backdropd ends, and the disk does not save the panes")
    for (reply, client) in heldReplies {
      control.send(keeper.isSettled ? reply : failure, to: client)
    }
    pictures.deliver(by: &control)
    let others = waiting.values + syncs.clients + preparations.clients + pictures.clients
    for client in others { control.send(.failure(.unavailable, "backdropd ends"), to: client) }
  }

  /// Waits until something is due, and does it.
  mutating func iterate() throws(DaemonError) {
    let (ready, appointment) = wait()
    if ready.contains(.signals), signals.hasNext() {
      isQuitting = true
      return
    }
    if ready.contains(.memoryPressure) { engine.shrinkCache() }
    if ready.contains(.memoryEvents), memoryEvents.take() { engine.shrinkCache() }
    clickCommands.update(ready: ready.descriptors(of: .clickCommands))
    if session.process(now: now()) { engine.setSessionLock(session.reason) }
    serve(ready.events(of: .clients))
    performPrepared()
    let time = time(of: appointment)
    try resume(now: time)
    keeper.update(now: time) { engine.panes }
    configuration.update(
      now: time, ready: ready.descriptors(of: .configuration), isSuspended: engine.isSuspended)
    paintWallpaper(now: time, ready.descriptors(of: .wallpaper))
    redraw(now: time)
    if power.isDue(now: time) { limitShare(now: time) }
    try step(now: time)
    replacedContents.release(now: time)
    subscriptions.update(now: time, by: &control) {
      engine.frameCounters
    } state: {
      engine.observedState(configuration)
    }
    deliver()
  }

  private func announce(_ verb: String) {
    let report = engine.server.report
    logger.info(
      "\(verb) display \(report.name)\(report.hasCompositor ? ", under a compositor" : "")")
    notifyServiceManager("STATUS=\(verb) display \(report.name)")
  }

  // MARK: Waiting

  /// Blocks until something is due. Returns the ready descriptors and, if the alarm has expired, the time for which it was set.
  private mutating func wait() -> (ready: LoopEvents, appointment: Duration?) {
    var interests = LoopInterests()
    for part in LoopPart.allCases { declareInterest(of: part, to: &interests) }
    let isSet = alarm.set(interests.deadline)
    // Without a timer the loop looks at the time itself.
    let ready = interests.wait(timeout: interests.isDue ? 0 : isSet ? -1 : 10)
    return (ready, ready.contains(.alarm) ? alarm.acknowledge() : nil)
  }

  /// Adds what a part waits for.
  private func declareInterest(of part: LoopPart, to interests: inout LoopInterests) {
    switch part {
    case .display:
      let isCongested = reopener.descriptor == nil && engine.server.isCongested
      interests.add(
        part, reopener.descriptor ?? engine.server.descriptor,
        Int16(POLLIN) | (isCongested ? Int16(POLLOUT) : 0))
      interests.add(deadline: engine.deadline)
      interests.add(deadline: reopener.deadline)
      if needsRenewal { interests.add(deadline: renewal.next) }
    case .signals: interests.add(part, signals.descriptor)
    case .alarm: interests.add(part, alarm.descriptor)
    case .memoryPressure: interests.add(part, pressure.descriptor, Int16(POLLPRI))
    case .memoryEvents: interests.add(part, memoryEvents.descriptor)
    case .session:
      let bus = session.interest
      interests.add(part, bus.fd, bus.events)
      interests.add(deadline: session.deadline)
    case .heartbeat: interests.add(deadline: heartbeat.deadline)
    case .clients:
      for interest in control.interests() {
        interests.add(part, interest.descriptor, interest.events)
      }
      if control.awaitsReaders { interests.add(deadline: now() + Self.readerInterval) }
      interests.add(isDue: control.hasRequests)
    case .subscriptions: interests.add(deadline: subscriptions.deadline)
    case .pictures: for file in pictures.descriptors { interests.add(part, file) }
    case .preparations: for file in preparations.descriptors { interests.add(part, file) }
    case .replacedContents: interests.add(deadline: replacedContents.deadline)
    case .savedPanes:
      interests.add(part, keeper.descriptor)
      interests.add(deadline: keeper.deadline)
    case .configuration:
      for file in configuration.descriptors { interests.add(part, file) }
      if !engine.isSuspended { interests.add(deadline: configuration.deadline) }
    case .drawings:
      interests.add(part, redrawing.descriptor)
      interests.add(deadline: redrawing.deadline)
      interests.add(isDue: redrawing.isDue || engine.hasEvents)
    case .wallpaper:
      for file in wallpaper.descriptors { interests.add(part, file) }
      interests.add(deadline: wallpaper.deadline)
      interests.add(isDue: wallpaper.targets != engine.wallpaperTargets)
    case .clickCommands: for file in clickCommands.descriptors { interests.add(part, file) }
    }
  }

  /// The time to pass to a step: that of the alarm, if it expired just now. An alarm expires some
  /// tens of microseconds late. If these counted, every frame would be delayed by them, and an
  /// animation at the frame rate would lose a frame every few seconds.
  private func time(of appointment: Duration?) -> Duration {
    let time = now()
    guard let appointment, time - appointment < alarmTolerance else { return time }
    return appointment
  }

  /// Lets the engine do what is due, and hands out what it reports.
  mutating func step(now: Duration) throws(DaemonError) {
    heartbeat.beat(now: now)
    do { try engine.step(now: now) } catch { try suspend(error) }
    if needsRenewal, renewal.takeTurn(now: now) {
      reopen("the display is opened again, because memory was lacking", now: now)
    }
    handleEvents(now: now)
  }

  /// Does what events of the engine demand.
  private mutating func handleEvents(now: Duration) {
    for event in engine.takeEvents() {
      switch event {
      case .contentChanged: redrawing.markDue()
      case .completed(let completion): complete(completion)
      case .clicked(let click): clickCommands.run(click)
      case .panesEnded: keeper.saveAfterRemoval(now: now) { engine.panes }
      case .obstructed(let obstacle): logger.warning("\(obstacle)")
      }
    }
  }

  // MARK: Drawings

  /// Has content drawn again that has another scale or size than its pane, and continues the syncs that waited for drawings.
  private mutating func redraw(now: Duration) {
    handleEvents(now: now)
    redrawing.update(now: now, isAwaited: syncs.awaitsDrawings) {
      engine.isSuspended ? [] : engine.drawingJobs(includesDrawn: false)
    }
    let isSuspended = engine.isSuspended
    let drawn = syncs.takeDrawn(
      isSuspended ? [] : redrawing.pending,
      isBusy: !isSuspended && (configuration.isBusy || wallpaper.isBusy))
    for client in drawn {
      do throws(EngineError) {
        syncs.beginShowing(client, try engine.requestSync())
      } catch {
        control.send(Reply(error), to: client)
      }
    }
  }

  /// Whether no drawing is due.
  var isDrawn: Bool {
    !redrawing.isDue && redrawing.pending.isEmpty && !configuration.isBusy
      && !wallpaper.isBusy
  }

  /// Has the declared wallpaper drawn for the outputs that need it.
  private mutating func paintWallpaper(now: Duration, _ ready: [Int32]) {
    wallpaper.update(now: now, ready: ready, on: engine.wallpaperTargets)
    if let source = wallpaper.takeSource() { engine.setWallpaper(source) }
  }

  // MARK: Loss of the display

  private mutating func suspend(_ error: DisplayError) throws(DaemonError) {
    if options.patience.loss == .zero { throw .display(error) }
    reopen("\(error)", now: now())
  }

  /// Whether the display must be opened again, because it may show what is wrong.
  private var needsRenewal: Bool { !engine.isSuspended && engine.server.lacksMemory }

  private mutating func reopen(_ reason: String, now: Duration) {
    logger.warning("\(reason); its panes are shown again when it is back")
    notifyServiceManager("STATUS=waiting for display \(options.display.text)")
    engine.suspend()
    reopener.begin(now: now)
  }

  /// Shows the panes if the display is open again.
  private mutating func resume(now: Duration) throws(DaemonError) {
    let outcome = reopener.takeOutcome(now: now)
    switch consume outcome {
    case .none: return
    case .some(.failed(let error)): throw error
    case .some(.opened(let opened)):
      engine.resume(on: opened.display)
      wallpaper.forgetDisplay()
      announce("again serving")
    }
  }
}
