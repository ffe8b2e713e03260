import Frost
import Glibc
import Linux
import Panes
import Raster

/// Makes the content of several panes from the descriptions in a request and from the pixels in the
/// file that came with it, which contains the pictures one after the other.
///
/// Checks all sizes before it reads the file and allocates memory. A pane of a list has a name, which
/// errors report.
func readContents(
  _ panes: [(name: String?, reports: [ContentReport])], taking file: () -> FileDescriptor?
) throws(RequestError) -> [[PaneContent]] {
  var contents: [[PaneContent]] = []
  for pane in panes {
    do throws(RequestError) {
      contents.append(try makeContentsWithoutPixels(pane.reports))
    } catch {
      throw error.naming(pane.name)
    }
  }
  let sizes = panes.flatMap(\.reports).flatMap(\.sizes)
  if sizes.isEmpty { return contents }
  let count = sizes.reduce(0) { $0 + $1.width * $1.height }
  do { try PaneContent.check(totalPixels: count) } catch { throw .pane(error) }
  guard let file = file() else { throw .noPixelFile }
  var pictures = try readPictures(sizes, from: file)[...]
  for pane in contents.indices {
    for item in contents[pane].indices {
      let picture = pictures.removeFirst()
      let emoji = panes[pane].reports[item].emoji == true ? pictures.removeFirst() : nil
      contents[pane][item].drawing = ContentDrawing(
        picture, emoji: emoji, scope: contents[pane][item].drawing.scope)
      contents[pane][item].prepare()
    }
  }
  return contents
}

private func makeContentsWithoutPixels(
  _ reports: [ContentReport]
) throws(RequestError) -> [PaneContent] {
  var contents: [PaneContent] = []
  for report in reports { contents.append(try report.contentWithoutPixels()) }
  do throws(PaneError) {
    try PaneContent.check(count: reports.count, sizes: reports.flatMap(\.sizes))
    try PaneContent.check(contents.map(\.source))
  } catch {
    throw .pane(error)
  }
  return contents
}

func readPictures(
  _ sizes: [(width: Int, height: Int)], from file: consuming FileDescriptor
) throws(RequestError) -> [Bitmap] {
  guard file.raw >= 0 else { throw .noDescriptor }
  guard file.isInMemory else { throw .badPixelFile }
  let needed = sizes.reduce(0) { $0 + $1.width * $1.height }
  guard let held = file.pixelCount, held >= needed else { throw .tooFewPixels(needed: needed) }
  // The pictures, and the memory of what is made of them, such as the glyphs of vibrant text.
  guard hasRoom(forBytes: 16 * needed) else { throw .noMemory(byteCount: 4 * needed) }
  var pictures: [Bitmap] = []
  var readCount = 0
  for (width, height) in sizes {
    let pixels: [UInt32]
    do {
      pixels = try file.readPixels(width * height, from: readCount)
    } catch {
      // The client may have made it shorter meanwhile.
      throw error.code == ENODATA
        ? .tooFewPixels(needed: needed) : .unreadablePixelFile(code: error.code)
    }
    readCount += pixels.count
    guard pixels.allSatisfy(isPremultiplied) else { throw .notPremultiplied }
    pictures.append(Bitmap(width: width, height: height, pixels: pixels))
  }
  return pictures
}

/// Whether no colour of a pixel exceeds its alpha.
private func isPremultiplied(_ pixel: UInt32) -> Bool {
  let alpha = pixel >> 24
  return pixel & 0xff <= alpha && pixel >> 8 & 0xff <= alpha && pixel >> 16 & 0xff <= alpha
}

extension ContentReport {
  /// The content with an empty picture.
  func contentWithoutPixels() throws(RequestError) -> PaneContent {
    let source = try source()
    do throws(PaneError) {
      return PaneContent(
        source: source, place: try at.map(ContentPlace.init(parsing:)) ?? .center,
        vibrancy: try vibrancy.flatMap(Vibrancy.parsed),
        drawing: ContentDrawing(Bitmap(width: 0, height: 0), scope: try scope()))
    } catch {
      throw .pane(error)
    }
  }

  private func source() throws(RequestError) -> PaneContent.Source {
    if let image { return .image(path: image) }
    guard let label else { throw .imageOrLabel }
    guard let font else { throw .missingKey(ContentKey.font.rawValue) }
    do { return .label(try text(label, font: font)) } catch { throw .pane(error) }
  }

  private func text(_ label: String, font: String) throws(PaneError) -> LabelText {
    var text = LabelText(label, font: font)
    if let color { text.color = try Color(parsing: color, as: ContentKey.color.rawValue) }
    if let wrap { text.fit.wrapping = try TextFit.Wrapping(parsing: wrap) }
    if let ellipsize { text.fit.ellipsis = try TextFit.Ellipsis(parsing: ellipsize) }
    return text
  }

  /// The panes for which the picture is right; nil if for all.
  private func scope() throws(PaneError) -> DrawingScope? {
    guard let scale else { return nil }
    guard Output.scaleRange.contains(scale) else {
      throw .outOfRange(
        setting: ContentKey.scale.rawValue, text: "\(scale)", expected: "0.5 to 8")
    }
    if let room {
      let (width, height) = try size(room, of: .room)
      return DrawingScope(scale: scale, sizes: .exactly(width: width, height: height))
    }
    if let leastRoom {
      let (width, height) = try size(leastRoom, of: .leastRoom)
      return DrawingScope(scale: scale, sizes: .atLeast(width: width, height: height))
    }
    return DrawingScope(scale: scale)
  }

  private func size(_ text: String, of key: ContentKey) throws(PaneError) -> (Int, Int) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width >= 0, height >= 0
    else { throw .unreadable(setting: key.rawValue, text: text, expected: "WIDTHxHEIGHT") }
    return (width, height)
  }
}
