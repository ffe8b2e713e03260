/// The kinds of events that `subscribe` reports.
package enum EventKind: String, CaseIterable, Codable, Sendable {
  case paneAdded = "pane-added"
  case paneRemoved = "pane-removed"
  /// The pane is wanted on the screen now; after `paneHidden` it is not.
  case paneShown = "pane-shown"
  case paneHidden = "pane-hidden"
  /// The place of a pane on an output, or the state of its drawer, has changed.
  case paneMoved = "pane-moved"
  /// The value of a setting of a pane has changed.
  case paneChanged = "pane-changed"
  case panesReordered = "panes-reordered"
  case outputAdded = "output-added"
  case outputChanged = "output-changed"
  case outputRemoved = "output-removed"
  case displayLost = "display-lost"
  case displayFound = "display-found"
  case locked
  case unlocked
  /// The daemon follows a configuration that was read again.
  case reload
  /// Something is wrong, or not any more: the configuration, or glass that a window hides.
  case error
  case errorEnded = "error-ended"
  /// The frame rates of the last second. When drawing stops, one report of zero follows, and then none until something is drawn.
  case rates
}

/// One event. In JSON it has the keys that belong to its kind.
package struct EventReport: Codable, Equatable, Sendable {
  /// The kind.
  package var event: EventKind
  /// The pane after the event, and before it if it was removed.
  package var pane: PaneReport?
  /// The output after the event, and before it if it was removed.
  package var output: OutputReport?
  /// The names of all panes, the lowest first.
  package var panes: [String]?
  /// The error, or the file of the configuration.
  package var text: String?
  /// The frame rates.
  package var rates: RateReport?

  /// An event with what belongs to its kind.
  package init(
    _ event: EventKind, pane: PaneReport? = nil, output: OutputReport? = nil,
    panes: [String]? = nil, text: String? = nil, rates: RateReport? = nil
  ) {
    self.event = event
    self.pane = pane
    self.output = output
    self.panes = panes
    self.text = text
    self.rates = rates
  }

  /// The event as a line of JSON, including its newline.
  package var line: [UInt8] { jsonLine(self) }
}

/// The work of a second or a little more, per second.
package struct RateReport: Codable, Equatable, Sendable {
  /// Frames of all panes, captures, and captured pixels.
  package var frames, captures, pixels: Double
  /// The frames of each pane that had some.
  package var panes: [String: Double]

  package init(frames: Double, captures: Double, pixels: Double, panes: [String: Double]) {
    self.frames = frames
    self.captures = captures
    self.pixels = pixels
    self.panes = panes
  }
}
