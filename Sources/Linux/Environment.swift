import Glibc

/// The environment of this process as `NAME=VALUE`, with other values of some variables. A variable whose new value is nil
/// is left out.
package func environment(changing changes: [String: String?]) -> [String] {
  var variables: [String] = []
  var next = unsafe environ
  while let text = unsafe next.pointee {
    unsafe variables.append(String(systemText: text))
    unsafe next += 1
  }
  variables.removeAll { variable in
    let name = variable.prefix { $0 != "=" }
    return changes.keys.contains { $0 == name }
  }
  return variables + changes.compactMap { name, value in value.map { "\(name)=\($0)" } }.sorted()
}
