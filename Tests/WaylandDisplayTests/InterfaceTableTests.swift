import Glibc
import TestSupport
import Testing
import WaylandClient

/// The tables of interfaces equal the protocols of Debian's packages libwayland-dev and librust-wayland-protocols-dev. Those
/// that are newer than Debian 12 are compared where the package wayland-protocols has them; on Debian 12 only compositors of
/// later releases prove them.
@Suite struct InterfaceTableTests {
  private static let files: [String] = {
    let registry = "/usr/share/cargo/registry"
    let folder =
      namesInDirectory(registry).filter { $0.hasPrefix("wayland-protocols-") }.max() ?? "none"
    return ["/usr/share/wayland/wayland.xml"]
      + [
        "wlr-protocols/unstable/wlr-layer-shell-unstable-v1.xml",
        "wlr-protocols/unstable/wlr-screencopy-unstable-v1.xml",
        "protocols/unstable/xdg-output/xdg-output-unstable-v1.xml",
        "protocols/stable/viewporter/viewporter.xml",
        "wlr-protocols/unstable/wlr-virtual-pointer-unstable-v1.xml",
        "protocols/stable/xdg-shell/xdg-shell.xml",
      ].map { "\(registry)/\(folder)/\($0)" }
  }()

  /// A protocol that Debian 12 does not have.
  struct NewerProtocol: CustomTestStringConvertible {
    /// Below `/usr/share/wayland-protocols/staging`.
    let file: String
    let tables: [InterfaceTable]

    var testDescription: String { file }
    var path: String { "/usr/share/wayland-protocols/staging/\(file)" }
    var isInstalled: Bool { unsafe access(path, R_OK) == 0 }
  }

  static let newerProtocols = [
    NewerProtocol(
      file: "ext-image-capture-source/ext-image-capture-source-v1.xml",
      tables: [.outputSourceManager, .imageSource]),
    NewerProtocol(
      file: "ext-image-copy-capture/ext-image-copy-capture-v1.xml",
      tables: [.imageCopyManager, .imageCopySession, .imageCopyFrame]),
    NewerProtocol(
      file: "ext-background-effect/ext-background-effect-v1.xml",
      tables: [.backgroundEffectManager, .backgroundEffect]),
  ]

  /// A message in the XML and the version since which it exists.
  private struct Described {
    let message: Message
    let since: Int
  }

  /// The requests and the events of each interface.
  private static func interfaces(
    in text: String
  ) -> [String: (requests: [Described], events: [Described])] {
    var found: [String: (requests: [Described], events: [Described])] = [:]
    for part in text.split(separator: "<interface ").dropFirst() {
      let body = part.split(separator: "</interface>")[0]
      let name = attribute("name", of: body) ?? ""
      var messages: [String: [Described]] = [:]
      for kind in ["request", "event"] {
        for element in body.split(separator: "<\(kind) ").dropFirst() {
          let text = element.split(separator: "</\(kind)>")[0]
          messages[kind, default: []].append(message(of: text))
        }
      }
      found[name] = (messages["request"] ?? [], messages["event"] ?? [])
    }
    return found
  }

  private static func message(of text: Substring) -> Described {
    let since = attribute("since", of: text.prefix { $0 != ">" }).flatMap { Int($0) } ?? 1
    var signature = since > 1 ? "\(since)" : ""
    var interfaces: [String] = []
    for argument in text.split(separator: "<arg ").dropFirst() {
      let element = argument.prefix { $0 != ">" }
      let type = attribute("type", of: element) ?? ""
      let interface = attribute("interface", of: element)
      if attribute("allow-null", of: element) == "true" { signature += "?" }
      if type == "new_id", interface == nil { signature += "su" }
      signature += letters[type] ?? "."
      if "on".contains(letters[type] ?? "."), let interface { interfaces.append(interface) }
    }
    return Described(
      message: Message(
        attribute("name", of: text) ?? "", signature: signature, interfaces: interfaces),
      since: since)
  }

  private static let letters = [
    "int": "i", "uint": "u", "fixed": "f", "string": "s", "object": "o", "new_id": "n",
    "array": "a", "fd": "h",
  ]

  /// The value of an attribute of an element, whose text starts after its name.
  private static func attribute(_ name: String, of element: Substring) -> String? {
    let parts = (" " + element).split(
      separator: " \(name)=\"", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : nil
  }

  @Test func tablesEqualTheProtocols() throws {
    let newer = Self.newerProtocols.flatMap(\.tables).map(\.name)
    try expectProtocols(
      of: (InterfaceTable.all + InterfaceTable.describedTests).filter { !newer.contains($0.name) },
      in: Self.files)
  }

  @Test(arguments: newerProtocols.filter(\.isInstalled))
  func newerTablesEqualTheProtocols(_ newer: NewerProtocol) throws {
    try expectProtocols(of: newer.tables, in: [newer.path])
  }

  private func expectProtocols(of tables: [InterfaceTable], in files: [String]) throws {
    var known: [String: (requests: [Described], events: [Described])] = [:]
    for file in files {
      known.merge(Self.interfaces(in: try readText(file))) { $1 }
    }
    for table in tables {
      let described = try #require(known[table.name], "\(table.name)")
      // Newer versions append messages.
      func messages(_ all: [Described]) -> [Message] {
        all.filter { $0.since <= table.version }.map(\.message)
      }
      #expect(table.requests == messages(described.requests), "\(table.name)")
      #expect(
        table.events.isEmpty || table.events == messages(described.events), "\(table.name)")
    }
  }
}
