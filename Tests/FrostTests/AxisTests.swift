@testable import Frost
import Testing

/// Sigmas of every branch of the plan.
private let sigmas: [Double] = [0, 2, 3.4, 5, 9.6, 19.2, 40, 80, 160]

/// Compares each relation between pixels and cells with its inverse, pixel by pixel. Errors in the
/// outermost weights would not be visible in a picture.
@Suite struct AxisTests {
  /// First pixels of the output.
  private static let starts = [0, 1, -37, 1920]

  @Test(arguments: sigmas, [1, 2, 15, 64, 200, 1501])
  func cellDependsOnlyOnPixelsOfItsSupport(sigma: Double, extent: Int) {
    for start in Self.starts {
      let axis = CellAxis(reduction: Plan(sigma: sigma).reduction, pixels: start..<start + extent)
      let wanted = -7..<(extent / axis.reduction.cell + 9)
      let offsets = Array(Set([0, 1, extent / 3, extent / 2, extent - 2, extent - 1]))
      for pixel in offsets.map({ start + $0 }) where axis.pixels.contains(pixel) {
        let reported = axis.cells(dependingOn: pixel..<pixel + 1, in: wanted)
        let depending = wanted.filter { cell in
          axis.support(ofCells: cell..<cell + 1).contains { axis.mirrored($0) == pixel }
        }
        #expect(reported.flatMap { Array($0) } == depending, "pixel \(pixel), start \(start)")
      }
      for cell in wanted {
        let support = axis.support(ofCells: cell..<cell + 3)
        let real = axis.realPixels(for: support)
        #expect(axis.pixels.contains(real))
        #expect(support.allSatisfy { real.contains(axis.mirrored($0)) }, "cell \(cell)")
      }
    }
  }

  /// A mirror image depends on the same pixels, in the opposite order, and so does no other cell.
  @Test(arguments: sigmas, [1, 2, 15, 64, 200, 1501])
  func mirroredCellDependsOnTheSamePixels(sigma: Double, extent: Int) {
    let axis = CellAxis(reduction: Plan(sigma: sigma).reduction, pixels: 5..<5 + extent)
    func pixels(_ cell: Int) -> [Int] {
      axis.support(ofCells: cell..<cell + 1).map { axis.mirrored($0) }
    }
    for cell in -40..<(extent / axis.reduction.cell + 40) {
      let original = axis.mirrored(cell: cell)
      #expect(axis.mirrored(cell: original) == original)
      if original == cell { continue }
      #expect(
        pixels(cell) == pixels(original) || pixels(cell) == pixels(original).reversed(),
        "cell \(cell), original \(original)")
    }
  }

  @Test(arguments: sigmas)
  func dependenciesOfCellsAndGridCellsAreInverse(sigma: Double) {
    let axis = GlassAxis(Plan(sigma: sigma), pixels: 0..<10_000)
    for cell in -20..<20 {
      let reported = axis.gridCells(dependingOnCells: cell..<cell + 1)
      let depending = (-40..<40).filter { axis.cells(ofGridCells: $0..<$0 + 1).contains(cell) }
      #expect(Array(reported) == depending)
    }
  }

  @Test(arguments: sigmas)
  func pixelDependsOnGridCellsItIsDrawnFrom(sigma: Double) {
    for start in Self.starts {
      let axis = GlassAxis(Plan(sigma: sigma), pixels: start..<start + 10_000)
      for pixel in start - 300..<start + 300 {
        let fine = axis.fineCells(aroundPixels: pixel..<pixel + 1)
        let all = axis.gridCells(aroundPixels: pixel..<pixel + 1)
        for cell in fine {
          let used = Self.gridCells(ofFineCell: cell, axis.doublings)
          #expect(used.allSatisfy(all.contains))
          for grid in used {
            let reported = axis.pixels(dependingOnGridCells: grid..<grid + 1)
            #expect(reported.contains(pixel), "pixel \(pixel), cell \(cell), grid cell \(grid)")
          }
        }
      }
    }
  }

  /// The grid cells that have a weight in a fine cell.
  private static func gridCells(ofFineCell cell: Int, _ doublings: Int) -> Set<Int> {
    if doublings == 0 { return [cell] }
    let near = cell >> 1
    return gridCells(ofFineCell: near, doublings - 1).union(
      gridCells(ofFineCell: cell & 1 == 0 ? near - 1 : near + 1, doublings - 1))
  }

  /// A pixel lies between the centres of its two fine cells, whose distance is their size.
  @Test(arguments: sigmas)
  func centresOfFineCellsAreRegular(sigma: Double) {
    let plan = Plan(sigma: sigma)
    let axis = GlassAxis(plan, pixels: 0..<10_000)
    // The centre of a small cell is its first pixel; that of a halved cell is between two cells.
    let (size, cell) = (Double(plan.gridCell), Double(plan.reduction.cell))
    let first = (plan.isHalved ? cell / 2 : 0) + (cell >= 8 ? (cell - 1) / 2 : 0)
    func centre(_ cell: Int, _ doublings: Int) -> Double {
      if doublings == 0 { return first + size * Double(cell) }
      let near = centre(cell >> 1, doublings - 1)
      let quarter = size / Double(1 << (doublings - 1)) / 4
      return near + (cell & 1 == 0 ? -quarter : quarter)
    }
    for cell in -20..<20 {
      let pixel = Double(axis.pixel(ofFineCell: cell))
      #expect(pixel == centre(cell, axis.doublings).rounded(.up))
    }
  }
}
