/// What the harness itself could not do, in words for whoever reads the test's log.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
