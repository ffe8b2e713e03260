import Panes
import Raster

/// Finds the monitors of the screen (RandR 1.5), their names, orientations and transforms. This takes two rounds of requests,
/// because the first replies say what to ask next. A state machine: its functions return the requests that must be sent.
struct MonitorSearch {
  /// Whether the server has RandR 1.5.
  private let isPossible: Bool
  /// The monitors that show a part of the screen, as the last complete search found them.
  private(set) var monitors: [Monitor] = []
  /// The names of the outputs that show nothing, such as those without a cable.
  private(set) var inactiveNames: [String] = []
  private var round: Round?
  /// Whether the monitors changed during the search.
  private var isOutdated = false
  /// The names of atoms, which never change. A monitor whose name the server does not say has the number of its atom.
  private var names: [UInt32: String] = [:]

  /// The state of a search.
  private struct Round {
    var pendingCount = 0
    /// Whether the second round has begun.
    var isSecond = false
    var monitors: [MonitorReply] = []
    var outputs: [UInt32] = []
    var crtcs: [UInt32] = []
    var outputReplies: [UInt32: OutputReply] = [:]
    var orientations: [UInt32: Orientation] = [:]
    var scales: [UInt32: Double] = [:]
  }

  init(isPossible: Bool) { self.isPossible = isPossible }

  var isSearching: Bool { round != nil }

  /// Starts a search. If one is in progress, it is repeated when it has ended. Does nothing without RandR 1.5.
  mutating func start() -> [RandRRequest] {
    if !isPossible { return [] }
    if isSearching {
      isOutdated = true
      return []
    }
    isOutdated = false
    round = Round(pendingCount: 2)
    return [.monitors, .resources]
  }

  /// Applies a reply. Returns whether a search has ended, and the requests that follow.
  mutating func apply(_ reply: RandRReply) -> (hasEnded: Bool, requests: [RandRRequest]) {
    guard var round else { return (false, []) }
    round.pendingCount -= 1
    switch reply {
    case .monitors(let monitors): round.monitors = monitors
    case .resources(let outputs, let crtcs): (round.outputs, round.crtcs) = (outputs, crtcs)
    case .output(let output, let reply): round.outputReplies[output] = reply
    case .crtc(let crtc, let orientation): round.orientations[crtc] = orientation
    case .transform(let crtc, let scale): round.scales[crtc] = scale
    case .name(let atom, let name): names[atom] = name
    }
    var requests: [RandRRequest] = []
    if round.pendingCount == 0, !round.isSecond {
      requests = detailRequests(round)
      round.isSecond = true
      round.pendingCount = requests.count
    }
    self.round = round
    if round.pendingCount > 0 { return (false, requests) }
    finish(round)
    self.round = nil
    return (true, isOutdated ? start() : [])
  }

  /// The requests of the second round.
  private func detailRequests(_ round: Round) -> [RandRRequest] {
    let unknown = Set(round.monitors.map(\.name)).subtracting(names.keys)
    return unknown.sorted().map { .name($0) } + round.outputs.map { .output($0) }
      + round.crtcs.flatMap { [.crtc($0), .transform($0)] }
  }

  private mutating func finish(_ round: Round) {
    monitors = round.monitors.map { monitor in
      let crtc = monitor.outputs.lazy.compactMap { round.outputReplies[$0]?.crtc }.first
      return Monitor(
        name: names[monitor.name] ?? "\(monitor.name)", bounds: monitor.bounds,
        isPrimary: monitor.isPrimary,
        orientation: crtc.flatMap { round.orientations[$0] } ?? .normal,
        scale: crtc.flatMap { round.scales[$0] } ?? 1)
    }
    let shown = Set(monitors.map(\.name))
    inactiveNames = round.outputs.compactMap { round.outputReplies[$0] }
      .filter { $0.crtc == nil && !shown.contains($0.name) }.map(\.name)
  }
}

/// A monitor of RandR 1.5: usually an output, or a part of the screen that the user declared.
struct Monitor: Equatable, Sendable {
  var name: String
  /// In the coordinates of the screen.
  var bounds: Rect
  var isPrimary: Bool
  var orientation: Orientation
  /// The number of pixels of the screen per pixel of the monitor, by its transform: 2 after `xrandr --scale 2`.
  var scale = 1.0
}
