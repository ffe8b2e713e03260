/// The configurations of window managers with which tests and benchmarks run them.
package enum ManagerConfiguration {
  /// With Alt the left button moves windows, and the right one resizes them. A configuration that is empty makes openbox show
  /// a dialog.
  package static let openbox = """
    <openbox_config><mouse><dragThreshold>1</dragThreshold><context name="Frame">
    <mousebind button="A-Left" action="Drag"><action name="Move"/></mousebind>
    <mousebind button="A-Right" action="Drag"><action name="Resize"/></mousebind>
    </context></mouse></openbox_config>

    """

  /// The same, with floating windows. There is no first start with its dialog, and no bar.
  package static let i3 = """
    # i3 config file (v4)
    for_window [class="."] floating enable
    floating_modifier Mod1
    bar {
      mode invisible
    }

    """
}
