import Raster

/// Recognises locked outputs: a window covers an output and is not managed by a window manager, or the screen
/// saver is active, which also begins when the monitors are switched off, or Xorg has lost its virtual terminal to another. A window that is translucent, or covers an output only nearly, counts if another client has
/// grabbed the keyboard or the pointer.
struct LockWatch {
  /// The part of the screen in which panes must be hidden.
  private(set) var region = Region()
  /// The time at which grabs are requested again; nil if they do not matter.
  private var nextRequest: Duration?
  private var isSaverActive = false
  private var hasTerminal = true
  private let terminalAtom: UInt32
  private var grabbed: Set<InputDevice> = []
  private var pendingCount = 0
  /// A window of the daemon that is never mapped.
  var unmapped: UInt32

  /// No event reports grabs. So they are requested at this interval while they matter.
  private static let interval = Duration.milliseconds(200)

  init(_ x: inout XConnection, _ atoms: Atoms, unmapped: UInt32) {
    self.unmapped = unmapped
    terminalAtom = atoms.hasTerminal
    x.requestScreenSaver()
    x.requestRootNumbers(atom: terminalAtom)
  }

  var isAsking: Bool { pendingCount > 0 }
  /// The time at which `update` must be called; nil if an event will tell.
  var deadline: Duration? { isAsking ? nil : nextRequest }

  mutating func take(isSaverActive: Bool) { self.isSaverActive = isSaverActive }

  /// Handles a change of a property of the root.
  func noteProperty(_ x: inout XConnection, _ atom: UInt32) {
    if atom == terminalAtom { x.requestRootNumbers(atom: atom) }
  }

  mutating func take(hasTerminal: Bool) { self.hasTerminal = hasTerminal }

  mutating func take(isTaken: Bool, _ device: InputDevice) {
    pendingCount -= 1
    if isTaken { grabbed.insert(device) } else { grabbed.remove(device) }
  }

  /// Updates the region. Returns whether it changed.
  mutating func update(_ x: inout XConnection, _ stack: WindowStack, now: Duration) -> Bool {
    let doubtful = stack.doubtfulOutputs
    if doubtful.isEmpty {
      grabbed = []
      nextRequest = nil
    } else if !isAsking, nextRequest.map({ $0 <= now }) ?? true {
      for device in InputDevice.allCases { x.requestGrab(of: device, for: unmapped) }
      pendingCount = InputDevice.allCases.count
      nextRequest = now + Self.interval
    }
    let outputs =
      isSaverActive || !hasTerminal
      ? stack.outputs : stack.lockedOutputs + (grabbed.isEmpty ? [] : doubtful)
    let old = region
    region = Region(outputs)
    return region != old
  }
}

extension WindowStack {
  /// The outputs that an opaque lock screen covers.
  var lockedOutputs: [Rect] {
    let lockers = windows.filter { $0.mayLock && $0.isOpaque(hasCompositor: hasCompositor) }
    return outputs.filter { output in
      lockers.contains {
        $0.covers(output) || $0.hasCovered && $0.geometry.outer.intersects(output)
      }
    }
  }

  /// The outputs that are not locked, but would be if input were grabbed: a translucent window covers them, or
  /// a window covers nine tenths of them.
  var doubtfulOutputs: [Rect] {
    let locked = lockedOutputs
    let windows = windows.filter(\.mayLock)
    return outputs.filter { output in
      !locked.contains(output)
        && windows.contains {
          10 * $0.geometry.outer.intersection(output).area >= 9 * output.area
            && 10 * $0.region.intersection(output).area >= 9 * output.area
        }
    }
  }
}

extension WindowStack.Window {
  /// Whether it is a shown window that no window manager manages and that does not belong to the desktop.
  fileprivate var mayLock: Bool {
    isShownClient && isUnmanaged && hints.kind != .desktop && !isBackground
  }
}
