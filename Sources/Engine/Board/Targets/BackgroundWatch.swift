import Frost
import Panes

/// What is known of the background of a window with glass over it. A value: the engine looks when it is due, and tells what it saw.
struct BackgroundWatch {
  /// The declared background.
  let choice: BackgroundChoice
  /// The window; nil if there is none.
  let window: WindowID?
  private(set) var state = State.unknown
  /// The time of the last look; nil before the first one, and until `advance` after it.
  private var lastLook: Duration?
  /// The number of pixels that have changed since the last look.
  private var changedArea = 0
  /// The number of looks that refused the background since it was accepted, or since the window changed.
  private var refusals = 0

  enum State: Equatable {
    /// The pixels of the window are awaited.
    case unknown
    case accepted(Background)
    case refused(Background)
  }

  init(_ choice: BackgroundChoice, of window: WindowID?) {
    (self.choice, self.window) = (choice, window)
  }

  /// The background that becomes glass; nil if there is none, or if it is not known.
  var background: Background? {
    if case .accepted(let background) = state { background } else { nil }
  }

  /// What the last look has seen; nil if it is not known.
  var seen: Background? {
    switch state {
    case .unknown: nil
    case .accepted(let background), .refused(let background): background
    }
  }

  var isRefused: Bool { if case .refused = state { true } else { false } }

  /// Records what a look has seen. Returns whether the state has changed.
  ///
  /// A background that was accepted stays until it is clearly gone, and another one takes its place only when most of the window
  /// has it: else the glass of a terminal would change with the colour of a selection.
  mutating func apply(_ sample: ColorSample) -> Bool {
    lastLook = nil
    changedArea = 0
    let new = next(sample)
    if case .refused = new { refusals += 1 } else { refusals = 0 }
    defer { state = new }
    return new != state
  }

  private func next(_ sample: ColorSample) -> State {
    if case .color(let color) = choice { return .accepted(sample.background(color)) }
    let seen = sample.mostFrequent
    if let background {
      let known = sample.background(background.color)
      if known.isStillEven, seen.near <= 0.5 || seen.color == known.color {
        return .accepted(known)
      }
    }
    return seen.isEven ? .accepted(seen) : .refused(seen)
  }

  // MARK: When to look again

  /// Records that pixels of the window have changed.
  mutating func recordChange(ofArea area: Int) { changedArea += area }

  /// Records that the window has another size or title: a viewer may show something else.
  mutating func recordChangeOfWindow() { refusals = 0 }

  private static let pause = Duration.seconds(1)
  /// A program that starts may have drawn nothing yet.
  private static let refusalLimit = 3

  /// The time of the next look at a window of so many pixels; nil if nothing has changed.
  func nextLook(area: Int) -> Duration? {
    guard let lastLook else { return nil }
    switch state {
    case .unknown: return nil
    case .accepted: return changedArea > area / 4 ? lastLook + Self.pause : nil
    case .refused:
      if refusals > Self.refusalLimit { return nil }
      return lastLook + Self.pause * (1 << max(0, refusals - 1))
    }
  }

  /// Records the time of the first call after a look.
  mutating func advance(now: Duration) { lastLook = lastLook ?? now }

  /// Lets a refused window be looked at again: its pixels are awaited.
  mutating func retry() { state = .unknown }
}

extension Background {
  /// Whether the accepted background of a window is still good enough.
  fileprivate var isStillEven: Bool { exact >= 0.1 && near >= 0.2 }
}
