import CConfig

// All calls of libconfig are in this file.

/// Parses the text of a configuration in the syntax of libconfig. `@include` is relative to the folder of the file.
///
/// - Parameter path: The file that has the text, for places and includes.
/// - Returns: The group of all settings. Throws one error, because the parser stops at the first one.
func parseConfiguration(
  _ text: [UInt8], path: String
) throws(ConfigurationErrors) -> ConfigurationValue {
  if let line = lineOfInvalidText(text) {
    throw ConfigurationErrors([
      ConfigurationError(FilePlace(path, line: line), "this line is not text in UTF-8")
    ])
  }
  var configuration = unsafe config_t()
  unsafe config_init(&configuration)
  defer { unsafe config_destroy(&configuration) }
  unsafe config_set_include_dir(&configuration, folder(of: path))
  let bytes = text.map { CChar(bitPattern: $0) } + [0]
  guard unsafe config_read_string(&configuration, bytes) == CONFIG_TRUE,
    let root = unsafe configRoot(&configuration)
  else { throw ConfigurationErrors([unsafe syntaxError(&configuration, text, path)]) }
  return unsafe value(of: root, in: path)
}

private func folder(of path: String) -> String {
  path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
}

/// The first line that is not UTF-8 or contains a zero; nil if there is none.
private func lineOfInvalidText(_ text: [UInt8]) -> Int? {
  let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  let index = lines.firstIndex { line in
    line.contains(0) || String(validating: line, as: UTF8.self) == nil
  }
  return index.map { $0 + 1 }
}

private func syntaxError(
  _ configuration: inout config_t, _ text: [UInt8], _ path: String
) -> ConfigurationError {
  let file = unsafe configErrorFile(&configuration).map { unsafe String(cString: $0) }
  let line = unsafe Int(configErrorLine(&configuration))
  let reason = unsafe configErrorText(&configuration).map { unsafe String(cString: $0) }
  // What is meant can be told only of the text that is here.
  let hint = file == nil ? syntaxHint(String(decoding: text, as: UTF8.self), line: line) : nil
  return ConfigurationError(
    FilePlace(file ?? path, line: line),
    (reason ?? "it cannot be read") + (hint.map { "; \($0)" } ?? ""))
}

private func value(
  of setting: UnsafeMutablePointer<config_setting_t>, in path: String
) -> ConfigurationValue {
  let file = unsafe settingFile(setting).map { unsafe String(cString: $0) } ?? path
  return unsafe ConfigurationValue(
    content: content(of: setting, in: path),
    place: FilePlace(file, line: Int(settingLine(setting))))
}

private func content(
  of setting: UnsafeMutablePointer<config_setting_t>, in path: String
) -> ConfigurationValue.Content {
  switch unsafe settingType(setting) {
  case CONFIG_TYPE_GROUP:
    return unsafe .group(
      elements(of: setting).map { element in
        let name = unsafe settingName(element).map { unsafe String(cString: $0) } ?? ""
        return (name, unsafe value(of: element, in: path))
      })
  case CONFIG_TYPE_LIST, CONFIG_TYPE_ARRAY:
    return unsafe .list(elements(of: setting).map { unsafe value(of: $0, in: path) })
  case CONFIG_TYPE_INT, CONFIG_TYPE_INT64:
    let number = unsafe config_setting_get_int64(setting)
    return .number(Double(number), "\(number)")
  case CONFIG_TYPE_FLOAT:
    let number = unsafe config_setting_get_float(setting)
    return .number(
      number, number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)")
  case CONFIG_TYPE_BOOL: return unsafe .flag(config_setting_get_bool(setting) != 0)
  default:
    return unsafe .text(config_setting_get_string(setting).map { unsafe String(cString: $0) } ?? "")
  }
}

private func elements(
  of setting: UnsafeMutablePointer<config_setting_t>
) -> [UnsafeMutablePointer<config_setting_t>] {
  let count = unsafe config_setting_length(setting)
  return unsafe (0..<count).compactMap { unsafe config_setting_get_elem(setting, UInt32($0)) }
}
