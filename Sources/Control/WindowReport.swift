package import Panes

/// A window that may have glass behind it.
package struct WindowReport: Codable, Equatable, Sendable {
  /// The numbers of the client's window and of its frame, such as 0x1c00007.
  package var window, frame: String
  /// The two words of WM_CLASS.
  package var windowClass, instance: String
  package var title, role: String
  /// The type, such as `normal` or `dock`.
  package var type: String
  package var overrideRedirect: Bool
  /// Whether it asks for blur.
  package var requests: Bool
  /// Its place on the screen, in X geometry syntax.
  package var rect: String
  /// The pane that matches it, or may match it if the obstacle is `costly-title`; nil if there is none.
  package var pane: String?
  /// Why the glass is not shown: `hidden`, `no-compositor`, `opaque`, `uneven-background`, `fullscreen`, `locked`, `outside`,
  /// `pending` or `costly-title`; nil if it is.
  package var obstacle: String?
  /// True if the glass is over the window, in place of its background; nil if it is beneath the window.
  package var over: Bool?
  /// The background of that window, `#RRGGBB`, and the share of the window, 0 to 1, that has about this colour; nil if they are not
  /// known.
  package var background: String?
  package var backgroundShare: Double?

  enum CodingKeys: String, CodingKey {
    case window, frame, instance, title, role, type, overrideRedirect, requests, rect, pane
    case obstacle, over, background, backgroundShare
    case windowClass = "class"
  }

  /// The report of a window at a place.
  package init(
    _ window: WindowProperties, rect: String, pane: String? = nil, obstacle: String? = nil
  ) {
    self.window = WindowNumber(window.id).text
    frame = WindowNumber(window.frame).text
    windowClass = window.windowClass
    instance = window.instance
    title = window.title
    role = window.role
    type = window.type.rawValue
    overrideRedirect = window.isOverrideRedirect
    requests = window.asksForBlur
    self.rect = rect
    self.pane = pane
    self.obstacle = obstacle
  }

  /// Says that the glass is over the window. The colour of its background, 0xRRGGBB, and the share of that are nil if they are not
  /// known.
  package mutating func markOver(color: UInt32?, share: Double?) {
    over = true
    background = color.map { colorText($0) }
    backgroundShare = share.map { ($0 * 1000).rounded() / 1000 }
  }

  /// The properties of the window; nil if the report has values that no window has.
  package var properties: WindowProperties? {
    guard let id = try? WindowNumber(parsing: window),
      let frame = try? WindowNumber(parsing: frame), let type = WindowType(rawValue: type)
    else { return nil }
    return WindowProperties(
      id: id.number, frame: frame.number, windowClass: windowClass, instance: instance,
      title: title, role: role, types: [type], isOverrideRedirect: overrideRedirect,
      asksForBlur: requests)
  }
}
