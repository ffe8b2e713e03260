/// The sequence number of a request, modulo 2^32.
typealias RequestSequence = UInt32

/// Whether a sequence number is later than another one. Their distance must be less than 2^31.
func isLater(_ one: RequestSequence, than other: RequestSequence) -> Bool {
  Int32(bitPattern: one &- other) > 0
}
