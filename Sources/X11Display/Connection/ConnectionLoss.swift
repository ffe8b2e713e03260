import CXCB
import Engine

/// The error of a connection that is lost, or on which a reply is. libxcb ends it itself, or drops the reply, if it has no memory.
func loss(of display: String, _ raw: OpaquePointer) -> DisplayError {
  let code = unsafe xcb_connection_has_error(raw)
  return code == 0 || code == XCB_CONN_CLOSED_MEM_INSUFFICIENT
    ? .lost("there is no memory for what display \(display) has sent")
    : .lost("display \(display) has closed the connection")
}

/// A class, because what reads replies changes nothing else.
final class MemoryState {
  /// Whether the server had not enough memory for a request, or libxcb for a reply. Resources and replies since then may be
  /// wrong.
  var isLacking = false
}
