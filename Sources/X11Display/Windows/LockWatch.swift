import CXCB
import Engine
import Linux
import Raster

/// Finds the locked outputs by the rule of `CoverFacts`, and windows that are the wallpaper though nothing says so.
///
/// Whether the keyboard is held is asked only about windows for which it matters: when one appears, and when the server
/// reports that a grab has begun or ended. It tells this to the windows that lose and get the keyboard, and to the root.
/// A state machine: `update` returns the requests that must be sent.
struct LockWatch {
  /// The part of the screen in which panes must be hidden.
  private(set) var region = Region()
  private var screen: ScreenFacts
  private var saverWindow: UInt32 = 0
  private var keyboard = KeyboardState.unknown
  private var question = Question.none
  /// The windows whose verdicts depend on the keyboard.
  private var subjects: Set<UInt32> = []
  /// The time since which the keyboard is free, for each of these windows that may be the wallpaper.
  private var lowSince: [UInt32: Duration] = [:]
  /// The window that locks an output, with its class and its title as far as they are known.
  private var locker: (window: UInt32, names: [UInt32: String])?
  /// A window of the daemon that is never mapped.
  var unmapped: UInt32
  private let terminalAtom: UInt32

  private enum Question {
    case none, due, asked
    /// Something has changed since the request.
    case outdated
    /// The keyboard is known again since the last update.
    case answered
  }

  /// The findings of an update.
  struct Changes: Equatable {
    /// Whether the region is another one.
    var hasNewRegion: Bool
    /// The windows that are the wallpaper.
    var wallpapers: [UInt32]
    /// The requests to send, in this order.
    var requests: [Request]
  }

  /// A request to the server.
  enum Request: Equatable {
    /// Starts or ends the reports of grabs to the root.
    case followRoot(Bool)
    /// Starts or ends the reports of grabs to a window.
    case follow(UInt32, Bool)
    /// Asks whether the keyboard is held.
    case keyboard
    /// Asks for the class and the title of a window.
    case names(UInt32)
  }

  /// A lock screen may get the keyboard only some time after it was shown. For this time nothing counts as wallpaper
  /// because of its place alone.
  private static let patience = Duration.milliseconds(500)

  /// `hasMonitors` is whether the server can make monitors dark.
  init(terminalAtom: UInt32, unmapped: UInt32, hasMonitors: Bool) {
    self.terminalAtom = terminalAtom
    self.unmapped = unmapped
    screen = ScreenFacts(hasMonitors: hasMonitors)
  }

  var isAsking: Bool { question == .asked || question == .outdated }

  /// The time at which `update` must be called; nil if an event will tell.
  var deadline: Duration? {
    isAsking ? nil : lowSince.values.min().map { $0 + Self.patience }
  }

  /// Why panes are hidden in the region.
  var reason: LockReason? {
    if let reason = screen.reason { return reason }
    return locker.map { locker in
      let names = Self.nameAtoms.compactMap { locker.names[$0] }
      return .window(number: locker.window, name: names.first { !$0.isEmpty } ?? "")
    }
  }

  /// The properties with the class and the title of a window.
  fileprivate static var nameAtoms: [UInt32] {
    [XCB_ATOM_WM_CLASS.rawValue, XCB_ATOM_WM_NAME.rawValue]
  }

  // MARK: Events and replies

  mutating func apply(_ saver: ScreenSaverState) {
    screen.isSaverActive = saver.isActive
    if let window = saver.window { saverWindow = window }
  }

  /// Handles a change of a property of the root.
  func propertyChanged(_ x: inout XConnection, _ atom: UInt32) {
    if atom == terminalAtom { x.requestProperty(atom, of: x.root, upTo: 4) }
  }

  /// Records that a client has grabbed the keyboard, or released it.
  mutating func grabChanged() {
    if subjects.isEmpty { return }
    question = isAsking ? .outdated : .due
  }

  mutating func apply(isKeyboardHeld: Bool) {
    question = question == .outdated ? .due : .answered
    keyboard = isKeyboardHeld ? .held : .free
  }

