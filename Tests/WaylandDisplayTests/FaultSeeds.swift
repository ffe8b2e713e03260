import Glibc

/// The seeds of a random test: those of `FAULT_SEEDS`, such as `1000-2999`, or the given ones.
func faultSeeds(or usual: Range<Int>) -> Range<Int> {
  let numbers = unsafe getenv("FAULT_SEEDS").map { unsafe String(cString: $0) }?
    .split(separator: "-").compactMap { Int($0) }
  guard let numbers, numbers.count == 2 else { return usual }
  return numbers[0]..<numbers[1] + 1
}
