import Engine
import WaylandClient

/// Calls `body`, which uses a connection. Converts an error of the connection to an error of the display.
func withDisplayErrors<Result: ~Copyable>(
  _ body: () throws(WaylandError) -> Result
) throws(DisplayError) -> Result {
  do throws(WaylandError) {
    return try body()
  } catch {
    switch error {
    case .unreachable(let text): throw .unreachable(text)
    case .lost(let text): throw .lost(text)
    case .refused(let text): throw .lost("\(text); this is a bug of backdropd")
    case .outOfMemory(let text): throw .unsupported(text)
    }
  }
}
