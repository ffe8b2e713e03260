import Configuration
import RandomPanes
import TestDice
import Testing

/// Any bytes are a configuration or named errors. A crash of libconfig or of the parser ends the test.
struct HostileConfigurationTests {
  @Test(arguments: 0..<30) func anyBytesAreAConfigurationOrErrors(seed: Int) {
    var dice = Dice(seed: seed)
    for round in 0..<40 {
      let bytes = HostileConfiguration.bytes(using: &dice)
      do {
        let read = try Configuration(parsing: bytes, path: "/c/backdropd.conf", home: "/h")
        // A configuration that was read is written and read again.
        let written = try Configuration(
          parsing: Array(read.text.utf8), path: "/c/backdropd.conf", home: "/h")
        #expect(written.panes.map(\.declared) == read.panes.map(\.declared), "\(seed), \(round)")
      } catch {
        #expect(!"\(error)".isEmpty, "\(seed), \(round)")
      }
    }
  }
}
