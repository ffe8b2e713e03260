import FoundationEssentials
package import Linux
import Panes

extension Request {
  /// Parses a line, with or without its newline. Throws a `RequestError` for every line that is not
  /// a request.
  ///
  /// - Parameter file: Returns the file that came with the line. Called if the request has content.
  package init(
    parsing line: some Sequence<UInt8>, taking file: () -> FileDescriptor? = { nil }
  ) throws(RequestError) {
    let object: RequestObject
    do {
      object = try JSONDecoder().decode(RequestObject.self, from: Data(line))
    } catch {
      throw RequestError(error)
    }
    self = try object.makeRequest(taking: file)
  }

  /// The request as a line of JSON, including its newline.
  package var line: [UInt8] { jsonLine(EncodableRequest(request: self)) }
}

// MARK: Decoding

/// The JSON object of a request.
private struct RequestObject: Decodable {
  let verb: Verb
  let name: String?
  let settings: DecodedSettings<CheckedContent>
  let fade: Double?
  let replacesOther: Bool
  let lifetime: Double?
  let isEphemeral: Bool
  let action: String?
  let isBackdrop: Bool
  let panes: [PaneObject<CheckedContent>]?
  let isRehearsal: Bool
  let files: [String]
  let kinds: [String]
  let isExact: Bool
  let daemon: [String: String]
  let isAll: Bool
  let number: Int
  let pictures: [WallpaperSize]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    guard let request = try container.decodeIfPresent(String.self, forKey: AnyKey(.request)) else {
      throw RequestError.missingKey(Key.request.rawValue)
    }
    guard let verb = Verb(rawValue: request) else { throw RequestError.unknownRequest(request) }
    try container.checkKeys([Key.request.rawValue] + verb.keys, of: request)
    self.verb = verb
    name = try container.decodeIfPresent(String.self, forKey: AnyKey(.name))
    fade = try container.decodeIfPresent(Double.self, forKey: AnyKey(.fade))
    replacesOther = try container.decodeIfPresent(Bool.self, forKey: AnyKey(.orSet)) ?? false
    lifetime = try container.decodeIfPresent(Double.self, forKey: AnyKey(.lifetime))
    isEphemeral = try container.decodeIfPresent(Bool.self, forKey: AnyKey(.ephemeral)) ?? false
    action = try container.decodeIfPresent(String.self, forKey: AnyKey(.action))
    isBackdrop = try container.decodeIfPresent(Bool.self, forKey: AnyKey(.backdrop)) ?? false
    isRehearsal = try container.decodeIfPresent(Bool.self, forKey: AnyKey(.dryRun)) ?? false
    isAll = try container.decodeIfPresent(Bool.self, forKey: AnyKey(.all)) ?? false
    isExact = try container.decodeIfPresent(Bool.self, forKey: AnyKey(.exact)) ?? false
    files = try container.decodeIfPresent([String].self, forKey: AnyKey(.files)) ?? []
    kinds = try container.decodeIfPresent([String].self, forKey: AnyKey(.kinds)) ?? []
    number = try container.decodeIfPresent(Int.self, forKey: AnyKey(.number)) ?? 0
    pictures =
      try container.decodeIfPresent([WallpaperSize].self, forKey: AnyKey(.pictures)) ?? []
    daemon =
      try container.decodeIfPresent([String: String].self, forKey: AnyKey(.daemon)) ?? [:]
    panes = try container.decodeIfPresent([PaneObject].self, forKey: AnyKey(.panes))
    settings = try container.decodeSettings()
  }

  func makeRequest(taking file: () -> FileDescriptor?) throws(RequestError) -> Request {
    switch verb {
    case .add:
      .add(
        name: try requiredName(), try makeChange(taking: file), try makeFade(),
        orSet: replacesOther,
        for: try makeLifetime(), isEphemeral: isEphemeral)
    case .set:
      .set(
        name: try requiredName(), try makeChange(taking: file), try makeFade(),
        isEphemeral: isEphemeral)
    case .remove: .remove(name: try requiredName())
    case .show: .show(name: try requiredName(), try makeFade())
    case .hide: .hide(name: try requiredName(), try makeFade())
    case .toggle: .toggle(name: try requiredName(), try makeFade())
    case .drawer: .drawer(name: try requiredName(), try requiredAction())
    case .apply: .apply(try makePanes(taking: file), isRehearsal: isRehearsal)
    case .configure:
      .configure(
        files: files, try makeDaemonSettings(), try makePanes(taking: file), isExact: isExact)
    case .declared: .declared
    case .drawings: .drawings(name: name, isAll: isAll)
    case .redraw: .redraw(name: try requiredName(), try requiredContents(taking: file))
    case .wallpaper: .wallpaper
    case .paintWallpaper:
      .paintWallpaper(number: number, try readWallpapers(pictures, taking: file))
    case .list: .list
    case .outputs: .outputs
    case .windows: .windows
    case .cache: .cache
    case .clearCache: .clearCache
    case .refresh: .refresh
    case .status: .status
    case .sync: .sync
    case .snapshot:
      .snapshot(
        name: try requiredName(), output: settings.change.settings.output?.text,
        isBackdrop: isBackdrop)
    case .subscribe: .subscribe(try makeKinds())
    case .quit: .quit
    }
  }

  private func makeKinds() throws(RequestError) -> [EventKind] {
    var made: [EventKind] = []
    for name in kinds {
      guard let kind = EventKind(rawValue: name) else {
        throw .unknownKey(name, of: Key.kinds.rawValue, known: EventKind.allCases.map(\.rawValue))
      }
      made.append(kind)
    }
    return made
  }

  private func makeDaemonSettings() throws(RequestError) -> DaemonSettings {
    var settings = DaemonSettings()
    for (name, text) in daemon.sorted(by: { $0.key < $1.key }) {
      guard let setting = DaemonSetting.all.first(where: { $0.name == name }) else {
        throw .unknownKey(name, of: Key.daemon.rawValue, known: DaemonSetting.all.map(\.name))
      }
      do { try setting.read(text, &settings) } catch { throw .pane(error) }
    }
    return settings
  }

  private func requiredName() throws(RequestError) -> String {
    guard let name else { throw .missingKey(Key.name.rawValue) }
    return name
  }

  private func requiredAction() throws(RequestError) -> DrawerAction {
    guard let action else { throw .missingKey(Key.action.rawValue) }
    do { return try DrawerAction(parsing: action) } catch { throw .pane(error) }
  }

  private func requiredContents(
    taking file: () -> FileDescriptor?
  ) throws(RequestError) -> [PaneContent] {
    guard let contents = settings.contents else { throw .missingKey(Key.content.rawValue) }
    return try readContents([(nil, contents.map(\.report))], taking: file)[0]
  }

  private func makeFade() throws(RequestError) -> Fade {
    do { return try Fade(milliseconds: fade ?? 0) } catch { throw .pane(error) }
  }

  private func makeLifetime() throws(RequestError) -> Lifetime? {
    guard let lifetime else { return nil }
    do { return try Lifetime(milliseconds: lifetime) } catch { throw .pane(error) }
  }

  private func makeChange(taking file: () -> FileDescriptor?) throws(RequestError) -> PaneChange {
    var change = settings.change
    if settings.contents != nil {
      change.settings.contents = try requiredContents(taking: file)
    }
    return change
  }

  /// Makes the panes of `apply`. The pictures of all panes are in one file, one after the other.
  private func makePanes(taking file: () -> FileDescriptor?) throws(RequestError) -> [Pane] {
    guard let panes else { throw .missingKey(Key.panes.rawValue) }
    let reports = panes.map { pane in
      (name: Optional(pane.name), reports: pane.settings.contents?.map(\.report) ?? [])
    }
    let contents = try readContents(reports, taking: file)
    var made: [Pane] = []
    for (pane, own) in zip(panes, contents) { made.append(try pane.makePane(own)) }
    return made
  }
}

