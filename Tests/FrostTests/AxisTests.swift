@testable import Frost
import Testing

/// From every branch of the plan.
private let sigmas: [Double] = [0, 2, 3.4, 5, 9.6, 19.2, 40, 80, 160]

/// Each way from pixels to cells has a way back. The outermost weights are too small to be seen in a
/// picture: so the two are held against each other, place by place.
@Suite struct AxisTests {
  @Test(arguments: sigmas, [1, 2, 15, 64, 200, 1501])
  func aCellDependsOnThePixelsOfItsSupportAndOnNoOthers(sigma: Double, extent: Int) {
    let axis = Axis(plan: Plan(sigma: sigma), extent: extent)
    let wanted = -7..<(extent / axis.plan.cell + 9)
    let pixels = Array(Set([0, 1, extent / 3, extent / 2, extent - 2, extent - 1]))
    for pixel in pixels where (0..<extent).contains(pixel) {
      let reported = axis.cells(dependingOn: pixel..<pixel + 1, among: wanted)
      let depending = wanted.filter { cell in
        axis.support(ofCells: cell..<cell + 1).contains { axis.mirrored($0) == pixel }
      }
      let ascending = reported.flatMap { Array($0) }
      #expect(ascending == depending, "pixel \(pixel)")
    }
    for cell in wanted {
      let support = axis.support(ofCells: cell..<cell + 3)
      let images = support.map { axis.mirrored($0) }
      let real = axis.realPixels(for: support)
      #expect((0..<extent).contains(real))
      #expect(images.allSatisfy { real.contains($0) }, "cell \(cell)")
    }
  }

  @Test(arguments: sigmas)
  func halvedCellsAndTheirHalvesKnowEachOther(sigma: Double) {
    let axis = Axis(plan: Plan(sigma: sigma), extent: 10_000)
    for cell in -20..<20 {
      let touched = axis.gridCells(touchedByCells: cell..<cell + 1)
      let depending = (-40..<40).filter { axis.cells(underGridCells: $0..<$0 + 1).contains(cell) }
      #expect(Array(touched) == depending)
    }
  }

  @Test(arguments: sigmas)
  func whatAPixelIsDrawnFromTouchesIt(sigma: Double) {
    let axis = Axis(plan: Plan(sigma: sigma), extent: 10_000)
    for pixel in -300..<300 {
      let cells = axis.cells(aroundPixels: pixel..<pixel + 1)
      for cell in cells {
        for grid in axis.gridCells(aroundCells: cell..<cell + 1) where isWeighed(grid, in: cell) {
          let touched = axis.pixels(touchedByGridCells: grid..<grid + 1)
          #expect(touched.contains(pixel), "pixel \(pixel), cell \(cell), grid cell \(grid)")
        }
      }
    }
    /// Between cells, only the two nearest of a halved grid weigh.
    func isWeighed(_ grid: Int, in cell: Int) -> Bool {
      !axis.plan.isHalved || (2 * grid - 1...2 * grid + 2).contains(cell)
    }
  }
}
