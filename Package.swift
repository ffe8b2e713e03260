// swift-tools-version: 6.2
import PackageDescription

let rules: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  // For `@_lifetime`, which Swift 6.2 wants where a function writes to a span and has others; 6.3 infers it.
  .enableExperimentalFeature("Lifetimes"),
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// With `BACKDROPD_DEVELOPMENT`, debug builds optimize the modules that handle pixels, which are some 300 times slower otherwise.
let pixelRules: [SwiftSetting] =
  Context.environment["BACKDROPD_DEVELOPMENT"] == nil
  ? rules : rules + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Tests are not optimized, because that took a third of the time of a build, except those with models that compute much.
let plainTestRules = rules + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], rules: [SwiftSetting] = rules
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: rules)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: rules)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], rules: [SwiftSetting] = rules
) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: rules)
}

/// A package of which `BACKDROPD_PACKAGES` may name the folder, for builds without a network.
func dependency(_ name: String, exact version: Version) -> Package.Dependency {
  guard let folder = Context.environment["BACKDROPD_PACKAGES"], !folder.isEmpty else {
    return .package(url: "https://github.com/apple/\(name)", exact: version)
  }
  return .package(path: "\(folder)/\(name)")
}

/// The commit that `make build` builds. Git is not asked here, because SwiftPM keeps what a manifest evaluates to.
let commit = Context.environment["BACKDROPD_COMMIT"] ?? ""

