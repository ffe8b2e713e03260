import Control
import Testing

/// The JSON that scripts and other programs read, as text: a change here breaks them.
@Suite struct PublicJSONTests {
  private static let place = PlaceReport(
    output: "HDMI-1", frame: "300x200+10+20", rect: "290x200+10+20", drawer: "open")
  private static let pane = PaneReport(
    name: "a", places: [place], isShown: true,
    settings: [
      "sigma": .number(12.5), "geometry": .text("300x200+10+20"), "workarea": .flag(true),
      "blend": .texts(["overlay:#FFFFFF"]),
    ], frames: 3, remainingSeconds: 1.5)
  private static let paneText =
    #"{"blend":["overlay:#FFFFFF"],"frames":3,"geometry":"300x200+10+20","isShown":true,"name":"a","#
    + #""places":[{"drawer":"open","frame":"300x200+10+20","output":"HDMI-1","rect":"290x200+10+20"}],"#
    + #""rect":"290x200+10+20","remainingSeconds":1.5,"sigma":12.5,"workarea":true}"#
  private static let output = OutputReport(
    name: "HDMI-1", active: true, primary: true, rect: "640x480+0+0", workArea: "640x450+0+30",
    scale: 1.5, rotation: 90, reflected: false)
  private static let outputText =
    #"{"active":true,"name":"HDMI-1","primary":true,"rect":"640x480+0+0","reflected":false,"rotation":90,"#
    + #""scale":1.5,"workArea":"640x450+0+30"}"#

  private static let replies: [(Reply, String)] = [
    (.done, #"{"reply":"done"}"#), (.panes([]), #"{"panes":[],"reply":"panes"}"#),
    (.panes([pane]), #"{"panes":[\#(paneText)],"reply":"panes"}"#),
    (
      .outputs([output, OutputReport(name: "DP-1", active: false, primary: false)]),
      #"{"outputs":[\#(outputText),{"active":false,"name":"DP-1","primary":false}],"reply":"outputs"}"#
    ),
    (
      .cache([
        CacheEntryReport(
          view: "windows", below: "normal", output: "screen", region: "64x64+0+0", rotation: 0,
          reflected: false, cell: 4, tiles: 2, pinnedTiles: 1, bytes: 8192, ageSeconds: 0.5,
          hits: 7, misses: 8)
      ]),
      #"{"cache":[{"ageSeconds":0.5,"below":"normal","bytes":8192,"cell":4,"hits":7,"misses":8,"#
        + #""output":"screen","pinnedTiles":1,"reflected":false,"region":"64x64+0+0","rotation":0,"tiles":2,"#
        + #""view":"windows"}],"reply":"cache"}"#
    ),
    (
      .actions([ActionReport(name: "a", action: "keep")]),
      #"{"actions":[{"action":"keep","name":"a"}],"reply":"actions"}"#
    ),
    (
      .picture(PictureReport(width: 5, height: 4, stride: 8)),
      #"{"picture":{"height":4,"stride":8,"width":5},"reply":"picture"}"#
    ),
    (
      .failure(.noInput, "a \"b\"/c\n"),
      #"{"failure":"noInput","reply":"failure","text":"a \"b\"/c\n"}"#
    ),
  ]

  @Test(arguments: replies.indices) func replyHasThisText(index: Int) {
    let (reply, text) = Self.replies[index]
    #expect(String(decoding: reply.line, as: UTF8.self) == text + "\n")
  }

  @Test func statusHasThisText() {
    var status = StatusReport(
      display: ":0", connected: true, screen: "640x480", scale: 1, compositor: false,
      glass: "live", glassReason: "none", locked: true, lockReason: "grab", sharedMemory: true,
      rate: 60, allowedRate: 30.5, cpuBudget: 25, onBattery: false, panes: 1, frames: 2,
      unchangedFrames: 3, damageEvents: 4, captures: 5, capturedPixels: 6, bytesRead: 7,
      bytesWritten: 8,
      milliseconds: StageMilliseconds(capture: 1, reduce: 2, blur: 3, draw: 4, present: 5.5),
      cache: CacheReport(
        bytes: 1, byteLimit: 2, tiles: 3, tileLimit: 4, pinnedTiles: 5, hits: 6, misses: 7,
        evictions: 8), redirectedWindows: 9, leftOutWindows: 10, obstructed: [],
      configuration: "/c", configurationErrors: ["line 1"], residentBytes: 11, bufferBytes: 12,
      version: "1.0", build: "x86-64", pid: 13, uptimeSeconds: 14.25)
    status.awaitingWallpaper = ["a"]
    let text =
      #"{"reply":"status","status":{"allowedRate":30.5,"awaitingWallpaper":["a"],"bufferBytes":12,"#
      + #""build":"x86-64","bytesRead":7,"bytesWritten":8,"cache":{"byteLimit":2,"bytes":1,"evictions":8,"#
      + #""hits":6,"misses":7,"pinnedTiles":5,"tileLimit":4,"tiles":3},"capturedPixels":6,"captures":5,"#
      + #""compositor":false,"configuration":"/c","configurationErrors":["line 1"],"connected":true,"#
      + #""cpuBudget":25,"damageEvents":4,"display":":0","frames":2,"glass":"live","glassReason":"none","#
      + #""leftOutWindows":10,"lockReason":"grab","locked":true,"milliseconds":{"blur":3,"capture":1,"#
      + #""draw":4,"present":5.5,"reduce":2},"obstructed":[],"onBattery":false,"panes":1,"pid":13,"rate":60,"#
      + #""redirectedWindows":9,"residentBytes":11,"scale":1,"screen":"640x480","sharedMemory":true,"#
      + #""unchangedFrames":3,"uptimeSeconds":14.25,"version":"1.0"}}"#
    #expect(String(decoding: Reply.status(status).line, as: UTF8.self) == text + "\n")
  }

  private static let events: [(EventReport, String)] = [
    (EventReport(.paneAdded, pane: pane), #"{"event":"pane-added","pane":\#(paneText)}"#),
    (
      EventReport(.outputChanged, output: output),
      #"{"event":"output-changed","output":\#(outputText)}"#
    ),
    (
      EventReport(.panesReordered, panes: ["a", "b"]),
      #"{"event":"panes-reordered","panes":["a","b"]}"#
    ),
    (EventReport(.displayLost), #"{"event":"display-lost"}"#),
    (EventReport(.errorEnded, text: "x"), #"{"event":"error-ended","text":"x"}"#),
    (
      EventReport(.rates, rates: RateReport(frames: 1, captures: 2.5, pixels: 3, panes: ["a": 4])),
      #"{"event":"rates","rates":{"captures":2.5,"frames":1,"panes":{"a":4},"pixels":3}}"#
    ),
  ]

  @Test(arguments: events.indices) func eventHasThisText(index: Int) {
    let (event, text) = Self.events[index]
    #expect(String(decoding: event.line, as: UTF8.self) == text + "\n")
  }

  /// Their names are also those that `subscribe` takes.
  @Test func kindsOfEventsHaveTheseNames() {
    #expect(
      EventKind.allCases.map(\.rawValue) == [
        "pane-added", "pane-removed", "pane-shown", "pane-hidden", "pane-moved", "pane-changed",
        "panes-reordered", "output-added", "output-changed", "output-removed", "display-lost",
        "display-found", "locked", "unlocked", "reload", "error", "error-ended", "rates",
      ])
  }
}
