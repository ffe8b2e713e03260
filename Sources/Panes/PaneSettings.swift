package import Frost

/// The settings that a user declared for a pane. A setting that is nil has its default value.
/// `Setting.all` describes each of them.
package struct PaneSettings: Equatable, Sendable {
  /// The output.
  package var output: OutputChoice?
  /// The position and size. A pane needs either this or `size`.
  package var geometry: Geometry?
  /// The size of a pane at an edge, a corner or the centre of its output.
  package var size: PaneSize?
  /// The edge or corner.
  package var anchor: Anchor?
  /// The distances from the edges.
  package var margin: Margin?
  /// Whether the space that panels reserve stays clear.
  package var workArea: Bool?
  /// The edge of the output from which the pane is pulled. The next three belong to it; see `Drawer`.
  package var edge: Edge?
  package var peek, elasticity: Double?
  package var dragHandle: Geometry?
  /// The unit of the lengths.
  package var units: LengthUnit?
  /// The position in the stacking order.
  package var stackingLayer: StackingLayer?
  /// Conditions on the windows behind which the pane belongs; see `WindowMatch`.
  package var windowClass, instance, role: String?
  package var title: TextPattern?
  package var windowType: WindowType?
  package var window: WindowNumber?
  package var overrideRedirect, requests: Bool?
  /// Windows that are left out.
  package var exclude: [WindowCondition]?
  /// The distances of the glass from the edges of its window.
  package var inset: Margin?
  /// Whether something is visible through the windows.
  package var translucent: Translucency?
  /// The glass over windows in place of their background; see `Keying`.
  package var background: BackgroundChoice?
  package var backgroundOpacity: Double?
  package var keepPictures: Bool?
  /// A named material. The other look settings override its values.
  package var material: MaterialChoice?
  /// Overrides of the material; see `Material` and `Tone`.
  package var sigma, saturation, brightness, contrast, noise: Double?
  /// Blend layers, the lowest first.
  package var layers: [Layer]?
  /// The colour over all layers.
  package var tint: Color?
  /// The defaults of the look.
  package var style: PaneStyle?
  /// Whether the look suits light or dark surroundings.
  package var scheme: SchemeChoice?
  /// The shape of the corners.
  package var corner: Corner?
  /// The line inside the edge.
  package var border: Border?
  /// The shadow around the pane.
  package var shadow: Shadow?
  /// The part of the backdrop that it shows.
  package var sees: BackdropSource?
  /// The handling of clicks.
  package var input: InputMode?
  /// The command of a click.
  package var click: ShellCommand?
  /// Images and labels, in drawing order.
  package var contents: [PaneContent]?

  /// No declared settings.
  package init() {}

  /// The valid values of `saturation`.
  package static let saturationRange = -5.0...5.0
  /// The valid values of `brightness`.
  package static let brightnessRange = -1.0...1.0
  /// The valid values of `contrast`.
  package static let contrastRange = 0.0...5.0
  /// The largest number of blend layers.
  package static let layerLimit = 16
  /// The largest number of exclusions.
  package static let exclusionLimit = 64

  /// Throws `outOfRange` if a value is out of range.
  package func check() throws(PaneError) {
    for setting in Setting.all { try setting.check(self) }
  }
}

/// A change of a pane's settings: new values, and settings that are reset to their defaults.
package struct PaneChange: Equatable, Sendable {
  /// The new values.
  package var settings: PaneSettings
  /// The names of the settings that are reset to their defaults. A setting that also has a new
  /// value gets the value.
  package var reset: Set<String>

  package init(_ settings: PaneSettings = PaneSettings(), reset: Set<String> = []) {
    self.settings = settings
    self.reset = reset
  }

  /// Whether the change contains nothing.
  package var isEmpty: Bool { self == PaneChange() }

  /// Whether it sets or resets the content.
  package var replacesContents: Bool {
    settings.contents != nil
      || Setting.all.contains { $0.group == .content && reset.contains($0.name) }
  }

  /// The settings after this change.
  ///
  /// A named material replaces the whole look: a change with a material resets all look settings
  /// that the change does not set. A position in one form replaces one in the other form. A command for clicks and
  /// `input pass` replace each other. A place and conditions on windows do not: a pane that has both is refused.
  package func applied(to old: PaneSettings) -> PaneSettings {
    var result = old
    replacePosition(&result)
    adaptDrawer(&result)
    adaptInput(&result)
    for setting in Setting.all {
      let isReplaced = settings.material != nil && setting.group == .look
      if isReplaced || reset.contains(setting.name) { setting.reset(&result) }
      setting.copy(settings, &result)
    }
    return result
  }

  /// Removes the settings of a drawer if the pane is no longer one, and an anchor that is not at a new edge.
  private func adaptDrawer(_ old: inout PaneSettings) {
    if let edge = settings.edge, let anchor = old.anchor, !edge.anchors.contains(anchor) {
      old.anchor = nil
    }
    if settings.geometry != nil || reset.contains("edge"), settings.edge == nil {
      (old.edge, old.peek, old.elasticity, old.dragHandle) = (nil, nil, nil, nil)
    }
  }

  /// Removes what contradicts a new handling of clicks.
  private func adaptInput(_ old: inout PaneSettings) {
    if settings.click != nil, old.input == .pass { old.input = nil }
    if settings.input == .pass { old.click = nil }
  }

  /// Removes a position in the other form. A pane with a geometry keeps its size at an anchor, with a margin or as a drawer.
  private func replacePosition(_ old: inout PaneSettings) {
    if settings.geometry != nil {
      (old.size, old.anchor, old.margin) = (nil, nil, nil)
    } else if settings.size != nil || settings.anchor != nil || settings.margin != nil
      || settings.edge != nil
    {
      if let geometry = old.geometry {
        old.size = PaneSize(width: .pixels(geometry.width), height: .pixels(geometry.height))
      }
      old.geometry = nil
    }
  }
}
