import Glibc
import TestSupport

extension DisplayServer {
  var hasSocket: Bool { unsafe access(controlSocket, F_OK) == 0 }
}

/// The integer after a key in a report.
func number(_ key: String, in json: String) -> Int? {
  guard let start = json.firstRange(of: "\"\(key)\"")?.upperBound else { return nil }
  return Int(json[start...].drop { " :".contains($0) }.prefix { $0.isNumber })
}

/// The reply to a request that succeeded.
let done = #"{"reply":"done"}"#
