import Panes

/// The atoms of the properties of windows that panes behind them need.
struct TargetAtoms: Sendable {
  /// The property with the region in which a client asks for blur. On the root it tells clients that such requests are fulfilled.
  let blurRegion: UInt32
  /// The shadow that a client draws itself: left, right, top and bottom.
  let clientShadow: UInt32
  /// The visible part of the frame of a window manager around the client, in the same order.
  let frameExtents: UInt32
  let netName, role: UInt32
  /// `_NET_WM_WINDOW_TYPE`, and the atoms of its values.
  let windowType: UInt32
  let types: [UInt32: WindowType]
  /// The types of texts.
  private let utf8String, compoundText: UInt32

  /// Waits for the server.
  init(_ x: inout XConnection) {
    let names = WindowType.allCases.map {
      "_NET_WM_WINDOW_TYPE_" + $0.rawValue.uppercased().split(separator: "-").joined(separator: "_")
    }
    let atoms = x.atoms(
      [
        "_KDE_NET_WM_BLUR_BEHIND_REGION", "_GTK_FRAME_EXTENTS", "_NET_WM_NAME", "WM_WINDOW_ROLE",
        "_NET_WM_WINDOW_TYPE", "_NET_FRAME_EXTENTS", "UTF8_STRING", "COMPOUND_TEXT",
      ] + names)
    blurRegion = atoms[0]
    clientShadow = atoms[1]
    netName = atoms[2]
    role = atoms[3]
    windowType = atoms[4]
    frameExtents = atoms[5]
    utf8String = atoms[6]
    compoundText = atoms[7]
    types = Dictionary(zip(atoms[8...], WindowType.allCases)) { first, _ in first }
  }

  /// How the texts of a property of this type are encoded.
  func encoding(of type: UInt32) -> TextEncoding {
    switch type {
    case utf8String: .utf8
    case compoundText: .compound
    default: .string
    }
  }
}
