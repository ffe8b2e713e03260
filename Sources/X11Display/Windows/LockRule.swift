import Engine

/// Whether a client holds the keyboard, so that no other one gets keys.
enum KeyboardState: CaseIterable {
  case unknown, free, held
}

/// The facts about a window over an output that decide whether it is a lock screen.
///
/// No pane is above an unmanaged window that covers an output, unless it is the wallpaper. Panes are hidden only where the
/// desktop is known to be hidden. The desktop is visible through a translucent window, such as an annotation, a selector or a
/// launcher. A window that takes no input cannot be a lock screen. A window that the user has named for glass behind it is no
/// lock screen either. Conditions that name no window, such as a type, are ignored here, because lock screens may fulfil them
/// too.
struct CoverFacts: Equatable {
  /// Whether it covers the output, or did so with its geometry before the output grew.
  var covers = true
  /// Whether a window manager manages it.
  var isManaged = false
  /// Whether it says that it is the desktop, or was found to be the wallpaper before.
  var isDesktop = false
  /// Whether it lies where a wallpaper does, although nothing has said that it is one. See `WindowStack.lowWindows`.
  var isLow = false
  /// Whether nothing below it is visible through it.
  var isOpaque = true
  /// Whether it takes the input of the whole output.
  var takesInput = true
  /// Whether the user has named it for glass behind it. See `WindowMatch.namesWindows`.
  var isNamed = false

  /// The meaning of a window for panes.
  enum Verdict {
    /// Panes are above or below it as its class says.
    case ordinary
    /// Panes are above it.
    case wallpaper
    /// Panes are below it, and shown.
    case inFront
    /// Panes are below it, and hidden.
    case lock
  }

  /// A wallpaper program leaves the keyboard alone, and a lock screen holds it.
  func verdict(_ keyboard: KeyboardState) -> Verdict {
    if isManaged || !covers { return .ordinary }
    if isDesktop || isLow && (!takesInput || keyboard == .free) { return .wallpaper }
    let mayLock = isOpaque && takesInput && !isNamed
    return mayLock && keyboard == .held ? .lock : .inFront
  }

  var dependsOnKeyboard: Bool { verdict(.held) != verdict(.free) }
}

/// The state of the whole screen, as far as it hides panes.
struct ScreenFacts: Equatable {
  /// Whether Xorg has its virtual terminal.
  var hasTerminal = true
  /// Whether the screen saver of the server is active, which also begins when the monitors are switched off.
  var isSaverActive = false
  /// Whether the window of that screen saver is shown.
  var isSaverShown = false
  /// Whether the server has monitors that it can make dark. Xvnc and Xvfb have none: their screen saver shows nothing.
  var hasMonitors = false

  /// Why the whole desktop is hidden; nil if it is not.
  var reason: LockReason? {
    if !hasTerminal { return .otherTerminal }
    if isSaverShown { return .screenSaver }
    return isSaverActive && hasMonitors ? .darkMonitors : nil
  }
}
