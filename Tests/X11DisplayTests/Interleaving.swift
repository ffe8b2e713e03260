import TestDice

/// Lets a server execute requests of a search and change, and passes its replies on, each at any time and in the order of the
/// requests. Ends when nothing is left.
///
/// `change`, after a change of the server, and `apply` return what the search requests next.
func interleave<Request, Reply>(
  _ first: [Request], using dice: inout Dice, change: (inout Dice) -> [Request],
  reply: (Request) -> Reply, apply: (Reply) -> [Request]
) {
  var requests = first
  var replies: [Reply] = []
  func execute() { if !requests.isEmpty { replies.append(reply(requests.removeFirst())) } }
  func read() { if !replies.isEmpty { requests += apply(replies.removeFirst()) } }
  for _ in 0..<60 {
    switch dice.roll(0...6) {
    case 0: requests += change(&dice)
    case 1, 2, 3: execute()
    default: read()
    }
  }
  while !requests.isEmpty || !replies.isEmpty {
    execute()
    read()
  }
}
