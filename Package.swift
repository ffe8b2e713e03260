// swift-tools-version: 6.2
import PackageDescription

let rules: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: rules)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: rules)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: rules)
}

let package = Package(
  name: "backdropd",
  products: [
    .executable(name: "backdropd", targets: ["backdropd"]),
    .executable(name: "backdropctl", targets: ["backdropctl"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CXCB", pkgConfig: "xcb"),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng"),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo"),
    .systemLibrary(name: "CLinux"),
    room("Raster"),
    room("Frost", ["Raster"]),
    room("Panes", ["Frost", "Raster"]),
    room("Desktop", ["Panes", "Frost", "Raster"]),
    room("X11Desktop", ["Desktop", "Panes", "Raster", "CXCB", "CLinux"]),
    room("Control", ["Panes", "Frost", "Raster", "CLinux"]),
    room("Pictures", ["Panes", "Frost", "Raster", "CPango"]),
    program(
      "backdropd",
      [
        "Desktop", "X11Desktop", "Control", "Panes", "Frost", "Raster", "CLinux", argumentParser,
        logging,
      ]),
    program(
      "backdropctl",
      [
        "Control", "Pictures", "Panes", "Frost", "Raster", "CPNG", "CLinux",
        argumentParser,
      ]),

    // Apart from TestSupport, which takes an X server's libraries.
    .target(
      name: "TestDice", dependencies: ["Raster"], path: "Tests/TestDice", swiftSettings: rules),
    .target(
      name: "TestSupport", dependencies: ["TestDice", "Raster", "CXCB", "CPNG", "CLinux"],
      path: "Tests/TestSupport", swiftSettings: rules),
    tests("RasterTests", ["TestDice", "Raster"]),
    tests("FrostTests", ["TestDice", "Panes", "Frost", "Raster"]),
    tests("PanesTests", ["Panes", "Frost", "Raster"]),
    tests("PicturesTests", ["TestDice", "Pictures", "Frost", "Raster"]),
    tests("DesktopTests", ["TestDice", "Desktop", "Panes", "Frost", "Raster"]),
    tests("X11DesktopTests", ["X11Desktop"]),
    tests("ControlTests", ["Control", "Panes", "Frost", "Raster", "CLinux"]),
    tests("CommandTests", ["TestSupport", "Raster"]),
    tests("EndToEndTests", ["TestSupport", "TestDice", "Raster", "CXCB"]),
  ]
)
