import FoundationEssentials
import Linux
package import Panes

/// A reply of the daemon. On the socket it is a line of JSON.
package enum Reply: Equatable, Sendable {
  /// The request was performed.
  case done
  /// The reply to `list`.
  case panes([PaneReport])
  /// The reply to `declared`.
  case declared(DeclaredPanes)
  /// The reply to `drawings`.
  case drawings([DrawingReport])
  /// The reply to `wallpaper`.
  case wallpaper(WallpaperReport)
  /// The reply to `outputs`.
  case outputs([OutputReport])
  /// The reply to `windows`.
  case windows([WindowReport])
  /// The reply to `cache`.
  case cache([CacheEntryReport])
  /// The reply to `status`.
  case status(StatusReport)
  /// The reply to `apply` and `configure`: the performed or planned action for each pane.
  case actions([ActionReport])
  /// The reply to `snapshot`. The pixels are in the attached file (see
  /// `FileDescriptor.makePixelFile`).
  case picture(PictureReport)
  /// Follows the reply to `subscribe`, again and again.
  case event(EventReport)
  /// The request failed; the text is one line that names the error and the correction.
  case failure(FailureKind, String)
}

/// Panes without the pictures of their content.
package struct DeclaredPanes: Equatable, Sendable {
  /// The panes that are kept, the lowest first.
  package var present: [Pane]
  /// The panes that the configuration declares.
  package var configured: [Pane]

  package init(present: [Pane], configured: [Pane]) {
    self.present = present
    self.configured = configured
  }
}

/// The cause of a failure. It determines the exit status of the command line (see sysexits.h).
package enum FailureKind: String, CaseIterable, Codable, Sendable {
  /// The request is wrong.
  case usage
  /// The contents of an input file are wrong.
  case data
  /// An input file does not exist, or cannot be opened.
  case noInput
  /// The daemon or the display server cannot perform it.
  case unavailable
  /// A bug in the program.
  case `internal`
  /// An output cannot be created.
  case cannotCreate
  /// The environment is wrong.
  case configuration

  /// The exit status, as in sysexits.h.
  package var exitStatus: Int32 {
    switch self {
    case .usage: 64
    case .data: 65
    case .noInput: 66
    case .unavailable: 69
    case .internal: 70
    case .cannotCreate: 73
    case .configuration: 78
    }
  }
}

extension Reply {
  /// Parses a line, with or without its newline. Throws `unreadableReply`.
  package init(parsing line: some Sequence<UInt8>) throws(ControlError) {
    guard let object = try? JSONDecoder().decode(ReplyObject.self, from: Data(line)),
      let reply = object.makeReply()
    else { throw .unreadableReply }
    self = reply
  }

  /// The reply as a line of JSON, including its newline.
  package var line: [UInt8] {
    if case .done = self { return Self.doneLine }
    return jsonLine(ReplyObject(self))
  }

  /// The reply to most requests is encoded only once.
  private static let doneLine = jsonLine(ReplyObject(.done))
}

/// The JSON object of a reply: its kind, and the values of this kind.
private struct ReplyObject: Codable {
  enum Kind: String, Codable {
    case done, panes, declared, drawings, wallpaper, outputs, windows, cache, status, actions,
      picture,
      event, failure
  }

  var reply: Kind
  var panes: [PaneReport]?
  var declared, configured: [DeclaredState]?
  var drawings: [DrawingReport]?
  var wallpaper: WallpaperReport?
  var outputs: [OutputReport]?
  var windows: [WindowReport]?
  var cache: [CacheEntryReport]?
  var status: StatusReport?
  var actions: [ActionReport]?
  var picture: PictureReport?
  var event: EventReport?
  var failure: FailureKind?
  var text: String?

  init(_ reply: Reply) {
    switch reply {
    case .done:
      self.reply = .done
    case .panes(let panes):
      self.reply = .panes
      self.panes = panes
    case .declared(let panes):
      self.reply = .declared
      declared = panes.present.map(DeclaredState.init)
      configured = panes.configured.map(DeclaredState.init)
    case .drawings(let drawings):
      self.reply = .drawings
      self.drawings = drawings
    case .wallpaper(let wallpaper):
      self.reply = .wallpaper
      self.wallpaper = wallpaper
    case .outputs(let outputs):
      self.reply = .outputs
      self.outputs = outputs
    case .windows(let windows):
      self.reply = .windows
      self.windows = windows
    case .cache(let entries):
      self.reply = .cache
      cache = entries
    case .status(let status):
      self.reply = .status
      self.status = status
    case .actions(let actions):
      self.reply = .actions
      self.actions = actions
    case .picture(let picture):
      self.reply = .picture
      self.picture = picture
    case .event(let event):
      self.reply = .event
      self.event = event
    case .failure(let kind, let text):
      self.reply = .failure
      failure = kind
      self.text = text
    }
  }

  func makeReply() -> Reply? {
    switch reply {
    case .done: .done
    case .panes: panes.map { .panes($0) }
    case .declared:
      declared.map {
        .declared(
          DeclaredPanes(present: $0.map(\.pane), configured: configured?.map(\.pane) ?? []))
      }
    case .drawings: drawings.map { .drawings($0) }
    case .wallpaper: wallpaper.map { .wallpaper($0) }
    case .outputs: outputs.map { .outputs($0) }
    case .windows: windows.map { .windows($0) }
    case .cache: cache.map { .cache($0) }
    case .status: status.map { .status($0) }
    case .actions: actions.map { .actions($0) }
    case .picture: picture.map { .picture($0) }
    case .event: event.map { .event($0) }
    case .failure: failure.flatMap { kind in text.map { .failure(kind, $0) } }
    }
  }
}
