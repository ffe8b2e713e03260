/// A request as `backdropctl` sends it for a frequent command line. Tests send it themselves, because to start a program
/// takes 25 ms, and they make thousands of them.
struct FrequentRequest {
  /// A line of JSON.
  let line: String

  /// Settings whose text is a number in JSON, and those whose text is the same there.
  private static let numbers = ["--sigma", "--saturation", "--noise"]
  private static let texts = [
    "--geometry", "--tint", "--corner", "--shadow", "--layer", "--style", "--scheme", "--sees",
  ]

  /// Nil if the command line is not one of these, or may be wrong.
  init?(_ arguments: [String]) {
    var members = ["\"request\":\"\(arguments.first ?? "")\""]
    if arguments == ["sync"] {
      line = "{\(members[0])}"
      return
    }
    guard arguments.count >= 2, ["add", "set", "show", "hide", "remove"].contains(arguments[0]),
      // Other names need escapes, or look like options.
      arguments[1].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
      arguments.count == 2 || ["add", "set"].contains(arguments[0]),
      let settings = Self.members(of: arguments.dropFirst(2))
    else { return nil }
    members += ["\"name\":\"\(arguments[1])\""] + settings
    line = "{\(members.joined(separator: ","))}"
  }

  /// The members of the object of JSON for options.
  private static func members(of options: ArraySlice<String>) -> [String]? {
    var (rest, members) = (options, [String]())
    while let option = rest.popFirst() {
      if option == "--plain" {
        members.append("\"style\":\"plain\"")
        continue
      }
      guard let value = rest.popFirst(), numbers.contains(option) || texts.contains(option),
        value != "auto", value.allSatisfy({ $0.isASCII && $0 != "\"" && $0 != "\\" })
      else { return nil }
      let isNumber = numbers.contains(option) && Double(value) != nil
      members.append("\"\(option.dropFirst(2))\":" + (isNumber ? value : "\"\(value)\""))
    }
    let names = members.map { $0.prefix { $0 != ":" } }
    return Set(names).count == names.count ? members : nil
  }
}
