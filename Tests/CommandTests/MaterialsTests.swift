import FoundationEssentials
import Raster
import TestSupport
import Testing

/// One material in the output of `materials --json`.
private struct ListedMaterial: Decodable {
  var name: String
  var sigma, saturation, brightness, contrast, noise: Double
  var blend: [String]
  var tint, sees: String
  var takesColor: Bool
}

@Suite struct MaterialsTests {
  private func reports() throws -> [ListedMaterial] {
    let outcome = CommandFolder().run("materials", "--json")
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty)
    return try JSONDecoder().decode([ListedMaterial].self, from: Data(outcome.out.utf8))
  }

  @Test func everyMaterialIsListed() throws {
    let reports = try reports()
    #expect(reports.count == 21)
    let table = CommandFolder().run("materials").out
    for report in reports { #expect(table.contains(report.name)) }
    let mica = try #require(reports.first { $0.name == "mica" })
    #expect(mica.sees == "wallpaper" && mica.takesColor && mica.noise == 0.02)
    let thin = try #require(reports.first { $0.name == "thin-dark" })
    #expect(thin.sigma == 24 && thin.saturation == 1)
    #expect(thin.blend == ["normal:#252525B3", "overlay:#9C9C9CFF"])
  }

  /// The listed settings together give the same glass as the name of the material, except for the last
  /// digits of a colour, which eight digits do not hold.
  @Test func listedNumbersGiveTheSameGlass() throws {
    let folder = CommandFolder()
    let picture = HandmadePNG(colorType: 2, width: 96, height: 64) { x, y in
      [x * 2, y * 4, (x / 16 + y / 16) % 2 * 255]
    }
    folder.write("in.png", picture.bytes)
    for report in try reports() {
      let name = report.name == "tint" ? "tint #7040C0" : report.name
      let named = folder.run(
        "blur", "@in.png", "@named.png", "--material", name, "--noise", "0", "--no-dither")
      #expect(named.status == .exited(0), "\(named.err)")
      var arguments = [
        "--sigma=\(report.sigma)", "--saturation=\(report.saturation)", "--tint=\(report.tint)",
        "--no-dither",
      ]
      arguments += report.blend.map { "--blend=\($0)" }
      let spelled = try Child.run(
        ProgramPaths.backdropctl,
        ["blur", folder.path + "/in.png", folder.path + "/spelled.png"] + arguments,
        environment: [:])
      #expect(spelled.status == .exited(0), "\(spelled.err)")
      let one = try readPNG(folder.path + "/named.png")
      let other = try readPNG(folder.path + "/spelled.png")
      let difference = one.difference(from: other, tolerance: 1)
      #expect(difference == nil, "\(report.name): \(String(describing: difference))")
    }
  }

  @Test func sheetShowsEveryMaterial() throws {
    let folder = CommandFolder()
    #expect(folder.run("materials", "--sheet", "@sheet.png").status == .exited(0))
    let sheet = try readPNG(folder.path + "/sheet.png")
    #expect(sheet.width == 3 * 420 && sheet.height == 7 * 280)
    // The middles of all tiles differ, except that of mica, which is acrylic over another backdrop.
    var seen: Swift.Set<[UInt32]> = []
    for i in 0..<21 {
      let (left, top) = (i % 3 * 420 + 60, i / 3 * 280 + 60)
      seen.insert((0..<200).map { sheet[left + $0, top + $0 / 2] })
    }
    #expect(seen.count == 20)
    let picture = HandmadePNG(colorType: 2, width: 20, height: 3000) { _, _ in [9, 200, 9] }
    folder.write("tall.png", picture.bytes)
    #expect(
      folder.run("materials", "--sheet", "@over.png", "--over", "@tall.png").status == .exited(0))
    #expect(try readPNG(folder.path + "/over.png") != sheet)
  }

  @Test func wrongSheetOptionIsNamed() {
    let folder = CommandFolder()
    for (arguments, status, word) in [
      (["--over", "x.png"], 64, "--sheet"), (["--json", "--sheet", "x.png"], 64, "--json"),
      (["--sheet", "/nowhere/x.png"], 73, "/nowhere"),
      (["--sheet", folder.path + "/x.png", "--over", folder.path + "/none.png"], 66, "none.png"),
    ] {
      let outcome = try? Child.run(
        ProgramPaths.backdropctl, ["materials"] + arguments, environment: [:])
      #expect(outcome?.status == .exited(Int32(status)))
      #expect(outcome?.err.contains(word) == true, "\(String(describing: outcome?.err))")
    }
    #expect(folder.files.isEmpty)
  }
}
