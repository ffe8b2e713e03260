import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster

/// The expected state of the screen, computed from the declared panes and the whole backdrop.
extension Scene {
  /// A pane on one of its outputs, with the overlay that shows it. It has no output while it waits for it.
  private struct Sheet {
    let pane: Pane
    let output: Output?
    let scheme: ColorScheme
    let overlay: HeadlessDisplay.Overlay
    let drawer: PaneState.Drawer?
    /// The place of a drawer, which the engine knows if it is pulled.
    let drawerFrame: Rect?

    /// The whole pane; empty if it waits.
    var frame: Rect {
      guard let output else { return .zero }
      guard let travel = pane.travel(on: output) else { return pane.placement.frame(on: output) }
      return switch drawer {
      case .open: travel.open
      case .moving: drawerFrame ?? .zero
      case .closed, nil: travel.frame(at: 0)
      }
    }

    /// The number of pixels of its unit of length.
    var unit: Double { output.map { pane.placement.unit.pixels(on: $0) } ?? 1 }

    /// The part of the output in which it is visible.
    var clip: Rect {
      guard let output else { return .zero }
      return pane.drawer == nil ? output.bounds : pane.placement.area(of: output)
    }

    /// The visible part; empty if it waits.
    var rect: Rect { frame.intersection(clip) }
  }

  /// The first difference between the screen and the expected panes; nil if there is none.
  func fault() -> String? {
    for pane in panes {
      let outputs = engine.states(of: pane.name).map(\.output)
      let expected = self.outputs(of: pane)
      if outputs != expected {
        return "\(pane.name): on \(outputs), not on \(expected)"
      }
    }
    let order = display.order.compactMap { display.overlay($0.id)?.name }
    let expected = panes.flatMap { pane in engine.states(of: pane.name).map { _ in pane.name } }
    if order != expected { return "the order is \(order), not \(expected)" }
    if display.overlayCount != expected.count { return "\(display.overlayCount) overlays" }
    let sheets = sheets
    for sheet in sheets
    where sheet.output != nil && (sheet.drawer != nil) != (sheet.pane.drawer != nil) {
      return "\(sheet.pane.name): as a drawer it is \(sheet.drawer?.rawValue ?? "none")"
    }
    return sheets.indices.lazy.compactMap { self.fault(of: sheets, $0) }.first
  }

  /// The names of the outputs of a pane. Only the engine knows where the pointer was when the pane appeared.
  private func outputs(of pane: Pane) -> [String] {
    switch pane.placement.output {
    case .screen: [display.screen.name]
    case .primary: [(display.outputs.first(where: \.isPrimary) ?? display.outputs[0]).name]
    case .pointer: engine.states(of: pane.name).map(\.output)
    case .all: display.outputs.map(\.name)
    case .named(let name): [name]
    }
  }

  /// All sheets in stacking order, the lowest first.
  private var sheets: [Sheet] {
    let states = panes.flatMap { pane in engine.states(of: pane.name).map { (pane, $0) } }
    return zip(states, display.order).compactMap { state, overlay in
      let (pane, place) = state
      return display.overlay(overlay.id).map {
        Sheet(
          pane: pane, output: output(named: place.output, of: pane), scheme: place.scheme,
          overlay: $0, drawer: place.drawer, drawerFrame: place.frame)
      }
    }
  }

  private func output(named name: String, of pane: Pane) -> Output? {
    pane.placement.output == .screen
      ? display.screen : display.outputs.first { $0.name == name }
  }

  private func fault(of sheets: [Sheet], _ index: Int) -> String? {
    let sheet = sheets[index]
    let (name, overlay) = (sheet.pane.name, sheet.overlay)
    let isWanted =
      sheet.pane.isShown && !sheet.rect.isEmpty
      && state(of: sheet).map { display.isLocked($0.rect) } == false
    if overlay.isShown != isWanted { return "\(name): is shown \(overlay.isShown)" }
    guard overlay.isShown, let wanted = state(of: sheet) else { return nil }
    if overlay.state != wanted {
      return "\(name): \(String(describing: overlay.state)), not \(wanted)"
    }
    let below = sheets[..<index]
    let picture =
      wanted.hasAlpha ? drawn(sheet, above: below) : composed(sheet, above: below, in: wanted.rect)
    // Without alpha the fourth byte has no meaning.
    let mask: UInt32 = wanted.hasAlpha ? 0xffff_ffff : 0x00ff_ffff
    var wrong = picture.pixels.indices.filter {
      (overlay.picture.pixels[$0] ^ picture.pixels[$0]) & mask != 0
    }
    if wrong.isEmpty { return nil }
    let compared = overlay.visible.subtracting(ambiguous(sheets))
    wrong.removeAll { i in
      let (x, y) = (wanted.rect.x + i % picture.width, wanted.rect.y + i / picture.width)
      return !compared.intersects(Rect(x: x, y: y, width: 1, height: 1))
    }
    guard let first = wrong.first else { return nil }
    let (x, y) = (first % picture.width, first / picture.width)
    return "\(name): \(wrong.count) pixels of \(wanted.rect) differ, the first at \(x),\(y)"
  }

