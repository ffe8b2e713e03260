/// The scale of toolkits that `GDK_SCALE` says; nil if it is none.
package func toolkitScale(_ text: String?) -> Double? {
  text.flatMap { Int($0) }.flatMap { (1...8).contains($0) ? Double($0) : nil }
}

/// The scale of a desktop by several sources: the number of pixels per 1/96 inch. A value is nil if its source states none.
struct DesktopScale: Equatable {
  /// `Xft.dpi` / 96, from the resources of the display.
  var resources: Double?
  /// `GDK_SCALE`, from the environment of the daemon.
  var environment: Double?
  /// `Gdk/WindowScalingFactor`, from the settings of the desktop.
  var settings: Double?

  /// The largest one, because they describe one scale, of which some desktops set only one: a factor of 2 with a font
  /// resolution of 96 means the same as one with 192. Nil if none says any.
  var value: Double? { [resources, environment, settings].compactMap(\.self).max() }
}
