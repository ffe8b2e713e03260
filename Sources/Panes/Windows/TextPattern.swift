import CPCRE

/// A regular expression of PCRE2 (pcre2pattern(3)) that is searched for in a text. It matches characters, whatever the locale is;
/// a dot matches any character, and `$` only the end of the text.
///
/// A search needs a bounded number of steps and a bounded amount of memory, because each program chooses the titles of its windows.
@safe package final class TextPattern: Sendable {
  /// The expression as it was written.
  package let text: String
  /// PCRE2 does not change it, so several threads can use it at once.
  nonisolated(unsafe) private let compiled: OpaquePointer

  /// The longest expression, in bytes. PCRE2 compiles it to at most 64 KiB.
  package static let lengthLimit = 256
  /// Only this many bytes of a text are searched.
  package static let searchedLength = 1024
  /// The steps of a search before it gives up, which takes at most some milliseconds.
  private static let stepLimit = 10_000
  /// The memory of a search in KiB.
  private static let memoryLimit: UInt32 = 1024
  /// The largest number of brackets in each other.
  private static let nestingLimit: UInt32 = 32

  /// Throws `unreadable` with the reason and the place if the text is no expression.
  package init(parsing text: String, setting: String) throws(PaneError) {
    guard (1...Self.lengthLimit).contains(text.utf8.count), !text.utf8.contains(0) else {
      throw .unreadable(
        setting: setting, text: text,
        expected: "a regular expression of 1 to \(Self.lengthLimit) bytes")
    }
    self.text = text
    do throws(CompileError) {
      // The last property: an error after it has a value would run `deinit`.
      unsafe compiled = try unsafe compile(text, nestingLimit: Self.nestingLimit)
    } catch {
      throw .unreadable(
        setting: setting, text: text,
        expected: "a regular expression (character \(error.place + 1): \(error.reason))")
    }
  }

  deinit { unsafe pcre2_code_free_8(compiled) }

  /// The result of a search.
  package enum Finding: Sendable {
    case found, absent
    /// The search needs too many steps or too much memory.
    case tooCostly
  }

  /// Searches for the expression in the first `searchedLength` bytes of a text.
  package func search(_ text: String) -> Finding {
    guard let context = unsafe pcre2_match_context_create_8(nil) else { return .tooCostly }
    defer { unsafe pcre2_match_context_free_8(context) }
    guard let result = unsafe pcre2_match_data_create_8(1, nil) else { return .tooCostly }
    defer { unsafe pcre2_match_data_free_8(result) }
    unsafe pcre2_set_match_limit_8(context, UInt32(Self.stepLimit))
    unsafe pcre2_set_heap_limit_8(context, Self.memoryLimit)
    var budget = SearchBudget(steps: Self.stepLimit)
    let code = unsafe withUnsafeMutablePointer(to: &budget) { budget in
      unsafe pcre2_set_callout_8(context, countSteps, budget)
      let bytes = Array(Self.searchedPart(of: text).utf8)
      return unsafe bytes.withUnsafeBufferPointer {
        unsafe pcre2_match_8(compiled, $0.baseAddress, $0.count, 0, 0, result, context)
      }
    }
    // A positive result counts groups; 0 means that there is no room for all of them.
    return code >= 0 ? .found : code == PCRE2_ERROR_NOMATCH ? .absent : .tooCostly
  }

  /// Whether a search finds the expression in a text.
  package func isFound(in text: String) -> Bool { search(text) == .found }

  /// The beginning of a text that is searched.
  static func searchedPart(of text: String) -> Substring {
    if text.utf8.count <= searchedLength { return text[...] }
    var end = text.utf8.index(text.startIndex, offsetBy: searchedLength)
    while UTF8.isContinuation(text.utf8[end]) { end = text.utf8.index(before: end) }
    return text[..<end]
  }
}

extension TextPattern: Equatable {
  package static func == (one: TextPattern, other: TextPattern) -> Bool { one.text == other.text }
}

/// The reason why a text is no expression, and the number of characters before the place.
private struct CompileError: Error {
  let reason: String
  let place: Int
}

/// Compiles an expression. The caller frees the result. `PCRE2_AUTO_CALLOUT` makes each search call `countSteps` before it tries a
/// part of the expression.
private func compile(_ text: String, nestingLimit: UInt32) throws(CompileError) -> OpaquePointer {
  guard let context = unsafe pcre2_compile_context_create_8(nil) else {
    throw CompileError(reason: "there is no memory for it", place: 0)
  }
  defer { unsafe pcre2_compile_context_free_8(context) }
  unsafe pcre2_set_parens_nest_limit_8(context, nestingLimit)
  let options =
    PCRE2_UTF | PCRE2_UCP | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C
    | PCRE2_AUTO_CALLOUT
  let bytes = Array(text.utf8)
  var (error, offset): (Int32, Int) = (0, 0)
  let code = unsafe bytes.withUnsafeBufferPointer {
    unsafe pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, context)
  }
  if let code = unsafe code { return unsafe code }
  let before = String(decoding: bytes.prefix(offset), as: UTF8.self)
  throw CompileError(reason: message(of: error), place: before.unicodeScalars.count)
}

private func message(of error: Int32) -> String {
  var bytes = [UInt8](repeating: 0, count: 256)
  _ = unsafe pcre2_get_error_message_8(error, &bytes, bytes.count)
  return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

/// The remaining work of a search.
private struct SearchBudget {
  var steps: Int
  /// The byte of the text at which it was last.
  var place = 0

  /// The number of characters that it may pass in one step.
  private static let stride = 32

  /// Subtracts the steps that trying a part of the expression at a place of the text needs. Returns false if too few steps are
  /// left.
  mutating func take(to place: Int) -> Bool {
    steps -= 1 + abs(place - self.place) / Self.stride
    self.place = place
    return steps >= 0
  }
}

/// Ends a search whose budget is used up.
@c private func countSteps(
  _ part: UnsafeMutablePointer<pcre2_callout_block_8>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  guard let part = unsafe part,
    let budget = unsafe data?.assumingMemoryBound(to: SearchBudget.self)
  else { return 0 }
  let place = unsafe part.pointee.current_position
  return unsafe budget.pointee.take(to: place) ? 0 : PCRE2_ERROR_CALLOUT
}
