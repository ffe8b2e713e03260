import Glibc

/// The `errno` of a failed system call.
package struct SystemError: Error, CustomStringConvertible {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  package var description: String { errorText(code) }
}

/// The text of the system for an `errno`.
package func errorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