  /// Applies the reply about whether Xorg has its virtual terminal, or about the class or the title of a window. Only the last of
  /// the words that zeros separate counts.
  mutating func apply(_ value: PropertyValue?, _ atom: UInt32, of window: UInt32) {
    if atom == terminalAtom { screen.hasTerminal = value?.words.first != 0 }
    guard locker?.window == window, let bytes = value?.bytes.prefix(256) else { return }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: "\0")
    let shown = (words.last ?? "").unicodeScalars.filter(\.isPrintable)
    locker?.names[atom] = String(String.UnicodeScalarView(shown))
  }

  // MARK: Decision

  /// Updates the region. `named` are the windows that the user has named for glass behind them.
  mutating func update(_ stack: WindowStack, named: Set<UInt32>, now: Duration) -> Changes {
    let covers = stack.covers(named: named)
    let doubtful = covers.filter(\.facts.dependsOnKeyboard)
    var requests = follow(Set(doubtful.map(\.window)), stack)
    var wallpapers = restingWindows(
      among: Set(doubtful.filter(\.facts.isLow).map(\.window)), now: now)
    wallpapers += covers.filter { !$0.facts.isDesktop && $0.facts.verdict(.unknown) == .wallpaper }
      .map(\.window)
    if isKeyboardDue(now: now) { requests.append(.keyboard) }
    let locking = covers.filter { $0.facts.verdict(keyboard) == .lock }
    if locking.first?.window != locker?.window {
      locker = locking.first.map { ($0.window, [:]) }
      if let locker { requests.append(.names(locker.window)) }
    }
    let saver = stack[saverWindow]
    screen.isSaverShown = screen.isSaverActive && saver?.role == .server && saver?.isMapped == true
    let old = region
    region = Region(screen.reason != nil ? stack.outputs : locking.map(\.output))
    return Changes(hasNewRegion: region != old, wallpapers: wallpapers, requests: requests)
  }

  /// Follows the grabs as long as they matter.
  private mutating func follow(_ new: Set<UInt32>, _ stack: WindowStack) -> [Request] {
    if new == subjects { return [] }
    let (removed, added) = (subjects.subtracting(new), new.subtracting(subjects))
    var requests: [Request] = []
    if subjects.isEmpty != new.isEmpty { requests.append(.followRoot(!new.isEmpty)) }
    requests += removed.filter { stack[$0] != nil }.sorted().map { .follow($0, false) }
    requests += added.sorted().map { .follow($0, true) }
    if subjects.isEmpty { keyboard = .unknown }
    subjects = new
    if !added.isEmpty { grabChanged() }
    return requests
  }

  /// Returns the windows in `low` for which the keyboard has been free long enough, so that they are the wallpaper.
  private mutating func restingWindows(among low: Set<UInt32>, now: Duration) -> [UInt32] {
    lowSince = lowSince.filter { low.contains($0.key) && keyboard == .free }
    guard question == .answered else { return [] }
    question = .none
    if keyboard != .free { return [] }
    for window in low where lowSince[window] == nil { lowSince[window] = now }
    let resting = lowSince.filter { now - $0.value >= Self.patience }.keys.sorted()
    for window in resting { lowSince[window] = nil }
    return resting
  }

  /// Whether the server must be asked now whether a client holds the keyboard.
  private mutating func isKeyboardDue(now: Duration) -> Bool {
    if let deadline, deadline <= now { question = .due }
    if question != .due { return false }
    question = .asked
    return true
  }
}

extension XConnection {
  mutating func send(_ request: LockWatch.Request, _ locks: LockWatch) {
    switch request {
    case .followRoot(let isOn): selectRootEvents(reportsFocus: isOn)
    case .follow(let window, let isOn):
      let properties = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
      selectEvents(window, isOn ? properties | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue : properties)
    case .keyboard: requestKeyboardGrab(for: locks.unmapped)
    case .names(let window):
      for atom in LockWatch.nameAtoms { requestProperty(atom, of: window, upTo: 256) }
    }
  }
}
