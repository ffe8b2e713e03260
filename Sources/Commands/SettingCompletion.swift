import ArgumentParser
import Panes

extension Setting {
  /// The completions of its value: materials, outputs, or the words that it takes.
  var completion: CompletionKind? {
    switch name {
    case "material": return .custom { _, _, _ in materialNames() }
    case "output":
      return .custom { words, _, _ in
        ["primary", "pointer", "all", "screen"]
          + ((try? DaemonOptions.completing(words)?.outputs()) ?? []).map(\.name)
      }
    case "anchor": return .list(Anchor.allCases.map(\.rawValue))
    case "type": return .list(WindowType.allCases.map(\.rawValue))
    default:
      // Words such as those of 'desktop|below-docks|normal|top'; others stand for values.
      let words = valueName.split(separator: "|").map(String.init)
      let isList = words.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } }
      return isList && words.count > 1 ? .list(words) : nil
    }
  }
}

/// The materials of backdropd and those of the configuration.
private func materialNames() -> [String] {
  let own = (try? userConfiguration()?.configuration.materials) ?? []
  return NamedMaterial.all.map(\.name) + own.map(\.name)
}
