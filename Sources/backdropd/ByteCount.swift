import ArgumentParser

/// A number of bytes on the command line: `4096`, or with a unit of 1024 bytes and its powers: `64K`, `16M`, `1G`.
struct ByteCount: ExpressibleByArgument {
  let count: Int

  /// Returns nil if the text is not in this form, or if the number is larger than 1 TiB.
  init?(argument: String) {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = argument.last.flatMap { units[$0] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), number <= 1 << 40 / (unit ?? 1)
    else { return nil }
    count = number * (unit ?? 1)
  }
}
