import CXCB
import Engine

/// The error of a connection that is lost, or on which a reply is lost. Without memory, libxcb ends the connection or drops the
/// reply.
func loss(of display: String, _ raw: OpaquePointer) -> DisplayError {
  let code = unsafe xcb_connection_has_error(raw)
  return code == 0 || code == XCB_CONN_CLOSED_MEM_INSUFFICIENT
    ? .lost("there is no memory for what display \(display) has sent")
    : .lost("display \(display) has closed the connection")
}

/// The record of a lack of memory. A class, so that functions that read replies can set it without mutating the connection.
final class MemoryState {
  /// Whether the server had not enough memory for a request, or libxcb for a reply. Resources and replies since then may be
  /// wrong.
  var isLacking = false
}
