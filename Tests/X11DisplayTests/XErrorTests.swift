import Testing

@testable import X11Display

@Suite struct XErrorTests {
  private func error(_ code: UInt8, _ request: RequestName? = .mapWindow) -> XError {
    XError(
      code: code, request: request, requestCodes: (major: 142, minor: 3), subject: 0x40_001f,
      sibling: nil)
  }

  @Test func textNamesRequestResourceAndError() {
    #expect("\(error(3))" == "MapWindow of 0x40001f: BadWindow")
    #expect("\(error(8, .shmPutImage))" == "MIT-SHM:PutImage of 0x40001f: BadMatch")
    #expect(error(3).requestText == "MapWindow of 0x40001f")
  }

  @Test func requestThatIsNotInTheLogHasItsNumbers() {
    #expect("\(error(10, nil))" == "request 142.3 of 0x40001f: BadAccess")
  }

  @Test(
    arguments: [
      (1, "BadRequest"), (2, "BadValue"), (3, "BadWindow"), (4, "BadPixmap"), (5, "BadAtom"),
      (6, "BadCursor"), (7, "BadFont"), (8, "BadMatch"), (9, "BadDrawable"), (10, "BadAccess"),
      (11, "BadAlloc"), (12, "BadColor"), (13, "BadGC"), (14, "BadIDChoice"), (15, "BadName"),
      (16, "BadLength"), (17, "BadImplementation"),
    ] as [(UInt8, String)])
  func codeHasItsNameOfTheProtocol(code: UInt8, name: String) {
    #expect("\(error(code))".hasSuffix(": \(name)"))
  }

  @Test(arguments: [0, 18, 127, 128, 255] as [UInt8])
  func codeOfAnExtensionIsANumber(code: UInt8) {
    #expect("\(error(code))".hasSuffix(": error \(code)"))
  }

  @Test func onlyBadAllocIsLackOfMemory() {
    for code in UInt8.min ... .max { #expect(error(code).isLackOfMemory == (code == 11)) }
  }
}

@Suite struct IdentityTests {
  private let identity = Identity(base: 0x40_0000, mask: 0x1f_ffff)

  @Test func resourcesOfOurRangeAreOwn() {
    for id: UInt32 in [0x40_0000, 0x40_0001, 0x5f_ffff] { #expect(identity.isOwn(id)) }
    for id: UInt32 in [0, 0x1f_ffff, 0x3f_ffff, 0x60_0000, 0x2040_0000] {
      #expect(!identity.isOwn(id))
    }
  }

  @Test func resourcesOfClientZeroAreTheServers() {
    for id: UInt32 in [0, 0x1f_ffff, 0x2000_0001, 0x8000_0002] { #expect(identity.isServers(id)) }
    for id: UInt32 in [0x20_0000, 0x40_0000, 0x2020_0000] { #expect(!identity.isServers(id)) }
  }
}
