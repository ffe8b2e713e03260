import Control

extension StatusReport {
  /// A daemon without panes.
  static let example = StatusReport(
    display: ":0", connected: true, screen: "1920x1080", scale: 1, compositor: true, glass: "live",
    glassReason: "windows and the wallpaper can be read", locked: false, sharedMemory: true,
    rate: 60,
    allowedRate: 60,
    panes: 0, frames: 0, unchangedFrames: 0, damageEvents: 0, captures: 0, capturedPixels: 0,
    bytesRead: 0, bytesWritten: 0, milliseconds: StageMilliseconds(), cache: CacheReport(),
    redirectedWindows: 0, leftOutWindows: 0, obstructed: [], residentBytes: 0, bufferBytes: 0,
    version: "1.2", build: "x86-64", pid: 1234, uptimeSeconds: 3)
}
