/// Repeats a check until it succeeds, for at most half a minute: for what causes no event, such as what a server, a
/// compositor or a lock screen does some time later. The limit only ends tests that fail; a busy machine needs seconds.
func soon(within limit: Duration = .seconds(30), _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    letPass(milliseconds: 1)
  }
  return false
}