let package = Package(
  name: "backdropd",
  products: [
    .executable(name: "backdropd", targets: ["backdropd"]),
    .executable(name: "backdropctl", targets: ["backdropctl"]),
    // Tests preload it into a daemon; nothing is linked with it.
    .library(name: "CFaults", type: .dynamic, targets: ["CFaults"]),
  ],
  dependencies: [
    dependency("swift-argument-parser", exact: "1.8.2"),
    dependency("swift-log", exact: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CXCB", pkgConfig: "xcb"),
    .systemLibrary(name: "CWayland", pkgConfig: "wayland-client"),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo"),
    .systemLibrary(name: "CConfig", pkgConfig: "libconfig"),
    .systemLibrary(name: "CPCRE", pkgConfig: "libpcre2-8"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSystemd"),
    .systemLibrary(name: "CBuiltins"),
    .target(name: "CBuild", cSettings: [.define("BUILT_COMMIT", to: "\"\(commit)\"")]),
    module("Linux", ["CLinux"]),
    module("Raster", rules: pixelRules),
    module("Frost", ["Raster", "CBuiltins"], rules: pixelRules),
    module("Panes", ["Frost", "Raster", "Linux", "CPCRE"]),
    module("Engine", ["Panes", "Frost", "Raster"]),
    module("X11Display", ["Engine", "Panes", "Frost", "Raster", "Linux", "CXCB", "CLinux"]),
    module("WaylandClient", ["Raster", "Linux", "CWayland", "CLinux"]),
    module("WaylandDisplay", ["Engine", "WaylandClient", "Panes", "Frost", "Raster", "Linux"]),
    module("Control", ["Panes", "Frost", "Raster", "Linux", "CLinux", "CBuild"]),
    module("Configuration", ["Panes", "Linux", "CConfig"]),
    module(
      "Doctor",
      [
        "X11Display", "WaylandDisplay", "WaylandClient", "Configuration", "Control", "Engine",
        "Panes", "Raster", "Linux",
      ]),
    module("Pictures", ["Panes", "Frost", "Raster", "CPango"]),
    module(
      "Daemon",
      [
        "Engine", "X11Display", "WaylandDisplay", "Control", "Panes", "Frost", "Raster", "Linux",
        "CLinux", "CSystemd",
        argumentParser, logging,
      ]),
    program("backdropd", ["Daemon"]),
    module(
      "Commands",
      [
        "Doctor", "Configuration", "Control", "Pictures", "X11Display", "WaylandDisplay", "Engine",
        "Panes", "Frost",
        "Raster",
        "Linux", "CPNG", "CZlib", "CLinux",
        argumentParser,
      ]),
    program("backdropctl", ["Commands"]),

    // Without the libraries of an X server, which TestSupport needs.
    .target(
      name: "TestDice", dependencies: ["Raster"], path: "Tests/TestDice", swiftSettings: rules),
    .target(
      name: "RandomPanes", dependencies: ["TestDice", "Panes", "Frost", "Raster"],
      path: "Tests/RandomPanes", swiftSettings: rules),
    .target(
      name: "HeadlessDisplay", dependencies: ["Engine", "Panes", "Raster"],
      path: "Tests/HeadlessDisplay", swiftSettings: rules),
    .target(
      name: "DisplayConformance", dependencies: ["TestDice", "Engine", "Raster"],
      path: "Tests/DisplayConformance", swiftSettings: rules),
    .target(
      name: "TestSupport",
      dependencies: ["TestDice", "WaylandClient", "Raster", "CXCB", "CPNG", "CZlib", "CLinux"],
      path: "Tests/TestSupport", swiftSettings: rules),
    .target(
      name: "FakeCompositor",
      dependencies: ["TestSupport", "TestDice", "WaylandClient", "Raster", "Linux", "CLinux"],
      path: "Tests/FakeCompositor", swiftSettings: rules),
    tests("LinuxTests", ["TestSupport", "TestDice", "Linux"], rules: plainTestRules),
    tests("RasterTests", ["TestDice", "Raster"]),
    tests("FrostTests", ["TestDice", "Panes", "Frost", "Raster"]),
    tests(
      "PanesTests", ["RandomPanes", "TestDice", "Panes", "Frost", "Raster", "Linux"],
      rules: plainTestRules),
    tests(
      "ConfigurationTests",
      [
        "RandomPanes", "TestSupport", "TestDice", "Configuration", "Panes", "Frost", "Raster",
        "Linux",
      ], rules: plainTestRules),
    tests("PicturesTests", ["TestDice", "Pictures", "Panes", "Frost", "Raster"]),
    tests(
      "EngineTests",
      [
        "DisplayConformance", "HeadlessDisplay", "TestDice", "Engine", "Panes", "Frost", "Raster",
      ]),
    tests(
      "X11DisplayTests",
      [
        "DisplayConformance", "TestSupport", "TestDice", "X11Display", "Engine", "Panes", "Raster",
        "Linux",
      ]),
    tests(
      "WaylandDisplayTests",
      [
        "DisplayConformance", "FakeCompositor", "HeadlessDisplay", "TestSupport", "TestDice",
        "WaylandDisplay", "WaylandClient", "Engine", "Panes", "Frost", "Raster",
      ]),
    tests(
      "ControlTests",
      ["RandomPanes", "TestDice", "Control", "Panes", "Frost", "Raster", "Linux"],
      rules: plainTestRules),
    tests(
      "DoctorTests",
      [
        "Doctor", "X11Display", "WaylandDisplay", "WaylandClient", "Control", "Engine", "Panes",
        "Raster",
      ], rules: plainTestRules),
    tests(
      "DaemonTests",
      [
        "TestSupport", "TestDice", "HeadlessDisplay", "Daemon", "Control", "Engine", "Panes",
        "Raster", logging,
      ],
      rules: plainTestRules),
    tests(
      "CommandTests", ["TestSupport", "TestDice", "Control", "Raster"],
      rules: plainTestRules),
    tests(
      "EndToEndTests",
      [
        "TestSupport", "RandomPanes", "TestDice", "Control", "Panes", "Frost", "Raster", "Linux",
        "CXCB", "CSystemd",
      ], rules: plainTestRules),
    // Reads the sources, the documents and the help of the programs.
    tests("ProjectTests", ["TestSupport", "Panes"], rules: plainTestRules),

    .target(name: "CFaults", path: "Tests/CFaults"),

    // Programs for developers that no product contains.
    .executableTarget(
      name: "Demo", dependencies: ["TestSupport", "Pictures", "Raster", argumentParser],
      path: "Tests/Demo",
      swiftSettings: rules),
    .executableTarget(
      name: "LiveBench", dependencies: ["TestSupport", "WaylandClient", "Raster", argumentParser],
      path: "Tests/LiveBench", swiftSettings: rules),
  ]
)

// `make fuzz` builds what libFuzzer calls, with flags that it needs everywhere.
if Context.environment["BACKDROPD_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer", "HeadlessDisplay", "Daemon", "Commands", "Configuration", "Pictures", "Control",
        "X11Display", "WaylandDisplay", "Engine", "Panes", "Raster", "Linux",
      ], path: "Tests/Fuzz", swiftSettings: rules,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ]
}

// One module can be tested without a build of all tests.
if let names = Context.environment["BACKDROPD_TESTS"] {
  let wanted = names.split(separator: ",").map(String.init)
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// The kernels are tested for several instruction sets; a build of all that is here takes some ten minutes.
if Context.environment["BACKDROPD_KERNELS"] != nil {
  let kernels = [
    "CBuiltins", "CLinux", "CPCRE", "Linux", "Raster", "Frost", "Panes", "TestDice", "FrostTests",
  ]
  package.targets.removeAll { !kernels.contains($0.name) }
  package.products = []
  // The packages that they do not need stay, because SwiftPM would forget their versions.
}
