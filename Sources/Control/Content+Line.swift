import Frost
import Panes
import Raster

/// Makes content of what a request says of it, and of the pixels in the file that came with it: those of
/// one picture after the other.
///
/// No file is read, and no memory is taken, before all sizes have been found right.
func makeContents(
  _ reports: [ContentReport], taking file: () -> FileDescriptor?
) throws(RequestError) -> [PaneContent] {
  if reports.isEmpty { return [] }
  var contents: [PaneContent] = []
  for report in reports { contents.append(try report.contentWithoutPixels()) }
  let sizes = reports.map { (width: $0.width, height: $0.height) }
  do throws(PaneError) {
    try PaneContent.check(sizes: sizes)
    try PaneContent.check(contents.map(\.source))
  } catch {
    throw .pane(error)
  }
  guard let file = file() else { throw .noPixelFile }
  let pictures = try readPictures(sizes, from: file)
  for (index, picture) in pictures.enumerated() { contents[index].picture = picture }
  return contents
}

private func readPictures(
  _ sizes: [(width: Int, height: Int)], from file: consuming FileDescriptor
) throws(RequestError) -> [Bitmap] {
  guard file.isInMemory else { throw .badPixelFile }
  let needed = sizes.reduce(0) { $0 + $1.width * $1.height }
  guard let held = file.pixelCount, held >= needed else { throw .tooFewPixels(needed: needed) }
  var pictures: [Bitmap] = []
  var readCount = 0
  for (width, height) in sizes {
    guard let pixels = file.readPixels(width * height, from: readCount) else {
      throw .tooFewPixels(needed: needed)
    }
    readCount += pixels.count
    guard pixels.allSatisfy(isPremultiplied) else { throw .notPremultiplied }
    pictures.append(Bitmap(width: width, height: height, pixels: pixels))
  }
  return pictures
}

/// Whether no colour of a pixel is brighter than its alpha lets it be.
private func isPremultiplied(_ pixel: UInt32) -> Bool {
  let alpha = pixel >> 24
  return pixel & 0xff <= alpha && pixel >> 8 & 0xff <= alpha && pixel >> 16 & 0xff <= alpha
}

extension ContentReport {
  fileprivate func contentWithoutPixels() throws(RequestError) -> PaneContent {
    let source = try source()
    do throws(PaneError) {
      var content = PaneContent(
        source: source, place: .center, vibrancy: nil, picture: Bitmap(width: 0, height: 0))
      if let at { content.place = try ContentPlace(parsing: at) }
      if let vibrancy { content.vibrancy = try Vibrancy.parsed(vibrancy) }
      return content
    } catch {
      throw .pane(error)
    }
  }

  private func source() throws(RequestError) -> PaneContent.Source {
    if let image { return .image(path: image) }
    guard let label else { throw .imageOrLabel }
    guard let font else { throw .missingKey(ContentKey.font.rawValue) }
    return .label(text: label, font: font)
  }
}
