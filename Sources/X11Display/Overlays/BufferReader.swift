/// The request with which the server reads a buffer. Until the server has finished it, nothing may be drawn there.
struct BufferReader {
  /// The last request that reads the buffer; nil if none is in progress.
  private var request: RequestSequence?

  var isReading: Bool { request != nil }

  /// Records that a request was sent.
  mutating func begin(_ request: RequestSequence) { self.request = request }

  /// Records that the server sent an item after it had started the request `processed`: it executes requests in order, so it
  /// has finished all earlier ones.
  mutating func recordProgress(to processed: RequestSequence) {
    if let request, isLater(processed, than: request) { self.request = nil }
  }

  /// Records that the server has read the buffer of a request, and so those of all earlier ones.
  mutating func recordCompletion(of completed: RequestSequence) {
    if let request, !isLater(request, than: completed) { self.request = nil }
  }
}
