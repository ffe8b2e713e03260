import CXCB

/// The requests for the properties of windows behind which panes may be. Each property of a window has at most one request
/// in progress; if it changes meanwhile, it is requested again, so a client that changes it all the time costs no more
/// than one request for each reply.
struct TargetRequests {
  /// The requests in progress; true if the value has changed since.
  private var pending: [Request: Bool] = [:]

  /// A request about a window.
  struct Request: Hashable {
    let window: UInt32
    let question: Question
  }

  enum Question: Hashable, Sendable {
    case property(UInt32)
    /// The place of the window on the screen.
    case geometry
  }

  var isBusy: Bool { !pending.isEmpty }

  mutating func ask(_ x: inout XConnection, _ question: Question, of window: UInt32) {
    let request = Request(window: window, question: question)
    if pending[request] != nil {
      pending[request] = true
      return
    }
    pending[request] = false
    send(&x, request)
  }

  private func send(_ x: inout XConnection, _ request: Request) {
    switch request.question {
    case .property(let atom):
      x.requestProperty(atom, of: request.window, upTo: Self.lengthLimit)
    case .geometry: x.requestPlace(of: request.window)
    }
  }

  /// The number of bytes that are read of a value. A client may set a value of any length.
  private static let lengthLimit = 1 << 14

  /// Ends a question with its reply. Returns false if the value has changed since; then it is asked again.
  mutating func endQuestion(
    _ x: inout XConnection, _ question: Question, of window: UInt32
  ) -> Bool {
    let request = Request(window: window, question: question)
    let isOutdated = pending[request] == true
    pending[request] = isOutdated ? false : nil
    if isOutdated { send(&x, request) }
    return !isOutdated
  }
}
