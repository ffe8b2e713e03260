import CLinux
import Control
import Engine
import Glibc
import Linux
import Logging
import Panes
import Raster

/// The event loop of the daemon. It waits for the display, clients, signals, memory pressure, the lock of the
/// session and the time of the next frame. No other code blocks.
struct Daemon<Server: ServedDisplay & ~Copyable>: ~Copyable {
  // Released in this order. The socket is released after the display, so that a daemon that replaces this one
  // finds both free.
  private var engine: Engine<Server>
  private var control: ControlServer
  private let signals: SignalQueue
  private let pressure: MemoryPressure
  private var memoryEvents = MemoryEvents()
  private var session = SessionLock(now: now())
  private var heartbeat = Heartbeat(now: now())
  private var alarm: AlarmClock
  private var keeper: PaneKeeper
  /// Opens the display again after its loss; nil while it is open.
  private var opener: DisplayOpener<Server>?
  /// The time of the next attempt to make one, if the system had no thread for it.
  private var openerTime: Duration?
  private var renewal = DisplayRenewal()
  /// The clients whose replies follow later, by the ticket of their request.
  private var waiting: [Ticket: ClientID] = [:]
  private var pictures = PictureFiles()
  private var replacedContents = ReplacedContents()
  private var preparations = Preparations()
  private var redrawing: Redrawing
  private var wallpaper: WallpaperPainting
  private var clickCommands: ClickCommands
  private var configuration: ConfigurationLoader
  /// The syncs that also wait until content is drawn again.
  private var contentSyncs: [ContentSync] = []
  /// The tickets of those that have waited.
  private var lastSyncs: Set<Ticket> = []
  /// Replies that are sent when the panes are saved.
  private var heldReplies: [(reply: Reply, client: ClientID)] = []
  private var subscriptions = Subscriptions()
  private var power = PowerWatch()
  private let started: Duration
  /// An alarm that expires late by less counts as in time.
  private var alarmTolerance: Duration { engine.frameInterval / 8 }
  private var options: Options
  private let logger: Logger
  private var isQuitting = false
  /// How often the loop looks whether clients have received pictures. No event reports that.
  private static var readerInterval: Duration { .milliseconds(20) }
  /// The time between two attempts to make a thread.
  private static var openerInterval: Duration { .milliseconds(200) }
  /// The largest size of all pictures that clients have not received, in bytes.
  private static var unreadLimit: Int { 256 << 20 }
  /// The memory that a request may need besides pixels, in bytes.
  private static var requestMemory: Int { 4 << 20 }

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
    self.options = options
    self.logger = logger
    pressure = MemoryPressure()
    started = now()
  }

  /// Runs until a signal, the request `quit`, or another daemon replaces this one. Throws a `DaemonError`.
  mutating func run() throws(DaemonError) {
    engine.setSessionLock(session.reason)
    if options.isFresh { keeper.forget() } else { engine.restore(keeper.load(now: now())) }
    if !keeper.declared.isEmpty { configuration.request() }
    announce("serving")
    notifyServiceManager("READY=1")
    do throws(DaemonError) {
      try loop()
    } catch {
      finish()
      throw error
    }
    notifyServiceManager("STOPPING=1")
    engine.end()
    finish()
    logger.info("ended")
  }

  /// Saves the panes, also if the display is lost, and answers each client that waits.
  private mutating func finish() {
    keeper.finish(engine.panes, now: now())
    for (reply, client) in heldReplies { control.send(reply, to: client) }
    pictures.deliver(by: &control)
    let others =
      waiting.values + contentSyncs.map(\.client) + preparations.clients + pictures.clients
    for client in others { control.send(.failure(.unavailable, "backdropd ends"), to: client) }
  }

  private mutating func loop() throws(DaemonError) {
    limitShare(now: now())
    wallpaper.declare(options.wallpaper, now: now())
    // Events that arrived while the display was opened.
    try step(now: now())
    while !isQuitting, !engine.server.isReplaced {
      let (ready, appointment) = wait()
      if ready.contains(where: { $0.descriptor == signals.descriptor }), signals.hasNext() { break }
      if ready.contains(where: { $0.descriptor == pressure.descriptor }) { engine.shrinkCache() }
      if ready.contains(where: { $0.descriptor == memoryEvents.descriptor }), memoryEvents.take() {
        engine.shrinkCache()
      }
      let readable = ready.map(\.descriptor)
      clickCommands.update(ready: readable)
      if session.process(now: now()) { engine.setSessionLock(session.reason) }
      serve(ready)
      performPrepared()
      let time = time(of: appointment)
      try resume(now: time)
      keeper.update(now: time) { engine.panes }
      configuration.update(now: time, ready: readable, isSuspended: engine.isSuspended)
      paintWallpaper(now: time, readable)
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
  }

  private func announce(_ verb: String) {
    let report = engine.server.report
    logger.info(
      "\(verb) display \(report.name)\(report.hasCompositor ? ", under a compositor" : "")")
    notifyServiceManager("STATUS=\(verb) display \(report.name)")
  }

  // MARK: Waiting

  /// Blocks until a descriptor is ready. Returns the ready descriptors and, if the alarm has
  /// expired, the time for which it was set.
  private mutating func wait() -> (
    ready: [(descriptor: Int32, events: Int16)], appointment: Duration?
  ) {
    let readers = control.awaitsReaders ? now() + Self.readerInterval : nil
    let deadlines = [
      engine.deadline, heartbeat.deadline, keeper.deadline, session.deadline, openerTime, readers,
      replacedContents.deadline, redrawing.deadline, subscriptions.deadline,
      wallpaper.deadline,
      engine.isSuspended ? nil : configuration.deadline,
      needsRenewal ? renewal.next : nil,
    ]
    let isSet = alarm.set(deadlines.compactMap(\.self).min())
    let display = opener?.descriptor ?? engine.server.descriptor
    let isCongested = opener == nil && engine.server.isCongested
    let displayEvents = Int16(POLLIN) | (isCongested ? Int16(POLLOUT) : 0)
    var polled = [
      pollfd(fd: display, events: displayEvents, revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: pressure.descriptor, events: Int16(POLLPRI), revents: 0),
      pollfd(fd: memoryEvents.descriptor, events: Int16(POLLIN), revents: 0),
      session.interest,
    ]
    let workers =
      [keeper.descriptor, redrawing.descriptor] + clickCommands.descriptors
      + configuration.descriptors + wallpaper.descriptors
    let hasWork =
      control.hasRequests || engine.hasContentChange
      || wallpaper.targets != engine.wallpaperTargets
    for descriptor in pictures.descriptors + preparations.descriptors + workers {
      polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    polled += control.interests().map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    // Without a timer the loop looks at the time itself.
    let ready = waitUntilReady(polled, timeout: hasWork ? 0 : isSet ? -1 : 10)
    let hasExpired = ready.contains { $0.descriptor == alarm.descriptor }
    return (ready, hasExpired ? alarm.acknowledge() : nil)
  }

  /// The time to pass to a step: that of the alarm, if it expired just now. An alarm expires some
  /// tens of microseconds late. If these counted, every frame would be delayed by them, and an
  /// animation at the frame rate would lose a frame every few seconds.
  private func time(of appointment: Duration?) -> Duration {
    let time = now()
    guard let appointment, time - appointment < alarmTolerance else { return time }
    return appointment
  }

  private mutating func step(now: Duration) throws(DaemonError) {
    heartbeat.beat(now: now)
    do { try engine.step(now: now) } catch { try suspend(error) }
    if needsRenewal, renewal.takeTurn(now: now) {
      reopen("the display is opened again, because memory was lacking", now: now)
    }
    for completion in engine.takeCompletions() { complete(completion) }
    for click in engine.takeClicks() { clickCommands.run(click) }
    for obstacle in engine.takeObstacles() { logger.warning("\(obstacle)") }
    if engine.takeRemoval() { keeper.noteRemoval(now: now) { engine.panes } }
  }

  /// Has content drawn again that has another scale or size than its pane, and continues the syncs that waited for it or for
  /// the configuration.
  private mutating func redraw(now: Duration) {
    redrawing.update(
      now: now, hasChanged: engine.takeContentChange(), isAwaited: !contentSyncs.isEmpty
    ) { engine.isSuspended ? [] : engine.drawingJobs(includesDrawn: false) }
    for i in contentSyncs.indices {
      contentSyncs[i].keys = contentSyncs[i].keys ?? redrawing.pending
    }
    let isSuspended = engine.isSuspended
    let ended = contentSyncs.filter { sync in
      isSuspended
        || !configuration.isBusy && !wallpaper.isBusy
          && !redrawing.pending.contains { sync.keys?.contains($0) == true }
    }
    contentSyncs.removeAll { sync in ended.contains { $0.client == sync.client } }
    for sync in ended {
      do throws(EngineError) {
        let ticket = try engine.requestSync()
        waiting[ticket] = sync.client
        lastSyncs.insert(ticket)
      } catch {
        control.send(Reply(error), to: sync.client)
      }
    }
  }

  /// Has the declared wallpaper drawn for the outputs that need it.
  private mutating func paintWallpaper(now: Duration, _ ready: [Int32]) {
    wallpaper.update(now: now, ready: ready, on: engine.wallpaperTargets)
    if let source = wallpaper.takeSource() { engine.setWallpaper(source) }
  }

  /// A sync that waits until content is drawn.
  private struct ContentSync {
    let client: ClientID
    /// The drawings that were due at first; nil before they are known. Later changes are not awaited.
    var keys: [DrawingKey]?
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
    openerTime = now
  }

  /// Shows the panes if the display is open again.
  private mutating func resume(now: Duration) throws(DaemonError) {
    if let openerTime, openerTime <= now { startOpener(now: now) }
    guard let opener else { return }
    let outcome = opener.take()
    switch consume outcome {
    case .none: return
    case .some(.failed(let error)): throw error
    case .some(.opened(let opened)):
      engine.resume(on: opened.display)
      wallpaper.forgetDisplay()
      self.opener = nil
      announce("again serving")
    }
  }

  private mutating func startOpener(now: Duration) {
    do throws(ControlError) {
      opener = try DisplayOpener { [options, logger] in reopenDisplay(options, logger) }
      openerTime = nil
    } catch {
      logger.debug("\(error)")
      openerTime = now + Self.openerInterval
    }
  }

  // MARK: Requests

  /// Performs one request of each client, for an eighth of a frame interval. Clients whose requests have taken
  /// the least time are served first. So a client with a flood of requests delays neither frames nor signals,
  /// and other clients only by one request.
  private mutating func serve(_ ready: [(descriptor: Int32, events: Int16)]) {
    control.handle(ready)
    let start = now()
    var last = start
    for turn in control.takeTurns() {
      keeper.beginRequest()
      let incoming = control.nextRequest(of: turn)
      if let incoming { answer(incoming) }
      let time = now()
      keeper.endRequest(incoming?.request, now: time)
      if incoming == nil { continue }
      control.charge(turn, time - last)
      last = time
      if time - start >= engine.frameInterval / 8 { return }
    }
  }

  private mutating func answer(_ incoming: Incoming) {
    if case .quit = incoming.request { isQuitting = true }
    if let refusal = memoryRefusal(of: incoming.request) {
      return control.send(refusal, to: incoming.client)
    }
    let decorations = engine.costlyDecorations(of: engine.panes(after: incoming.request))
    if !preparations.start(decorations, for: incoming) { perform(incoming) }
  }

  /// The reply to a request for whose effect the process may not have the memory; nil if it may.
  private func memoryRefusal(of request: Request) -> Reply? {
    var byteCount = Self.requestMemory
    if case .snapshot = request {
      byteCount += 8 * engine.server.screen.bounds.area
    } else {
      let panes = engine.panes(after: request)
      if panes.isEmpty { return nil }
      byteCount += engine.byteCount(ofNew: panes)
    }
    if hasRoom(forBytes: byteCount) { return nil }
    return .failure(
      .unavailable,
      "backdropd may need \(byteCount >> 20) MiB more for this, which it cannot get; raise its limit (ulimit -v), or free memory"
    )
  }

  /// Performs the request whose decorations are complete. Those that waited for it may need others now.
  private mutating func performPrepared() {
    guard let (incoming, decorations, next) = preparations.takeComplete() else { return }
    engine.preparedDecorations = decorations
    perform(incoming)
    engine.preparedDecorations = []
    for incoming in next { answer(incoming) }
  }

  private mutating func perform(_ incoming: Incoming) {
    if incoming.request.replacesContents {
      let contents = engine.panes.flatMap(\.contents) + incoming.request.contents
      replacedContents.keep(contents, now: now())
    }
    do throws(EngineError) {
      let outcome = try perform(incoming.request)
      keeper.note(incoming.request, now: now()) { engine.panes }
      switch outcome {
      case .reply(let reply) where keeper.isSettled || !incoming.request.hasEffect:
        control.send(reply, to: incoming.client)
      case .reply(let reply): heldReplies.append((reply, incoming.client))
      case .later(let ticket): waiting[ticket] = incoming.client
      case .events(let kinds):
        control.subscribe(incoming.client)
        subscriptions.add(incoming.client, kinds)
      }
    } catch {
      // The log must not have the request or the error: they may contain labels and commands.
      logger.debug("refused a request '\(incoming.request.name)'")
      control.send(Reply(error), to: incoming.client)
    }
  }

  private mutating func perform(_ request: Request) throws(EngineError) -> Outcome {
    switch request {
    case .configure(let files, let settings, let panes, let isExact):
      let wanted = isExact ? panes : followedPanes(engine.panes, from: keeper.declared, to: panes)
      notifyServiceManager("RELOADING=1\nMONOTONIC_USEC=\(Int(now() / .microseconds(1)))")
      defer { notifyServiceManager("READY=1") }
      let actions = try engine.apply(wanted)
      follow(files, settings, panes)
      return .reply(.actions(actions))
    case .declared:
      let present = engine.panes.filter { $0.end == nil }.compactMap(\.kept?.declaration)
      return .reply(
        .declared(DeclaredPanes(present: present, configured: keeper.declared)))
    case .wallpaper:
      return .reply(wallpaper.report.map { .wallpaper($0) } ?? .done)
    case .paintWallpaper(let number, let pictures):
      wallpaper.take(pictures, number: number)
      return .reply(.done)
    case .subscribe(let kinds): return .events(kinds)
    case .status:
      var status = engine.status(now: now(), started: started)
      status.configuration = configuration.file
      status.configurationErrors = configuration.errors
      status.onBattery = power.wasOnBattery
      status.wallpaper = options.wallpaper?.text
      status.wallpaperError = wallpaper.error
      status.awaitingWallpaper = engine.awaitingWallpaper
      return .reply(.status(status))
    default: return try engine.perform(request, now: now())
    }
  }

  /// Follows a configuration, whose panes are there.
  private mutating func follow(
    _ files: [String], _ settings: DaemonSettings, _ panes: [Pane]
  ) {
    keeper.declare(panes)
    options.configured = settings
    engine.limitWork(
      framesPerSecond: options.framesPerSecond, threads: options.threads, cache: options.cache)
    engine.rotationFade = options.rotationFade
    engine.setOutputScales(options.outputScales)
    wallpaper.declare(options.wallpaper, now: now())
    limitShare(now: now())
    configuration.note(files, now: now())
  }

  /// Limits the share of a processor as the settings and the source of power demand.
  private mutating func limitShare(now: Duration) {
    power.look(now: now, isNeeded: options.dependsOnBattery)
    engine.processorShare = options.processorShare(isOnBattery: power.wasOnBattery == true)
  }

  private mutating func complete(_ completion: Completion) {
    guard let client = waiting.removeValue(forKey: completion.ticket) else { return }
    switch completion {
    case .synced(let ticket):
      let isLast = lastSyncs.remove(ticket) != nil
      if isLast
        || !engine.hasContentChange && redrawing.pending.isEmpty && !configuration.isBusy
          && !wallpaper.isBusy
      {
        control.send(.done, to: client)
      } else {
        contentSyncs.append(ContentSync(client: client))
      }
    case .picture(_, let picture): send(picture, to: client)
    case .windows(_, let states):
      control.send(.windows(states.map { WindowReport($0) }), to: client)
    case .failed(_, let error): control.send(Reply(error), to: client)
    }
  }

  private mutating func send(_ picture: Bitmap, to client: ClientID) {
    let size = 4 * picture.pixels.count
    let unread = control.unreadByteCount + pictures.byteCount
    if unread > 0, unread + size > Self.unreadLimit {
      let text = "other clients have not received \(unread) bytes of pictures yet"
      return control.send(.failure(.unavailable, "\(text); try again"), to: client)
    }
    pictures.send(picture, to: client, by: &control)
  }

  /// Sends what was prepared since the last iteration.
  private mutating func deliver() {
    pictures.deliver(by: &control)
    if heldReplies.isEmpty || !keeper.isSettled { return }
    for (reply, client) in heldReplies { control.send(reply, to: client) }
    heldReplies = []
  }
}
