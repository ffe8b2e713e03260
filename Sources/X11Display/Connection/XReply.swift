import CXCB
import Engine
import Raster

/// A reply of the server. The function that sends the request also says how it is decoded: see `XConnection.expect`.
enum XReply {
  case marker(Marker)
  /// Nil if the window no longer exists.
  case attributes(UInt32, WindowReply?)
  /// Nil if the window has no such property or no longer exists.
  case opacity(UInt32, UInt32?)
  case hints(UInt32, HintsReply)
  case randr(RandRReply)
  case screenSaver(ScreenSaverState)
  /// The position of the pointer; the origin if the server did not say.
  case pointer(x: Int, y: Int)
  /// Whether another client has grabbed the keyboard.
  case keyboardGrab(isTaken: Bool)
  /// Nil if the pixels could not be read.
  case image(ImageID, ImageReply?)
  /// Nil if the pixels could not be read, or have no alpha.
  case alphaCounts(AlphaReading, AlphaCounts?)
  /// Nil if there is no such pixmap.
  case depth(pixmap: UInt32, UInt8?)
  /// Nil if the window has no such property or does not exist.
  case property(UInt32, atom: UInt32, PropertyValue?)
  /// Nil if the window does not exist.
  case place(UInt32, WindowPlace?)
  /// Identifiers that no resource has; none if the server did not say.
  case ids(start: UInt32, count: UInt32)
  case contactGrab
  /// The window with the keyboard.
  case focus(OverlayID, time: UInt32, current: UInt32)
  /// Nil if the server did not say.
  case keySymbol(UInt32, UInt32?)
}

/// The purpose of a marker.
enum Marker: Equatable {
  case answer(AnswerID)
  case redirectTest
  case pacing
  case memoryTest
}

/// The state of the screen saver of the server.
struct ScreenSaverState: Equatable {
  var isActive: Bool
  /// The window that it shows while it is active, if it shows one; nil if the server did not say.
  var window: UInt32?
}

/// Whether a state of the screen saver means that it hides the screen.
func isSaverActive(_ state: UInt8) -> Bool {
  state == UInt8(XCB_SCREENSAVER_STATE_ON.rawValue)
    || state == UInt8(XCB_SCREENSAVER_STATE_CYCLE.rawValue)
}
