import Raster

/// One pane: the settings that a user declared, and the values that result from them.
package struct Pane: Equatable, Sendable {
  /// 1 to 64 letters, digits, `.`, `_` or `-`, all ASCII.
  package let name: String
  /// The declared settings.
  package let settings: PaneSettings
  /// Whether the user wants it on the screen.
  package var isShown: Bool
  /// When it is removed by itself; nil if it stays.
  package var end: PaneEnd?
  /// The part of the pane that the next daemon gets.
  package var keeping = Keeping.all

  /// The position and size.
  package let placement: Placement
  /// How it is pulled out of an edge; nil for a pane that stays at its place.
  package let drawer: Drawer?
  /// How windows get glass in place of their background; nil for panes that are not behind windows.
  package let keying: Keying?
  /// Whether something is visible through the windows; nil for panes that are not behind windows.
  package let translucency: Translucency?
  /// The position in the stacking order.
  package let layer: StackingLayer
  /// Whether its look depends on the desktop or on its backdrop.
  package let isAdaptive: Bool
  /// The part of the backdrop that it shows.
  package let sees: BackdropSource
  /// The handling of clicks.
  package let input: InputMode
  /// The command of a click; nil for none.
  package let click: ShellCommand?
  /// Images and labels, in drawing order.
  package let contents: [PaneContent]

  /// Throws `badName`, `missing` if there is neither a geometry nor a size, `contradiction` if there are both or if
  /// clicks run a command and pass,
  /// `needless` if a setting of a drawer has no edge, or `outOfRange` if a value is out of range. Throws like `check` if
  /// its size does not depend on the output.
  package init(
    _ name: String, _ settings: PaneSettings, isShown: Bool = true
  ) throws(PaneError) {
    guard Self.isName(name) else { throw .badName(name) }
    try settings.check()
    self.name = name
    self.settings = settings
    self.isShown = isShown
    drawer = try settings.drawer()
    placement = try settings.placement()
    keying = settings.keying
    translucency = settings.translucency
    layer = settings.stackingLayer ?? .normal
    isAdaptive =
      settings.scheme?.scheme == nil
      && PaneLook(settings, in: .light) != PaneLook(settings, in: .dark)
    sees = settings.sees ?? settings.material?.named.sees ?? .windows
    input = try settings.inputMode()
    click = settings.click
    contents = settings.contents ?? []
    if let size = placement.fixedSize { try check(on: size) }
  }

  /// Throws `outOfRange` if the corner radius is too large for a pane of this size, with `unit` pixels for a unit of
  /// length, or if the handle of a drawer is outside, and `contentOutside` if content is. If the size follows the content,
  /// throws `needless` if there is none; a corner that is too large is reduced.
  package func check(on size: (width: Int, height: Int), unit: Double = 1) throws(PaneError) {
    if placement.lacksContent { throw .needless(setting: "size auto", without: "content") }
    let units = (size.width.scaled(by: 1 / unit), size.height.scaled(by: 1 / unit))
    if !placement.isAuto { try settings.corner?.check(width: units.0, height: units.1) }
    let bounds = Rect(x: 0, y: 0, width: size.width, height: size.height)
    if let drawer, let handle = drawer.handle, drawer.handle(of: bounds, unit: unit).isEmpty {
      throw .outOfRange(
        setting: "drag-handle", text: "\(handle)",
        expected: "a part of the pane, which is \(size.width)x\(size.height)")
    }
    try PaneContent.check(contents, on: size, unit: unit)
  }

  /// The way of a drawer between its ends on an output; nil for other panes.
  package func travel(on output: Output) -> Travel? {
    drawer?.travel(
      from: placement.frame(on: output), in: placement.area(of: output),
      unit: placement.unit.pixels(on: output))
  }

  /// The material and the decoration of a pane of `size` pixels in a scheme, with defaults, in pixels; `unit` is the
  /// number of pixels of a unit of length.
  package func look(
    in scheme: ColorScheme, size: (width: Int, height: Int), unit: Double = 1
  ) -> PaneLook {
    PaneLook(settings, in: settings.scheme?.scheme ?? scheme).scaled(by: unit).fitted(to: size)
  }

  /// The pane after a change. Throws like `init`. The next daemon does not get an ephemeral change.
  package func changed(
    by change: PaneChange, isEphemeral: Bool = false
  ) throws(PaneError) -> Pane {
    var pane = try Pane(name, change.applied(to: settings), isShown: isShown)
    pane.end = end
    pane.keeping = keeping(after: change, isEphemeral: isEphemeral)
    return pane
  }

  /// The pane with all drawings that another one has of the same content.
  package func keepingDrawings(of other: Pane) -> Pane {
    guard contents.count == other.contents.count else { return self }
    var change = PaneChange(PaneSettings())
    change.settings.contents = zip(contents, other.contents).map { $1.includes($0) ? $1 : $0 }
    return contents.isEmpty ? self : (try? changed(by: change))?.keeping(keeping) ?? self
  }

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
          || "._-".unicodeScalars.contains($0)
      }
  }
}
