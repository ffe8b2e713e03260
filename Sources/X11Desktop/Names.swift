import Glibc

/// The atoms that we use.
struct Names: Sendable {
  let utf8, netName, netType, netTypeDock, netProcess, opacity: UInt32
  /// Where programs that set a wallpaper leave its pixmap, or that they have changed it.
  let wallpapers: [UInt32]
  let solidWallpaper: UInt32
  /// The selection that a compositor owns.
  let compositor: UInt32
  /// The selection that we own, so that there is one of us on a display.
  let service: UInt32

  init(_ x: borrowing XConnection) {
    let atoms = x.atoms([
      "UTF8_STRING", "_NET_WM_NAME", "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DOCK",
      "_NET_WM_PID", "_NET_WM_WINDOW_OPACITY", "_XROOTPMAP_ID", "ESETROOT_PMAP_ID",
      "_XSETROOT_ID", "_NET_WM_CM_S\(x.screenNumber)", "_BACKDROPD_S\(x.screenNumber)",
    ])
    utf8 = atoms[0]
    netName = atoms[1]
    netType = atoms[2]
    netTypeDock = atoms[3]
    netProcess = atoms[4]
    opacity = atoms[5]
    wallpapers = [atoms[6], atoms[7]]
    solidWallpaper = atoms[8]
    compositor = atoms[9]
    service = atoms[10]
  }

  func isWallpaper(_ name: UInt32) -> Bool {
    wallpapers.contains(name) || name == solidWallpaper
  }
}

func processID() -> UInt32 { UInt32(bitPattern: getpid()) }
