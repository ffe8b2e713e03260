import FoundationEssentials
import Frost
import Panes

extension Request {
  /// Reads a request off a line, with or without its newline. Every line is a request or an error.
  ///
  /// The file that came with the line is taken, and read, when the request has pixels.
  package init(
    parsing line: some Sequence<UInt8>, taking file: () -> FileDescriptor? = { nil }
  ) throws(RequestError) {
    let fields: CheckedFields
    do {
      fields = try JSONDecoder().decode(CheckedFields.self, from: Data(line))
    } catch {
      throw RequestError(error)
    }
    self = try fields.fields.makeRequest(fields.verb, taking: file)
  }

  /// The request as a line of JSON, its newline included.
  ///
  /// A number that JSON cannot hold is written as a text, which the other side refuses.
  package var line: [UInt8] { jsonLine(RequestFields(self)) }
}

/// One line of JSON, and its newline, for a value whose encoding cannot fail.
func jsonLine(_ value: some Encodable) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
  encoder.nonConformingFloatEncodingStrategy = .convertToString(
    positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
  guard let data = try? encoder.encode(value) else {
    preconditionFailure("texts, numbers and flags can always be encoded")
  }
  return data + [UInt8(ascii: "\n")]
}

/// The object on the wire.
private struct RequestFields: Codable {
  var request: String
  var name: String?
  var geometry: String?
  var material: String?
  var sigma, saturation, brightness, contrast, noise: Double?
  var blend: [String]?
  var tint, corner, border, shadow, sees, input: String?
  var content: [ContentReport]?
  var fade: Double?
  var backdrop: Bool?

  typealias CodingKeys = Key
}

/// The same, once its keys are known to be those that its request has.
private struct CheckedFields: Decodable {
  let verb: Verb
  let fields: RequestFields

  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: AnyKey.self).allKeys
    let named = try decoder.container(keyedBy: Key.self)
    guard let request = try named.decodeIfPresent(String.self, forKey: .request) else {
      throw RequestError.missingKey(Key.request.rawValue)
    }
    guard let verb = Verb(rawValue: request) else { throw RequestError.unknownRequest(request) }
    let known = Set(([.request] + verb.keys).map(\.rawValue))
    // The least, so that the error is the same each time.
    if let key = keys.map(\.stringValue).filter({ !known.contains($0) }).min() {
      throw RequestError.unknownKey(key, request: request)
    }
    _ = try named.decodeIfPresent([CheckedContent].self, forKey: .content)
    self.verb = verb
    fields = try RequestFields(from: decoder)
  }
}

struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension RequestFields {
  func makeRequest(
    _ verb: Verb, taking file: () -> FileDescriptor?
  ) throws(RequestError) -> Request {
    switch verb {
    case .add: .add(name: try required(name, .name), try makeChange(taking: file), try makeFade())
    case .set: .set(name: try required(name, .name), try makeChange(taking: file), try makeFade())
    case .remove: .remove(name: try required(name, .name))
    case .show: .show(name: try required(name, .name), try makeFade())
    case .hide: .hide(name: try required(name, .name), try makeFade())
    case .toggle: .toggle(name: try required(name, .name), try makeFade())
    case .list: .list
    case .status: .status
    case .sync: .sync
    case .snapshot:
      .snapshot(name: try required(name, .name), isBackdrop: backdrop ?? false)
    case .quit: .quit
    }
  }

  private func required(_ value: String?, _ key: Key) throws(RequestError) -> String {
    guard let value else { throw .missingKey(key.rawValue) }
    return value
  }

  private func makeFade() throws(RequestError) -> Fade {
    do { return try Fade(milliseconds: fade ?? 0) } catch { throw .pane(error) }
  }

  private func makeChange(taking file: () -> FileDescriptor?) throws(RequestError) -> PaneChange {
    var change = try makeChangeWithoutContent()
    if let content { change.contents = try makeContents(content, taking: file) }
    return change
  }

  private func makeChangeWithoutContent() throws(RequestError) -> PaneChange {
    do throws(PaneError) {
      var change = PaneChange()
      if let geometry { change.geometry = try Geometry(parsing: geometry) }
      (change.sigma, change.saturation) = (sigma, saturation)
      (change.brightness, change.contrast) = (brightness, contrast)
      change.noise = noise
      if let material { change.material = try MaterialChoice(parsing: material) }
      if let blend {
        change.layers = try blend.map { text throws(PaneError) in try Layer(parsing: text) }
      }
      if let tint { change.tint = try Color(parsing: tint, as: "tint") }
      if let corner { change.corner = try Corner(parsing: corner) }
      if let border { change.border = try Border(parsing: border) }
      if let shadow { change.shadow = try Shadow(parsing: shadow) }
      if let sees { change.sees = try Sight(parsing: sees) }
      if let input { change.input = try InputMode(parsing: input) }
      try change.check()
      return change
    } catch {
      throw .pane(error)
    }
  }

  init(_ request: Request) {
    switch request {
    case .add(let name, let change, let fade):
      self.init(verb: .add, name: name, change, fade)
    case .set(let name, let change, let fade):
      self.init(verb: .set, name: name, change, fade)
    case .remove(let name): self.init(verb: .remove, name: name)
    case .show(let name, let fade): self.init(verb: .show, name: name, PaneChange(), fade)
    case .hide(let name, let fade): self.init(verb: .hide, name: name, PaneChange(), fade)
    case .toggle(let name, let fade): self.init(verb: .toggle, name: name, PaneChange(), fade)
    case .list: self.init(verb: .list)
    case .status: self.init(verb: .status)
    case .sync: self.init(verb: .sync)
    case .snapshot(let name, let isBackdrop):
      self.init(verb: .snapshot, name: name)
      backdrop = isBackdrop
    case .quit: self.init(verb: .quit)
    }
  }

  private init(
    verb: Verb, name: String? = nil, _ change: PaneChange = PaneChange(), _ fade: Fade = .none
  ) {
    request = verb.rawValue
    self.name = name
    geometry = change.geometry?.description
    (sigma, saturation) = (change.sigma, change.saturation)
    (brightness, contrast) = (change.brightness, change.contrast)
    noise = change.noise
    material = change.material?.text
    blend = change.layers?.map(\.text)
    tint = change.tint?.text
    corner = change.corner?.text
    border = change.border?.text
    shadow = change.shadow?.text
    sees = change.sees?.rawValue
    input = change.input?.rawValue
    content = change.contents?.map { ContentReport($0) }
    self.fade = fade == .none ? nil : fade.milliseconds
  }
}
