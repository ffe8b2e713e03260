import TestDice
import Testing

@testable import X11Display

/// Compositors that start and end while a test of the probe is on the way.
@Suite struct BlendingProbeTests {
  private static let windows = ProbeWindows(visible: 1, tested: 2)

  /// What a compositor does with windows.
  private struct Compositor {
    var ownsSelection = false
    /// Redirected manually, as by one that blends, or automatically.
    var redirection = Redirection.none
    enum Redirection: CaseIterable { case none, automatic, manual }
  }

  /// The server sends events and errors in the order of its requests. When nothing changes any more, the probe knows whether
  /// windows are blended.
  @Test(arguments: 0..<300)
  func probeAgreesWithTheCompositorInTheEnd(seed: Int) {
    var dice = Dice(seed: seed)
    var probe = BlendingProbe(Self.windows, canHaveAlpha: true, hasCompositor: false)
    var compositor = Compositor()
    var tests = 0
    var items: [Item] = []
    func execute() {
      tests -= 1
      if compositor.redirection == .manual { items.append(.refusal) }
      items.append(.marker)
    }
    func read() {
      var isTested = false
      switch items.removeFirst() {
      case .selection(let isOwned): isTested = probe.setCompositor(isOwned)
      case .visibility(let isFull): isTested = probe.setVisibility(of: 1, isFull: isFull)
      case .marker: isTested = probe.endTest()
      case .refusal:
        let isOfTest = probe.recordFailure(Self.refusal(of: 2))
        #expect(isOfTest, "\(dice)")
      }
      if isTested { tests += 1 }
    }
    for _ in 0..<80 {
      switch dice.roll(0...6) {
      case 0:
        compositor.ownsSelection.toggle()
        items.append(.selection(compositor.ownsSelection))
      case 1:
        let next = Compositor.Redirection.allCases[dice.roll(0...2)]
        let isChanged = (next == .none) != (compositor.redirection == .none)
        // The server reports a change of the visibility alone. A compositor that changes its way gives up its selection.
        if !isChanged, next != compositor.redirection { continue }
        compositor.redirection = next
        if isChanged { items.append(.visibility(next != .none)) }
      case 2, 3: if tests > 0 { execute() }
      default: if !items.isEmpty { read() }
      }
    }
    while tests > 0 || !items.isEmpty {
      if tests > 0 { execute() }
      if !items.isEmpty { read() }
    }
    #expect(!probe.isTesting, "\(dice)")
    let blends = compositor.ownsSelection && compositor.redirection == .manual
    #expect(probe.blendsAlpha == blends, "\(dice)")
  }

  private enum Item {
    case selection(Bool)
    case visibility(Bool)
    case refusal
    case marker
  }

  private static func refusal(of window: UInt32) -> XError {
    XError(
      code: 10, request: .tryManualRedirect, requestCodes: (0, 0), subject: window, sibling: nil)
  }

  @Test func withoutAlphaNothingIsTested() {
    var probe = BlendingProbe(Self.windows, canHaveAlpha: false, hasCompositor: true)
    let isTested = probe.setVisibility(of: 1, isFull: true)
    #expect(!isTested && !probe.blendsAlpha)
  }

  @Test func errorsOfOtherRequestsAreNotOfTheTest() {
    var probe = BlendingProbe(Self.windows, canHaveAlpha: true, hasCompositor: true)
    let isEarly = probe.recordFailure(Self.refusal(of: 2))
    #expect(!isEarly, "there is no test")
    let isTested = probe.setVisibility(of: 1, isFull: true)
    let failures = [9, 2].map { probe.recordFailure(Self.refusal(of: $0)) }
    #expect(isTested && failures == [false, true])
    let isTestedAgain = probe.endTest()
    #expect(!isTestedAgain && probe.blendsAlpha)
  }
}
