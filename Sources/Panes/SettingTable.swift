import Frost

extension Setting {
  /// All settings of panes, in the order of help and lists. `Pane` defines the meaning of the
  /// values.
  package static let all: [Setting] = [
    .text(
      "output", .place, \.output, "NAME|primary|pointer|all|screen",
      "The monitor of the pane: its name ('outputs' lists all), the main one, the one with the pointer when the pane "
        + "appears, or one pane on each; or the whole screen. Default: the screen with --geometry, else the main one.",
      read: { text throws(PaneError) in try OutputChoice(parsing: text) }, write: \.text,
      effective: \.pane.placement.output),
    .text(
      "size", .place, \.size, "WxH|auto",
      "Size of the pane, in place of a geometry, each number in pixels or in percent of its output less the margins: "
        + "400x300, 25%x100%; or auto, as large as the content needs: auto, 360xauto.",
      read: { text throws(PaneError) in try PaneSize(parsing: text) }, write: \.text,
      effective: \.pane.settings.size),
    .text(
      "geometry", .place, \.geometry, "WxH+X+Y|auto",
      "Position and size of the pane: 400x300+20+40 from the left and top edge, 400x300-20-40 from the "
        + "right and bottom edge; or in the format of slop and slurp, '20,40 400x300'; or auto, the same as --size auto.",
      read: { text throws(PaneError) in try Geometry(parsing: text) }, write: { "\($0)" },
      effective: \.pane.settings.geometry
    ).taking("auto") { settings throws(PaneError) in
      // The setting `size` is read before `geometry`.
      if settings.size != nil { throw .contradiction(setting: "size", other: "geometry") }
      settings.size = .auto
    },
    .text(
      "anchor", .place, \.anchor, "PLACE",
      "The place of a pane with a size: top-left, top, top-right, left, center, right, bottom-left, bottom or "
        + "bottom-right.",
      read: { text throws(PaneError) in try Anchor(parsing: text) }, write: \.rawValue,
      effective: { shown in
        if case .anchored(let anchor, _, _) = shown.pane.placement.position { anchor } else { nil }
      }),
    .text(
      "margin", .place, \.margin, "PIXELS",
      "Distances of a pane with a size from the edges of its output: one for all edges, or as in CSS, such as '10 20' or "
        + "'10 20 0 20'.",
      read: { text throws(PaneError) in try Margin(parsing: text) }, write: \.text,
      effective: { shown in
        shown.pane.settings.size == nil ? nil : shown.pane.settings.margin ?? Margin.none
      }),
    .flag(
      "workarea", .place, \.workArea,
      "Keep clear of panels: the part of the output that they leave free takes its place. The default with --anchor or "
        + "--edge.",
      effective: \.pane.placement.keepsWorkArea),
    .text(
      "units", .place, \.units, "pixels|logical",
      "Unit of the lengths of the place and the look: pixels, or 1/96 inch, which has as many pixels as the scale of the "
        + "output says.",
      read: { text throws(PaneError) in try LengthUnit(parsing: text) }, write: \.rawValue,
      effective: \.pane.placement.unit),
    .text(
      "edge", .place, \.edge, "top|bottom|left|right",
      "Make a pane with a size a drawer that is pulled out of this edge of its output with the pointer or a finger; "
        + "let go, it falls to the nearer end. The command 'drawer' moves it as well.",
      read: { text throws(PaneError) in try Edge(parsing: text) }, write: \.rawValue,
      effective: { $0.pane.drawer?.edge }),
    .number(
      "peek", .place, \.peek, in: Drawer.peekRange, "PIXELS",
      "The part of a closed drawer that is visible, 0 to 32767 pixels.",
      effective: { $0.pane.drawer?.peek }),
    .number(
      "elasticity", .place, \.elasticity, in: Drawer.elasticityRange, "PART",
      "The part of its speed that a drawer keeps when it bounces at an end, 0 to 0.9. Default: 0.25.",
      effective: { $0.pane.drawer?.elasticity }),
    .text(
      "drag-handle", .place, \.dragHandle, "WxH+X+Y",
      "The part of a drawer at which it can be pulled, relative to its edges. Default: the whole drawer.",
      read: { text throws(PaneError) in try Geometry(parsing: text, setting: "drag-handle") },
      write: { "\($0)" }, effective: { $0.pane.drawer?.handle }),
    .text(
      "layer", .place, \.stackingLayer, "desktop|below-docks|normal|top",
      "Position among windows: above the wallpaper and desktop icons only; above ordinary windows; also "
        + "above docks and windows that are always on top; or above all but lock screens.",
      read: { text throws(PaneError) in try StackingLayer(parsing: text) }, write: \.rawValue,
      effective: \.pane.layer),
    .text(
      "class", .window, \.windowClass, "NAME",
      "Put the pane right beneath each window of this class, the second word of WM_CLASS, such as kitty; upper and lower "
        + "case are the same. All such conditions of a pane must hold.",
      read: { text throws(PaneError) in try windowName(text, setting: "class") }, write: { $0 },
      effective: \.pane.settings.windowClass),
    .text(
      "instance", .window, \.instance, "NAME", "The same for the first word of WM_CLASS.",
      read: { text throws(PaneError) in try windowName(text, setting: "instance") },
      write: { $0 }, effective: \.pane.settings.instance),
    .text(
      "title", .window, \.title, "REGEX",
      "The same for windows in whose title this regular expression is found.",
      read: { text throws(PaneError) in try TextPattern(parsing: text, setting: "title") },
      write: \.text, effective: \.pane.settings.title),
    .text(
      "role", .window, \.role, "NAME", "The same for windows with this WM_WINDOW_ROLE.",
      read: { text throws(PaneError) in try windowName(text, setting: "role") }, write: { $0 },
      effective: \.pane.settings.role),
    .text(
      "type", .window, \.windowType, "TYPE",
      "The same for windows of this type: desktop, dock, toolbar, menu, utility, splash, dialog, tooltip, notification, "
        + "combo, dnd, normal, dropdown-menu or popup-menu.",
      read: { text throws(PaneError) in try WindowType(parsing: text) }, write: \.rawValue,
      effective: \.pane.settings.windowType),
    .text(
      "window", .window, \.window, "ID",
      "The same for one window, by its number or that of its frame, as xwininfo prints it: 0x1c00007.",
      read: { text throws(PaneError) in try WindowNumber(parsing: text) }, write: \.text,
      effective: \.pane.settings.window),
    .flag(
      "override-redirect", .window, \.overrideRedirect,
      "The same for windows that window managers leave alone, such as menus and launchers; or only for others.",
      effective: \.pane.settings.overrideRedirect),
    .flag(
      "requests", .window, \.requests,
      "The same for windows that ask for blur by _KDE_NET_WM_BLUR_BEHIND_REGION; or only for others. Glass is where they "
        + "ask for it.",
      effective: \.pane.settings.requests),
    .texts(
      "exclude", .window, \.exclude, "KEY=VALUE",
      "Leave out windows with this class, instance, title, role, type or window, such as class=firefox. Can be repeated; "
        + "'none' removes all.",
      limit: PaneSettings.exclusionLimit,
      read: { text throws(PaneError) in try WindowCondition(parsing: text) }, write: \.text,
      effective: \.pane.settings.exclude),
    .text(
      "inset", .window, \.inset, "PIXELS",
      "Distances of the glass from the edges of its window, as in --margin.",
      read: { text throws(PaneError) in try Margin(parsing: text, setting: "inset") },
      write: \.text, effective: \.pane.placement.behind?.inset),
    .text(
      "translucent", .window, \.translucent, "auto|always",
      "Whether something is visible through the windows: auto finds it out; always is for windows that a rule of the "
        + "compositor makes translucent, such as picom's opacity-rule. Default: auto.",
      read: { text throws(PaneError) in try Translucency(parsing: text) }, write: \.rawValue,
      effective: \.pane.translucency),
    .text(
      "background", .window, \.background, "none|auto|#RRGGBB",
      "Put the glass over the window, in place of its background of this colour; so the program may be opaque, and no "
        + "compositor is needed. auto does this where glass beneath the window would not be visible, and finds the "
        + "colour; none leaves the glass beneath. Default: auto.",
      read: { text throws(PaneError) in try BackgroundChoice(parsing: text) }, write: \.text,
      effective: { $0.pane.keying?.background }),
    .number(
      "background-opacity", .window, \.backgroundOpacity, in: Keying.opacityRange, "SHARE",
      "The share of the background that stays, 0 to 1. Default: 0.6.",
      effective: { $0.pane.keying?.opacity }),
    .flag(
      "keep-pictures", .window, \.keepPictures,
      "Leave pictures and highlighted text as they are, also where they have the colour of the background. The default.",
      effective: { $0.pane.keying?.keepsPictures }),
    .text(
      "material", .look, \.material, "NAME",
      "A named look, such as regular-dark or 'tint #C02060'; the command 'materials' lists them. The "
        + "settings below change it.",
      read: { text throws(PaneError) in try MaterialChoice(parsing: text) }, write: \.text,
      effective: \.pane.settings.material),
    .number(
      "sigma", .look, \.sigma, in: Material.sigmaRange, "PIXELS",
      "Strength of the blur: the standard deviation of a Gaussian in pixels, 0 to 200.",
      effective: \.look.material.sigma),
    .number(
      "saturation", .look, \.saturation, in: PaneSettings.saturationRange, "FACTOR",
      "1 leaves colours unchanged, 0 is grey, more than 1 is more vivid; -5 to 5.",
      effective: \.look.material.tone.saturation),
    .number(
      "brightness", .look, \.brightness, in: PaneSettings.brightnessRange, "AMOUNT",
      "Added to every channel, where 1 is full white; -1 to 1.",
      effective: \.look.material.tone.brightness),
    .number(
      "contrast", .look, \.contrast, in: PaneSettings.contrastRange, "FACTOR",
      "1 leaves values unchanged; other factors stretch them around mid-grey, 0 to 5.",
      effective: \.look.material.tone.contrast),
    .texts(
      "blend", .look, \.layers, "MODE:#RRGGBB[AA]",
      "A colour layer with a blend mode: normal, color-dodge, overlay or luminosity. Can be repeated, "
        + "the lowest layer first; 'none' removes all.",
      limit: PaneSettings.layerLimit,
      read: { text throws(PaneError) in try Layer(parsing: text) }, write: \.text,
      effective: \.look.material.tone.layers),
    .text(
      "tint", .look, \.tint, "#RRGGBB[AA]", "A colour on top of all layers, with its opacity.",
      read: { text throws(PaneError) in try Color(parsing: text, as: "tint") }, write: \.text,
      effective: \.look.material.tone.tint),
    .number(
      "noise", .look, \.noise, in: Material.noiseRange, "AMOUNT",
      "Makes each pixel lighter or darker at random by up to half of this amount, where 1 is full "
        + "white; 0 to 0.25.",
      effective: \.look.material.noise),
    .text(
      "style", .decoration, \.style, "glass|clear|plain",
      "Defaults of the settings of the look: of a sheet of glass, of a sheet without a tint, or of a plain blur without "
        + "corners, border and shadow. Default: glass; clear behind windows.",
      read: { text throws(PaneError) in try PaneStyle(parsing: text) }, write: \.rawValue,
      effective: \.pane.settings.effectiveStyle),
    .text(
      "scheme", .decoration, \.scheme, "light|dark|auto",
      "The defaults for light or for dark surroundings; auto takes those of the desktop, or else those that suit the "
        + "backdrop.",
      read: { text throws(PaneError) in try SchemeChoice(parsing: text) }, write: \.rawValue,
      effective: { $0.pane.settings.scheme ?? .auto }),
    .text(
      "corner", .decoration, \.corner, "[continuous:]RADIUS",
      "Radius of the corners in pixels, at most 1024 and at most half the shorter edge; 'continuous:' "
        + "gives the corner curve of iOS instead of circles.",
      read: { text throws(PaneError) in try Corner(parsing: text) }, write: \.text,
      effective: \.look.decoration.corner),
    .text(
      "border", .decoration, \.border, "WIDTH #RRGGBB[AA]",
      "A line along the inside of the pane's edge, such as '1 #FFFFFF40', or none.",
      read: { text throws(PaneError) in try Border(parsing: text) }, write: \.text,
      effective: \.look.decoration.border),
    .text(
      "shadow", .decoration, \.shadow, "SHADOW",
      "A shadow around the pane: maps, outer-view, rounded-view, none, or offset, blur radius (as in "
        + "CSS) and colour, such as '0,8 24 #00000080'.",
      read: { text throws(PaneError) in try Shadow(parsing: text) }, write: \.text,
      effective: \.look.decoration.shadow),
    .text(
      "sees", .look, \.sees, "windows|wallpaper|panes",
      "What shows through the pane: all windows below it, only the wallpaper, or all windows and panes below it.",
      read: { text throws(PaneError) in try BackdropSource(parsing: text) }, write: \.rawValue,
      effective: \.pane.sees),
    .text(
      "input", .behavior, \.input, "pass|grab",
      "What happens to a click on the pane: it passes to what is below, or the pane grabs it. Default: pass; grab with "
        + "--click.",
      read: { text throws(PaneError) in try InputMode(parsing: text) }, write: \.rawValue,
      effective: \.pane.input),
    .text(
      "click", .behavior, \.click, "COMMAND",
      "Run a command with /bin/sh at each click of the first button or tap of a finger on the pane. It finds the name of "
        + "the pane in BACKDROPD_PANE.",
      read: { text throws(PaneError) in try ShellCommand(parsing: text, setting: "click") },
      write: \.text, effective: \.pane.click),
    .contents("content", \.contents, "Images and labels on the glass."),
  ]
}

/// A word of WM_CLASS or WM_WINDOW_ROLE. Throws `unreadable` if it is empty or longer than 255 bytes.
private func windowName(_ text: String, setting: String) throws(PaneError) -> String {
  guard (1...255).contains(text.utf8.count) else {
    throw .unreadable(
      setting: setting, text: text, expected: "a name; 'xprop' prints that of a window")
  }
  return text
}
