/// One pane: the settings that a user declared, and the values that result from them.
package struct Pane: Equatable, Sendable {
  /// 1 to 64 letters, digits, `.`, `_` or `-`, all ASCII.
  package let name: String
  /// The declared settings.
  package let settings: PaneSettings
  /// Whether the user wants it on the screen.
  package var isShown: Bool

  /// The position and size.
  package let placement: Placement
  /// The position in the stacking order.
  package let layer: StackingLayer
  /// The looks in the two schemes; the same twice if its look does not depend on the scheme.
  private let light, dark: PaneLook
  /// The part of the backdrop that it shows.
  package let sees: BackdropSource
  /// The handling of clicks.
  package let input: InputMode
  /// Images and labels, in drawing order.
  package let contents: [PaneContent]

  /// Throws `badName`, `missing` if there is no geometry, or `outOfRange` if a value is out of
  /// range or the corner radius is too large for the pane, or `contentOutside`.
  package init(
    _ name: String, _ settings: PaneSettings, isShown: Bool = true
  ) throws(PaneError) {
    guard Self.isName(name) else { throw .badName(name) }
    try settings.check()
    guard let geometry = settings.geometry else { throw .missing(setting: "geometry") }
    self.name = name
    self.settings = settings
    self.isShown = isShown
    placement = .geometry(geometry)
    layer = settings.stackingLayer ?? .normal
    let size = (geometry.width, geometry.height)
    let scheme = settings.scheme?.scheme
    light = PaneLook(settings, in: scheme ?? .light, size: size)
    dark = PaneLook(settings, in: scheme ?? .dark, size: size)
    sees = settings.sees ?? settings.material?.named.sees ?? .windows
    input = settings.input ?? .pass
    contents = settings.contents ?? []
    // The corner is the same in both schemes.
    try dark.decoration.corner.check(width: geometry.width, height: geometry.height)
    try PaneContent.check(contents, on: (geometry.width, geometry.height))
  }

  /// The material and the decoration in a scheme, with defaults.
  package func look(in scheme: ColorScheme) -> PaneLook { scheme == .light ? light : dark }

  /// Whether its look depends on the desktop or on its backdrop.
  package var isAdaptive: Bool { light != dark }

  /// The pane after a change. Throws like `init`.
  package func changed(by change: PaneChange) throws(PaneError) -> Pane {
    try Pane(name, change.applied(to: settings), isShown: isShown)
  }

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
          || "._-".unicodeScalars.contains($0)
      }
  }
}
