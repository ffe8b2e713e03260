import Glibc

/// The atoms that this module uses.
struct Atoms: Sendable {
  let utf8String, netName, netProcess, opacity: UInt32
  let hints: HintAtoms
  let targets: TargetAtoms
  /// The properties of the root window that contain the pixmap of the wallpaper.
  let wallpaperPixmaps: [UInt32]
  /// The property that xsetroot sets when it sets the background of the root.
  let solidWallpaper: UInt32
  /// The selection that a compositor owns.
  let compositor: UInt32
  /// The selection that backdropd owns, so that at most one runs on a display.
  let service: UInt32
  /// The selection that the program with the settings of the desktop owns, and the property with them.
  let settingsOwner, settings: UInt32
  /// The properties of the root with the work area of each desktop and the number of the current one (EWMH).
  let workAreas, currentDesktop: UInt32

  /// The property with which a window tells picom whether it has a shadow.
  let compositorShadow: UInt32

  /// The property of the root with the window with which the window manager says its name (EWMH).
  let windowManager: UInt32

  /// The property of the root that tells whether Xorg has its virtual terminal.
  let hasTerminal: UInt32

  /// Waits for the server.
  init(_ x: inout XConnection) {
    let atoms = x.atoms([
      "UTF8_STRING", "_NET_WM_NAME", "_NET_WM_PID", "_NET_WM_WINDOW_OPACITY", "_XROOTPMAP_ID",
      "ESETROOT_PMAP_ID", "_XSETROOT_ID", "_NET_WM_CM_S\(x.screen.number)",
      "_BACKDROPD_S\(x.screen.number)", "_XSETTINGS_S\(x.screen.number)", "_XSETTINGS_SETTINGS",
      "_NET_WORKAREA", "_NET_CURRENT_DESKTOP", "XFree86_has_VT", "_COMPTON_SHADOW",
      "_NET_SUPPORTING_WM_CHECK",
    ])
    utf8String = atoms[0]
    netName = atoms[1]
    netProcess = atoms[2]
    opacity = atoms[3]
    wallpaperPixmaps = [atoms[4], atoms[5]]
    solidWallpaper = atoms[6]
    compositor = atoms[7]
    service = atoms[8]
    settingsOwner = atoms[9]
    settings = atoms[10]
    workAreas = atoms[11]
    currentDesktop = atoms[12]
    hasTerminal = atoms[13]
    compositorShadow = atoms[14]
    windowManager = atoms[15]
    hints = HintAtoms(&x)
    targets = TargetAtoms(&x)
  }

  /// Whether a change of this property of the root means that the wallpaper changes.
  func isWallpaper(_ atom: UInt32) -> Bool {
    wallpaperPixmaps.contains(atom) || atom == solidWallpaper
  }
}

/// The atoms of the properties that determine the class of a window and the space that it reserves (EWMH).
struct HintAtoms: Sendable {
  /// The property with the types of a window, and that with its states.
  let windowType, state: UInt32
  /// The property that window managers set on the windows that they manage (ICCCM 4.1.3.1).
  let clientState: UInt32
  /// The properties with the space that a window reserves; the first one counts if it has both.
  let partialStrut, strut: UInt32
  let desktop, dock, fullscreen, above: UInt32
  /// The types of menus, tooltips, notifications and the like.
  let popups: [UInt32]

  /// Whether a change of this property may change the class of a window or the space that it reserves.
  func contains(_ atom: UInt32) -> Bool {
    [windowType, state, clientState, partialStrut, strut].contains(atom)
  }

  /// The meaning of the values of properties. The first known type counts.
  func hints(_ reply: HintsReply) -> WindowHints {
    let (types, states) = (reply.types, reply.states)
    let kinds = types.lazy.compactMap { type -> WindowHints.Kind? in
      if type == desktop { return .desktop }
      if type == dock { return .dock }
      return popups.contains(type) ? .popup : nil
    }
    return WindowHints(
      kind: kinds.first ?? .ordinary, isFullscreen: states.contains(fullscreen),
      isAbove: states.contains(above), strut: Strut(reply.partialStrut) ?? Strut(reply.strut))
  }
}

extension HintAtoms {
  /// Waits for the server.
  init(_ x: inout XConnection) {
    let popupNames = [
      "MENU", "DROPDOWN_MENU", "POPUP_MENU", "TOOLTIP", "NOTIFICATION", "COMBO", "DND",
    ]
    let atoms = x.atoms(
      [
        "_NET_WM_WINDOW_TYPE", "_NET_WM_STATE", "WM_STATE", "_NET_WM_WINDOW_TYPE_DESKTOP",
        "_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_STATE_FULLSCREEN", "_NET_WM_STATE_ABOVE",
        "_NET_WM_STRUT_PARTIAL", "_NET_WM_STRUT",
      ] + popupNames.map { "_NET_WM_WINDOW_TYPE_\($0)" })
    windowType = atoms[0]
    state = atoms[1]
    clientState = atoms[2]
    desktop = atoms[3]
    dock = atoms[4]
    fullscreen = atoms[5]
    above = atoms[6]
    partialStrut = atoms[7]
    strut = atoms[8]
    popups = Array(atoms[9...])
  }
}

/// The process identifier, for `_NET_WM_PID`.
func processID() -> UInt32 { UInt32(bitPattern: getpid()) }
