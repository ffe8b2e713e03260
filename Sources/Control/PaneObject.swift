import FoundationEssentials
package import Panes

/// A pane in a JSON list: an object with its name, its settings, and whether it is shown.
struct PaneObject<Content: Decodable>: Decodable {
  let name: String
  let isShown: Bool
  let settings: DecodedSettings<Content>

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    guard let name = try container.decodeIfPresent(String.self, forKey: AnyKey(.name)) else {
      throw RequestError.missingKey(Key.name.rawValue)
    }
    self.name = name
    do {
      let known = [Key.name.rawValue] + Setting.all.map(\.name) + [Key.shown.rawValue]
      try container.checkKeys(known, of: Key.panes.rawValue)
      isShown = try container.decodeIfPresent(Bool.self, forKey: AnyKey(.shown)) ?? true
      settings = try container.decodeSettings()
    } catch {
      throw RequestError(error).naming(name)
    }
  }

  /// The pane with its content. Throws `paneNamed`.
  func makePane(_ contents: [PaneContent]) throws(RequestError) -> Pane {
    var declared = settings.change.settings
    if settings.contents != nil { declared.contents = contents }
    do throws(PaneError) {
      return try Pane(name, declared, isShown: isShown)
    } catch {
      throw RequestError.pane(error).naming(name)
    }
  }
}

/// A pane without pixels, as it is saved: declarations of the configuration.
struct DeclaredState: Codable {
  let pane: Pane

  init(_ pane: Pane) { self.pane = pane }

  init(from decoder: any Decoder) throws {
    let object = try PaneObject<CheckedContent>(from: decoder)
    let contents = try (object.settings.contents ?? []).map { content in
      try content.report.contentWithoutPixels().declared
    }
    pane = try object.makePane(contents)
  }

  func encode(to encoder: any Encoder) throws { try EncodablePane(pane: pane).encode(to: encoder) }
}

extension DeclaredPane {
  /// Parses a JSON list of panes. Throws `notAList` or another `RequestError`.
  package static func parse(_ text: [UInt8]) throws(RequestError) -> [DeclaredPane] {
    let objects: [PaneObject<DeclaredContent>]
    do {
      objects = try JSONDecoder().decode([PaneObject<DeclaredContent>].self, from: Data(text))
    } catch {
      let error = RequestError(error)
      throw error == .notAnObject ? .notAList : error
    }
    var panes: [DeclaredPane] = []
    for object in objects {
      panes.append(DeclaredPane(try object.makePane([]), contents: object.settings.contents))
    }
    return panes
  }
}

extension DeclaredContent: Decodable {
  /// Throws a `RequestError` for an unknown key, or a `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    try container.checkContentKeys { kind in Self.attributeNames(ofLabel: kind == "label") }
    var attributes: [String: String] = [:]
    for name in Self.attributeNames(ofLabel: true) {
      attributes[name] = try container.decodeIfPresent(String.self, forKey: AnyKey(name))
    }
    self.init(
      image: try container.decodeIfPresent(String.self, forKey: AnyKey("image")),
      label: try container.decodeIfPresent(String.self, forKey: AnyKey("label")),
      attributes: attributes)
  }
}
