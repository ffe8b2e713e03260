import Glibc

/// The atoms that this module uses.
struct Atoms: Sendable {
  let utf8String, netName, netWindowType, netWindowTypeDock, netProcess, opacity: UInt32
  /// The properties of the root window that contain the pixmap of the wallpaper.
  let wallpaperPixmaps: [UInt32]
  /// The property that xsetroot sets when it sets the background of the root.
  let solidWallpaper: UInt32
  /// The selection that a compositor owns.
  let compositor: UInt32
  /// The selection that backdropd owns, so that at most one runs on a display.
  let service: UInt32

  /// Waits for the server.
  init(_ x: borrowing XConnection) {
    let atoms = x.atoms([
      "UTF8_STRING", "_NET_WM_NAME", "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DOCK",
      "_NET_WM_PID", "_NET_WM_WINDOW_OPACITY", "_XROOTPMAP_ID", "ESETROOT_PMAP_ID",
      "_XSETROOT_ID", "_NET_WM_CM_S\(x.screen.number)", "_BACKDROPD_S\(x.screen.number)",
    ])
    utf8String = atoms[0]
    netName = atoms[1]
    netWindowType = atoms[2]
    netWindowTypeDock = atoms[3]
    netProcess = atoms[4]
    opacity = atoms[5]
    wallpaperPixmaps = [atoms[6], atoms[7]]
    solidWallpaper = atoms[8]
    compositor = atoms[9]
    service = atoms[10]
  }

  /// Whether a change of this property of the root means that the wallpaper changes.
  func isWallpaper(_ atom: UInt32) -> Bool {
    wallpaperPixmaps.contains(atom) || atom == solidWallpaper
  }
}

/// The process identifier, for `_NET_WM_PID`.
func processID() -> UInt32 { UInt32(bitPattern: getpid()) }
