import Engine
import FakeCompositor
import TestSupport
import Testing
import WaylandClient

@testable import WaylandDisplay

/// Which protocol captures outputs, and the message if there is none.
@Suite struct CaptureChoiceTests {
  private static let screencopy = InterfaceTable.screencopyManager.name

  /// The protocol of a display on a compositor; the version of screencopy is nil for the newest and 0 for none.
  private func choice(
    screencopy version: Int? = nil, without missing: [InterfaceTable] = [],
    only: CaptureProtocol? = nil
  ) throws -> CaptureProtocol {
    let compositor = try FakeCompositor()
    for table in missing { compositor.removeGlobals(of: table.name) }
    if let version {
      compositor.removeGlobals(of: Self.screencopy)
      if version > 0 {
        compositor.add(FakeGlobal(Self.screencopy, version: version) { InertHandler() })
      }
    }
    let path = compositor.socketPath
    let display = try compositor.serve { () throws(DisplayError) in
      try WaylandDisplay.open(path, capturingBy: only)
    }
    switch display.objects.captures {
    case .screencopy: return .screencopy
    case .imageCopy: return .imageCopy
    case nil: throw TestFailure("the display captures nothing")
    }
  }

  @Test func screencopyIsPreferred() throws {
    #expect(try choice() == .screencopy)
    #expect(try choice(without: [.imageCopyManager]) == .screencopy)
    #expect(try choice(screencopy: 0) == .imageCopy)
    #expect(try choice(screencopy: 2) == .imageCopy)
    #expect(try choice(only: .imageCopy) == .imageCopy)
  }

  @Test(arguments: [
    (0, InterfaceTable.imageCopyManager, " nor ext_image_copy_capture_manager_v1"),
    (0, .outputSourceManager, " nor ext_output_image_capture_source_manager_v1"),
    (2, .imageCopyManager, " in version 3, but 2, nor ext_image_copy_capture_manager_v1"),
  ])
  func refusalNamesWhatIsMissing(version: Int, missing: InterfaceTable, end: String) throws {
    do {
      let compositor = try choice(screencopy: version, without: [missing])
      Issue.record("\(compositor)")
    } catch {
      #expect("\(error)".hasSuffix("the compositor has neither \(Self.screencopy)\(end)"))
    }
  }
}