// MARK: Encoding

private struct EncodableRequest: Encodable {
  let request: Request

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(request.verb.rawValue, forKey: AnyKey(.request))
    switch request {
    case .add(let name, let change, let fade, let replacesOther, let lifetime, let isEphemeral):
      try encode(name, fade, in: &container)
      try encode(change, in: &container)
      if replacesOther { try container.encode(true, forKey: AnyKey(.orSet)) }
      try container.encodeIfPresent(lifetime?.milliseconds, forKey: AnyKey(.lifetime))
      if isEphemeral { try container.encode(true, forKey: AnyKey(.ephemeral)) }
    case .set(let name, let change, let fade, let isEphemeral):
      try encode(name, fade, in: &container)
      try encode(change, in: &container)
      if isEphemeral { try container.encode(true, forKey: AnyKey(.ephemeral)) }
    case .show(let name, let fade), .hide(let name, let fade), .toggle(let name, let fade):
      try encode(name, fade, in: &container)
    case .remove(let name):
      try container.encode(name, forKey: AnyKey(.name))
    case .drawer(let name, let action):
      try container.encode(name, forKey: AnyKey(.name))
      try container.encode(action.rawValue, forKey: AnyKey(.action))
    case .apply(let panes, let isRehearsal):
      try container.encode(panes.map(EncodablePane.init), forKey: AnyKey(.panes))
      if isRehearsal { try container.encode(true, forKey: AnyKey(.dryRun)) }
    case .configure(let files, let settings, let panes, let isExact):
      if isExact { try container.encode(true, forKey: AnyKey(.exact)) }
      try container.encode(files, forKey: AnyKey(.files))
      let daemon = DaemonSetting.all.compactMap { setting in
        setting.write(settings).map { (setting.name, $0) }
      }
      try container.encode(Dictionary(daemon) { $1 }, forKey: AnyKey(.daemon))
      try container.encode(panes.map(EncodablePane.init), forKey: AnyKey(.panes))
    case .drawings(let name, let isAll):
      try container.encodeIfPresent(name, forKey: AnyKey(.name))
      if isAll { try container.encode(true, forKey: AnyKey(.all)) }
    case .redraw(let name, let contents):
      try container.encode(name, forKey: AnyKey(.name))
      try container.encode(
        contents.map { ContentReport($0) }, forKey: AnyKey(.content))
    case .snapshot(let name, let output, let isBackdrop):
      try container.encode(name, forKey: AnyKey(.name))
      try container.encodeIfPresent(output, forKey: AnyKey(.output))
      try container.encode(isBackdrop, forKey: AnyKey(.backdrop))
    case .subscribe(let kinds):
      try container.encode(kinds.map(\.rawValue), forKey: AnyKey(.kinds))
    case .paintWallpaper(let number, let pictures):
      try container.encode(number, forKey: AnyKey(.number))
      try container.encode(pictures.map(WallpaperSize.init), forKey: AnyKey(.pictures))
    case .wallpaper, .list, .declared, .outputs, .windows, .cache, .clearCache, .refresh, .status,
      .sync, .quit:
      break
    }
  }

  private func encode(
    _ name: String, _ fade: Fade, in container: inout KeyedEncodingContainer<AnyKey>
  ) throws {
    try container.encode(name, forKey: AnyKey(.name))
    if fade != .none { try container.encode(fade.milliseconds, forKey: AnyKey(.fade)) }
  }

  private func encode(
    _ change: PaneChange, in container: inout KeyedEncodingContainer<AnyKey>
  ) throws {
    try container.encode(change.settings)
    // A value counts more than a reset, as it does in `applied(to:)`; a key can say only one of them.
    let declared = Setting.all.filter { $0.write(change.settings) != nil }.map(\.name)
    for name in change.reset.subtracting(declared) {
      try container.encodeNil(forKey: AnyKey(name))
    }
  }
}

struct EncodablePane: Encodable {
  let pane: Pane

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(pane.name, forKey: AnyKey(.name))
    try container.encode(pane.settings)
    if !pane.isShown { try container.encode(false, forKey: AnyKey(.shown)) }
  }
}

extension Request {
  /// The value of its key `request`.
  package var name: String { verb.rawValue }

  var verb: Verb {
    switch self {
    case .add: .add
    case .set: .set
    case .remove: .remove
    case .show: .show
    case .hide: .hide
    case .toggle: .toggle
    case .drawer: .drawer
    case .apply: .apply
    case .configure: .configure
    case .declared: .declared
    case .drawings: .drawings
    case .redraw: .redraw
    case .wallpaper: .wallpaper
    case .paintWallpaper: .paintWallpaper
    case .list: .list
    case .outputs: .outputs
    case .windows: .windows
    case .cache: .cache
    case .clearCache: .clearCache
    case .refresh: .refresh
    case .status: .status
    case .sync: .sync
    case .snapshot: .snapshot
    case .subscribe: .subscribe
    case .quit: .quit
    }
  }
}
