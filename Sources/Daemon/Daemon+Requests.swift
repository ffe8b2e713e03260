import Control
import Engine
import Glibc
import Linux
import Logging
import Panes
import Raster

// The requests of clients.
extension Daemon where Server: ~Copyable {
  /// The largest size of all pictures that clients have not received, in bytes.
  private static var unreadLimit: Int { 256 << 20 }
  /// The memory that a request may need besides pixels, in bytes.
  private static var requestMemory: Int { 4 << 20 }

  /// Performs one request of each client, for an eighth of a frame interval. Clients whose requests have taken
  /// the least time are served first. So a client with a flood of requests delays neither frames nor signals,
  /// and other clients only by one request.
  mutating func serve(_ ready: [(descriptor: Int32, events: Int16)]) {
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

  /// Performs the request whose decorations are complete. Requests that waited for it may need other decorations now.
  mutating func performPrepared() {
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
      keeper.saveIfNeeded(after: incoming.request, now: now()) { engine.panes }
      switch outcome {
      case .reply(let reply) where keeper.isSettled || !incoming.request.hasEffect:
        control.send(reply, to: incoming.client)
      case .reply(let reply): heldReplies.append((reply, incoming.client))
      case .later(let ticket): waiting[ticket] = incoming.client
      case .sync(let ticket): syncs.begin(incoming.client, ticket)
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
      wallpaper.apply(pictures, number: number)
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

  /// Follows a configuration whose panes are applied already.
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
    configuration.follow(files, now: now())
  }

  /// Limits the share of a processor as the settings and the source of power demand.
  mutating func limitShare(now: Duration) {
    power.look(now: now, isNeeded: options.dependsOnBattery)
    engine.processorShare = options.processorShare(isOnBattery: power.wasOnBattery == true)
  }

  /// Answers the client whose request the engine has completed.
  mutating func complete(_ completion: Completion) {
    let ticket = completion.ticket
    let client: ClientID?
    switch completion {
    case .synced: client = syncs.complete(ticket, isDrawn: isDrawn)
    case .failed: client = waiting.removeValue(forKey: ticket) ?? syncs.fail(ticket)
    case .picture, .windows: client = waiting.removeValue(forKey: ticket)
    }
    guard let client else { return }
    switch completion {
    case .synced: control.send(.done, to: client)
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
  mutating func deliver() {
    pictures.deliver(by: &control)
    if heldReplies.isEmpty || !keeper.isSettled { return }
    for (reply, client) in heldReplies { control.send(reply, to: client) }
    heldReplies = []
  }
}
