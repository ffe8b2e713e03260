/// Repeats a check until it succeeds, for at most ten seconds: for what causes no event, such as what a server, a
/// compositor or a lock screen does some time later.
func soon(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(10)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    letPass(milliseconds: 1)
  }
  return false
}