  // MARK: One sheet

  private func frame(of sheet: Sheet) -> Rect { sheet.frame }

  private func bounds(of sheet: Sheet) -> Rect { sheet.output?.bounds ?? screen }

  private func look(of sheet: Sheet) -> PaneLook {
    let frame = frame(of: sheet)
    return sheet.pane.look(
      in: sheet.scheme, size: (frame.width, frame.height), unit: sheet.unit)
  }

  private func decoration(of sheet: Sheet) -> Decoration {
    let frame = frame(of: sheet)
    return Decoration(look(of: sheet).decoration, width: frame.width, height: frame.height)
  }

  private func contents(of sheet: Sheet) -> Contents {
    let frame = frame(of: sheet)
    let target =
      sheet.output.map { sheet.pane.placement.contentTarget(on: $0) }
      ?? ContentTarget(scale: 1, width: frame.width, height: frame.height)
    return Contents(
      sheet.pane.contents.flatMap { item in
        var item = item
        // The newest drawing that is right, or the oldest.
        let right = item.drawings.filter { isRight($0, for: item.place, on: target) }
        item.drawing = right.last ?? item.drawing
        item.place = scaled(item.place, by: sheet.unit)
        return item.placed(on: (frame.width, frame.height))
      })
  }

  private func isRight(
    _ drawing: ContentDrawing, for place: ContentPlace, on target: ContentTarget
  ) -> Bool {
    guard let scope = drawing.scope else { return true }
    let room = place.room(on: target)
    return switch scope.sizes {
    case .any: scope.scale == target.scale
    case .atLeast(let width, let height):
      scope.scale == target.scale && width <= room.width && height <= room.height
    case .exactly(let width, let height):
      scope.scale == target.scale && width == room.width && height == room.height
    }
  }

  private func scaled(_ place: ContentPlace, by factor: Double) -> ContentPlace {
    func scaled(_ position: ContentPlace.Position) -> ContentPlace.Position {
      func pixels(_ distance: Int) -> Int { Int((Double(distance) * factor).rounded()) }
      return switch position {
      case .center: .center
      case .fromStart(let distance): .fromStart(pixels(distance))
      case .fromEnd(let distance): .fromEnd(pixels(distance))
      }
    }
    return ContentPlace(x: scaled(place.x), y: scaled(place.y))
  }

  /// The state of its overlay while it is shown; nil if it is outside its output.
  private func state(of sheet: Sheet) -> OverlayState? {
    if sheet.rect.isEmpty { return nil }
    let (frame, clip) = (frame(of: sheet), sheet.clip)
    let decoration = decoration(of: sheet)
    let bounds = decoration.bounds(of: frame).intersection(clip)
    let ends = sheet.output.flatMap(sheet.pane.travel).map { [$0.frame(at: 0), $0.open] } ?? []
    let hasAlpha = display.blendsAlpha && !look(of: sheet).decoration.isSharp
    func covered(by share: Double) -> Region {
      decoration.mask.region(of: frame, coveredBy: share).intersection(clip)
    }
    let grabbed =
      sheet.pane.input == .grab
      ? Region(frame)
      : sheet.pane.drawer.map { Region($0.handle(of: frame, unit: sheet.unit)) } ?? Region()
    return OverlayState(
      rect: bounds,
      travel: ends.reduce(bounds) {
        $0.hull(decoration.bounds(of: $1).intersection(clip))
      }, hasAlpha: hasAlpha, opaque: hasAlpha ? covered(by: 1) : Region(bounds),
      inputRegion: grabbed.isEmpty ? Region() : covered(by: 0.5).intersection(grabbed),
      reportsContacts: sheet.pane.drawer != nil || sheet.pane.click != nil)
  }

