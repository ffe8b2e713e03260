import CXCB
import Engine
import Raster

/// Creates and destroys windows for panes, with the graphics contexts to draw in them.
struct CanvasFactory {
  private let atoms: Atoms
  private let alphaColormap: XConnection.Colormap?
  /// The colormaps of windows over clients, by their visuals: the frame of a client may have another visual.
  private var colormaps: [UInt32: XConnection.Colormap] = [:]
  /// Whether windows are mapped, with an empty shape, before they are placed in the stacking order.
  ///
  /// xcompmgr determines whether a window has alpha when that is mapped. If it is moved or restacked before, `xcompmgr -c`
  /// takes it for opaque and paints a shadow around it for as long as it is mapped with this size.
  var mapsFirst = false

  init(_ x: inout XConnection, _ atoms: Atoms) {
    self.atoms = atoms
    alphaColormap = x.createColormap(depth: 32)
    if let alphaColormap { colormaps[alphaColormap.visual] = alphaColormap }
    // Most clients have this visual.
    let (depth, visual) = (x.screen.rootDepth, x.screen.rootVisual)
    colormaps[visual] = x.createColormap(depth: depth, visual: visual)
  }

  /// Creates a window that is not visible before `show`.
  func make(
    _ x: inout XConnection, name: String, _ state: OverlayState, opacity: UInt32
  ) -> XConnection.Canvas {
    let window = x.createWindow(
      XConnection.NewWindow(
        rect: state.rect, events: events(reportsContacts: state.reportsContacts),
        colormap: state.hasAlpha ? alphaColormap : nil))
    describe(&x, window, name)
    setOpacity(&x, window, opacity)
    x.setInputRegion(window, state.windowInputRegion)
    if mapsFirst {
      x.setBoundingRegion(window, Region())
      x.map(window)
    } else if let shape = state.windowShape {
      x.setBoundingRegion(window, shape)
    }
    if state.reportsContacts { x.grabContacts(window) }
    let depth = x.screen.depth(hasAlpha: state.hasAlpha)
    return XConnection.Canvas(
      window: window, gc: x.createGC(window), depth: depth,
      format: x.screen.format(ofDepth: depth))
  }

  /// Tells other programs what a window is. Without a frame around it, compositors and pagers see it.
  private func describe(_ x: inout XConnection, _ window: UInt32, _ name: String) {
    let text = "backdropd \(name)"
    x.setProperty(
      window, XCB_ATOM_WM_CLASS.rawValue, type: XCB_ATOM_STRING.rawValue,
      text: "backdropd\0backdropd\0")
    x.setProperty(window, XCB_ATOM_WM_NAME.rawValue, type: XCB_ATOM_STRING.rawValue, text: text)
    x.setProperty(window, atoms.netName, type: atoms.utf8String, text: text)
    x.setProperty(
      window, atoms.hints.windowType, type: XCB_ATOM_ATOM.rawValue, words: [atoms.hints.dock])
    x.setProperty(
      window, atoms.netProcess, type: XCB_ATOM_CARDINAL.rawValue, words: [processID()])
    // picom paints no shadow around a window with this property.
    x.setProperty(
      window, atoms.compositorShadow, type: XCB_ATOM_CARDINAL.rawValue, words: [0])
  }

  /// Creates a window beside a client that is not visible before it is mapped. Contacts reach the client.
  mutating func make(
    _ x: inout XConnection, name: String, in client: ShownClient, at place: Rect
  ) -> XConnection.Canvas {
    let colormap =
      colormaps[client.visual] ?? x.createColormap(depth: client.depth, visual: client.visual)
    colormaps[client.visual] = colormap
    let events = XCB_EVENT_MASK_EXPOSURE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
    let window = x.createWindow(
      XConnection.NewWindow(rect: place, events: events, parent: client.parent, colormap: colormap))
    describe(&x, window, name)
    x.setInputRegion(window, Region())
    return XConnection.Canvas(
      window: window, gc: x.createGC(window), depth: client.depth,
      format: x.screen.format(ofDepth: client.depth))
  }

  /// Makes a new window visible where it was placed.
  func show(_ x: inout XConnection, _ canvas: XConnection.Canvas, _ state: OverlayState) {
    if mapsFirst {
      x.setBoundingRegion(canvas.window, state.windowShape)
    } else {
      x.map(canvas.window)
    }
  }

  func setOpacity(_ x: inout XConnection, _ window: UInt32, _ opacity: UInt32) {
    if opacity == .max { return x.deleteProperty(window, atoms.opacity) }
    x.setProperty(
      window, atoms.opacity, type: XCB_ATOM_CARDINAL.rawValue, words: [opacity])
  }

  /// Starts or ends the reports of contacts and keys.
  func setContacts(_ x: inout XConnection, _ window: UInt32, areReported: Bool) {
    x.selectEvents(window, events(reportsContacts: areReported))
    if areReported { x.grabContacts(window) } else { x.ungrabContacts(window) }
  }

  private func events(reportsContacts: Bool) -> UInt32 {
    let keyboard = XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue
    return XCB_EVENT_MASK_EXPOSURE.rawValue | (reportsContacts ? keyboard : 0)
  }

  func destroy(_ x: inout XConnection, _ canvas: XConnection.Canvas) {
    x.freeGC(canvas.gc)
    x.destroyWindow(canvas.window)
  }
}
