import FoundationEssentials

extension Reply {
  /// Reads a reply off a line, with or without its newline.
  package init(parsing line: some Sequence<UInt8>) throws(ControlError) {
    guard let fields = try? JSONDecoder().decode(ReplyFields.self, from: Data(line)),
      let reply = fields.makeReply()
    else { throw .unreadableReply }
    self = reply
  }

  /// The reply as a line of JSON, its newline included.
  package var line: [UInt8] { jsonLine(ReplyFields(self)) }
}

/// The object on the wire: what kind of reply it is, and the one value that this kind has.
private struct ReplyFields: Codable {
  enum Kind: String, Codable {
    case done, panes, status, picture, failure
  }

  var reply: Kind
  var panes: [PaneReport]?
  var status: StatusReport?
  var picture: PictureReport?
  var failure: FailureKind?
  var text: String?

  init(_ reply: Reply) {
    switch reply {
    case .done:
      self.reply = .done
    case .panes(let panes):
      self.reply = .panes
      self.panes = panes
    case .status(let status):
      self.reply = .status
      self.status = status
    case .picture(let picture):
      self.reply = .picture
      self.picture = picture
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
    case .status: status.map { .status($0) }
    case .picture: picture.map { .picture($0) }
    case .failure: failure.flatMap { kind in text.map { .failure(kind, $0) } }
    }
  }
}
