import CConfig
import Linux

// All calls of libconfig are in this file.

/// Parses the text of a configuration in the syntax of libconfig.
///
/// - Returns: The group of all settings. Throws one error, because the parser stops at the first one.
func parseConfiguration(
  _ source: ConfigurationSource
) throws(ConfigurationErrors) -> ConfigurationValue {
  var configuration = unsafe config_t()
  unsafe config_init(&configuration)
  defer { unsafe config_destroy(&configuration) }
  let bytes = source.text.map { CChar(bitPattern: $0) } + [0]
  guard unsafe config_read_string(&configuration, bytes) == CONFIG_TRUE,
    let root = unsafe configRoot(&configuration)
  else { throw ConfigurationErrors([unsafe syntaxError(&configuration, source)]) }
  if let unterminated = source.unterminated { throw ConfigurationErrors([unterminated]) }
  return unsafe value(of: root, in: source)
}

private func syntaxError(
  _ configuration: inout config_t, _ source: ConfigurationSource
) -> ConfigurationError {
  let line = unsafe Int(configErrorLine(&configuration))
  let reason = unsafe configErrorText(&configuration).map { unsafe String(cString: $0) }
  let hint = syntaxHint(String(decoding: source.text, as: UTF8.self), line: line)
  return ConfigurationError(
    source.place(ofLine: line),
    (reason ?? "it cannot be read") + (hint.map { "; \($0)" } ?? ""))
}

private func value(
  of setting: UnsafeMutablePointer<config_setting_t>, in source: ConfigurationSource
) -> ConfigurationValue {
  unsafe ConfigurationValue(
    content: content(of: setting, in: source),
    place: source.place(ofLine: Int(settingLine(setting))))
}

private func content(
  of setting: UnsafeMutablePointer<config_setting_t>, in source: ConfigurationSource
) -> ConfigurationValue.Content {
  switch unsafe settingType(setting) {
  case CONFIG_TYPE_GROUP:
    return unsafe .group(
      elements(of: setting).map { element in
        let name = unsafe settingName(element).map { unsafe String(cString: $0) } ?? ""
        return (name, unsafe value(of: element, in: source))
      })
  case CONFIG_TYPE_LIST, CONFIG_TYPE_ARRAY:
    return unsafe .list(elements(of: setting).map { unsafe value(of: $0, in: source) })
  case CONFIG_TYPE_INT, CONFIG_TYPE_INT64:
    let number = unsafe config_setting_get_int64(setting)
    return .number(Double(number), "\(number)")
  case CONFIG_TYPE_FLOAT:
    let number = unsafe config_setting_get_float(setting)
    return .number(
      number, number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)")
  case CONFIG_TYPE_BOOL: return unsafe .flag(config_setting_get_bool(setting) != 0)
  default:
    return unsafe .text(
      config_setting_get_string(setting).map { unsafe String(systemText: $0) } ?? "")
  }
}

private func elements(
  of setting: UnsafeMutablePointer<config_setting_t>
) -> [UnsafeMutablePointer<config_setting_t>] {
  let count = unsafe config_setting_length(setting)
  return unsafe (0..<count).compactMap { unsafe config_setting_get_elem(setting, UInt32($0)) }
}