  private func renderer(of sheet: Sheet, _ content: Contents) -> PaneRenderer {
    PaneRenderer(
      frame: frame(of: sheet), output: bounds(of: sheet), clip: sheet.clip,
      material: look(of: sheet).material, decoration: decoration(of: sheet),
      content: ContentState(content))
  }

  /// A pane and its decoration, computed from the whole backdrop and not composed.
  private func drawn(_ sheet: Sheet, above lower: ArraySlice<Sheet>) -> Bitmap {
    let renderer = renderer(of: sheet, contents(of: sheet))
    let grid = CellGrid(renderer.geometry)
    let backdrop = backdrop(of: sheet, above: lower)
    _ = grid.update(
      with: backdrop.pixels.span, PixelLayout(screen), isOpaque: true, cells: renderer.cells,
      threads: 1)
    _ = renderer.settle(from: grid, threads: 1)
    var picture = Bitmap(width: renderer.bounds.width, height: renderer.bounds.height)
    var pixels = picture.pixels.mutableSpan
    renderer.draw(renderer.bounds, into: &pixels, PixelLayout(renderer.bounds))
    return picture
  }

  private func backdrop(of sheet: Sheet, above lower: ArraySlice<Sheet>) -> Bitmap {
    switch sheet.pane.sees {
    case .windows: display.backdrop(below: sheet.pane.layer)
    case .wallpaper:
      Bitmap(width: screen.width, height: screen.height, filledWith: display.wallpaper)
    case .panes: screen(with: lower, below: sheet.pane.layer)
    }
  }

  // MARK: Several sheets

  /// A pane composed over the backdrop and the panes below it.
  private func composed(
    _ sheet: Sheet, above lower: ArraySlice<Sheet>, in rect: Rect
  ) -> Bitmap {
    var shown = screen(with: lower, below: sheet.pane.layer)
    draw(sheet, above: lower, over: &shown, below: sheet.pane.layer)
    return Bitmap(rect, of: shown.pixels.span, PixelLayout(screen))
  }

  /// The backdrop of a layer with some panes composed over it.
  private func screen(with sheets: ArraySlice<Sheet>, below layer: StackingLayer) -> Bitmap {
    var shown = display.backdrop(below: layer)
    for index in sheets.indices {
      draw(sheets[index], above: sheets[..<index], over: &shown, below: layer)
    }
    return shown
  }

  private func draw(
    _ sheet: Sheet, above lower: ArraySlice<Sheet>, over shown: inout Bitmap,
    below layer: StackingLayer
  ) {
    guard sheet.pane.isShown, let target = state(of: sheet)?.rect, !display.isLocked(target) else {
      return
    }
    let covered = display.regionOfWindows(above: sheet.pane.layer, below: layer)
    var picture = drawn(sheet, above: lower)
    var pixels = picture.pixels.mutableSpan
    compose(
      target, of: &pixels, PixelLayout(target), over: shown.pixels.span, PixelLayout(screen))
    for rect in Region(target).subtracting(covered).rects {
      for y in rect.rows {
        for x in rect.columns {
          shown[x - screen.x, y - screen.y] = picture[x - target.x, y - target.y]
        }
      }
    }
  }

  /// The region in which the polarity of content depends on its previous value.
  private func ambiguous(_ sheets: [Sheet]) -> Region {
    var region = Region()
    for (index, sheet) in sheets.enumerated() where sheet.pane.isShown {
      guard let rect = state(of: sheet)?.rect else { continue }
      let frame = frame(of: sheet)
      let glass = glass(of: sheet, above: sheets[..<index])
      let content = contents(of: sheet)
      let light = content.polarity(of: frame, on: glass.glass, last: .light)
      let dark = content.polarity(of: frame, on: glass.glass, last: .dark)
      if light != dark { region.form(union: ContentState(content).region(of: frame)) }
      // A pane that shows ambiguous pixels may differ too.
      let source = renderer(of: sheet, Contents([])).sourceRegion
      if sheet.pane.sees == .panes, region.intersects(source) { region.form(union: Region(rect)) }
    }
    return region
  }

  private func glass(of sheet: Sheet, above lower: ArraySlice<Sheet>) -> PictureGlass {
    let output = bounds(of: sheet)
    var glass = PictureGlass(
      pane: sheet.rect, picture: output, material: look(of: sheet).material)
    glass.update(
      with: backdrop(of: sheet, above: lower).pixels.span, PixelLayout(screen), isOpaque: true,
      damage: output)
    _ = glass.settle()
    return glass
  }
}
