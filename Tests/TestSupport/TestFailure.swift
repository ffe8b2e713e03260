/// An error of the test support, as a sentence for the log of the tests.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
