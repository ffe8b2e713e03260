/// The scale of toolkits in a value of `GDK_SCALE`; nil if the text is not a number from 1 to 8.
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

  /// The largest of the values; nil if there is none. All sources describe one scale, and some desktops set only one of them. So
  /// a factor of 2 means the same with a font resolution of 96 as with 192.
  var value: Double? { [resources, environment, settings].compactMap(\.self).max() }
}
