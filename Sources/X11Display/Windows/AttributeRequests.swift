/// The requests for the attributes of windows: those that are pending, and those that follow at the end of a batch
/// of events.
struct AttributeRequests {
  let opacityAtom: UInt32
  /// The windows whose attributes must be requested.
  private var outdated: Set<UInt32> = []
  /// The windows with a pending reply; true if their attributes changed since the request.
  private var pending: [UInt32: Bool] = [:]
  private var pendingOpacityCount = 0

  init(opacityAtom: UInt32) { self.opacityAtom = opacityAtom }

  /// Whether a reply is pending or a request follows.
  var isBusy: Bool { !(pending.isEmpty && outdated.isEmpty) || pendingOpacityCount > 0 }

  func isPending(_ window: UInt32) -> Bool { pending[window] != nil }

  /// Records that the attributes of a window must be requested, because they changed or are needed.
  mutating func markOutdated(_ window: UInt32) {
    if pending[window] != nil { pending[window] = true } else { outdated.insert(window) }
  }

  /// The windows whose attributes must be requested now.
  mutating func takeOutdated() -> Set<UInt32> {
    defer { outdated = [] }
    return outdated
  }

  mutating func request(_ x: inout XConnection, _ window: UInt32) {
    pending[window] = false
    x.requestAttributes(window, opacityAtom: opacityAtom)
  }

  mutating func requestOpacity(_ x: inout XConnection, _ window: UInt32) {
    x.requestOpacity(window, atom: opacityAtom)
    pendingOpacityCount += 1
  }

  /// Ends the request for the attributes of a window. If they changed since, they are requested again, unless
  /// the window no longer exists.
  mutating func endRequest(about window: UInt32, exists: Bool) {
    let isOutdated = pending.removeValue(forKey: window) == true
    if isOutdated, exists { outdated.insert(window) }
  }

  mutating func endOpacityRequest() { pendingOpacityCount -= 1 }
}
