import CXCB
import Engine
import Glibc
import Raster

/// A request whose reply has not arrived.
struct PendingReply {
  let kind: Kind
  /// The sequence number of its last request.
  let sequence: RequestSequence

  /// The purpose of the request.
  enum Kind {
    /// Its reply shows that the server has executed all earlier requests.
    case marker(Marker)
    /// The requests of `requestAttributes`.
    case attributes(UInt32, AttributeRequests)
    case opacity(UInt32)
    /// The requests of `requestHints`.
    case hints(UInt32, HintRequests)
    case randr(RandRRequest)
    case screenSaver
    /// The position of the pointer.
    case pointer
    /// An attempt to grab the keyboard.
    case keyboardGrab
    /// A part of a capture.
    case image(ImageID)
    /// The value of a property of the root that contains the pixmap of the wallpaper.
    case wallpaperPixmap(atom: UInt32)
    case depth(pixmap: UInt32)
    case resources
    /// A property of the root with numbers.
    case rootNumbers(atom: UInt32)
    /// The settings of the desktop on a window.
    case settings(UInt32)
    /// A property of a window of another client, or of the root.
    case property(UInt32, atom: UInt32)
    /// The requests of `requestPlace`.
    case place(UInt32, geometry: RequestSequence)
    /// Unused identifiers of resources.
    case ids
    /// A grab of buttons or touches on a window of an overlay.
    case contactGrab
    /// The window with the keyboard, which an overlay will get at a time.
    case focus(OverlayID, time: UInt32)
    /// The meaning of a key that was pressed in a window.
    case keySymbol(UInt32)
  }

  /// The sequence numbers of the requests whose replies form a `WindowReply`.
  struct AttributeRequests {
    let geometry, attributes, extents, rectangles, input, opacity: RequestSequence
  }

  /// The sequence numbers of the requests whose replies form a `HintsReply`.
  struct HintRequests {
    let types, states, clientState, partialStrut, strut, children: RequestSequence
  }
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

/// Identifies a part of a capture: the capture, the index of its piece, and the first row in the
/// piece.
struct ImageID: Equatable {
  let capture: Int
  let piece: Int
  let row: Int
}

/// A reply of the server.
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
  case wallpaperPixmap(atom: UInt32, UInt32?)
  /// Nil if there is no such pixmap.
  case depth(pixmap: UInt32, UInt8?)
  /// The text of `RESOURCE_MANAGER`.
  case resources([UInt8])
  /// The numbers in a property of the root; none if it does not exist.
  case rootNumbers(atom: UInt32, [UInt32])
  /// The value of `_XSETTINGS_SETTINGS` of a window; empty if it has none or does not exist.
  case settings(UInt32, [UInt8])
  /// Nil if the window has no such property or does not exist.
  case property(UInt32, atom: UInt32, PropertyValue?)
  /// The rectangle of a window without its border on the screen; nil if it does not exist.
  case place(UInt32, Rect?)
  /// Identifiers that no resource has; none if the server did not say.
  case ids(start: UInt32, count: UInt32)
  case contactGrab
  /// The window with the keyboard.
  case focus(OverlayID, time: UInt32, current: UInt32)
  /// Nil if the server did not say.
  case keySymbol(UInt32, UInt32?)
}

/// The state of a window that events do not contain.
struct WindowReply: Equatable, Sendable {
  var geometry: WindowGeometry
  var isMapped: Bool
  var isOverrideRedirect: Bool
  var attributes: WindowAttributes
}

/// The properties of a window that determine its class and the space that it reserves, and its children. Empty if it no longer exists.
struct HintsReply: Equatable, Sendable {
  /// The atoms in `_NET_WM_WINDOW_TYPE` and `_NET_WM_STATE`.
  var types, states: [UInt32]
  /// The numbers in `_NET_WM_STRUT_PARTIAL` and `_NET_WM_STRUT`.
  var partialStrut, strut: [UInt32]
  /// Whether a window manager manages it.
  var isClient: Bool
  /// The window that it is in; 0 if it no longer exists.
  var parent: UInt32
  /// Its children, the lowest first.
  var children: [UInt32]
}

/// The start of the value of a property.
struct PropertyValue: Equatable, Sendable {
  /// The atom of its type.
  var type: UInt32 = 0
  /// The values of 32 bits, if the property has such.
  var words: [UInt32] = []
  /// The values of 8 bits, if the property has such.
  var bytes: [UInt8] = []
  /// Whether nothing follows.
  var isWhole = true
}

/// The attributes of a window that affect its pixels.
struct WindowAttributes: Equatable, Sendable {
  var depth: UInt8 = 24
  /// An input-only window shows nothing.
  var isInputOnly = false
  /// The bounding shape in the coordinates of the window; nil if it is rectangular.
  var shape: Region?
  /// The part that takes input, in the coordinates of the window; nil if all of it does.
  var inputShape: Region?
  /// `_NET_WM_WINDOW_OPACITY`, 0 to 0xffffffff.
  var opacity = UInt32.max
}

/// The reply with an image.
@safe enum ImageReply {
  /// The pixels are in the shared segment of the request.
  case shared(PixelFormat)
  /// The pixels came through the socket.
  case packed(PackedImage, PixelFormat)
}

/// An image that came through the socket.
@safe final class PackedImage {
  private let reply: UnsafeMutablePointer<xcb_get_image_reply_t>

  init(_ reply: UnsafeMutablePointer<xcb_get_image_reply_t>) { unsafe self.reply = reply }

  deinit { unsafe free(reply) }

  /// Copies `count` words to the start of `words`. Returns false and copies nothing if the image is
  /// smaller.
  func copy(to words: inout MutableSpan<UInt32>, count: Int) -> Bool {
    guard unsafe Int(xcb_get_image_data_length(reply)) >= 4 * count,
      let data = unsafe xcb_get_image_data(reply)
    else { return false }
    let source = UnsafeRawPointer(data)
    for i in 0..<count {
      words[i] = unsafe source.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self)
    }
    return true
  }
}
