import Glibc
import Raster
import TestSupport
import Testing

/// The demo, a program for developers, on a screen in memory.
@Suite struct DemoTests {
  /// That of this process, without a display.
  private let environment: [String: String] = {
    var environment = ["LC_ALL": "C.UTF-8"]
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"]
    {
      if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
    }
    return environment
  }()

  @Test func demoWritesAScreenshot() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/demo.png"
    let demo = try Child(ProgramPaths.demo, ["--output", path], environment: environment)
    var processes: Set<Int32> = []
    let deadline = ContinuousClock.now + .seconds(60)
    while demo.wait(for: .milliseconds(200)) == nil, ContinuousClock.now < deadline {
      processes.formUnion(descendants(of: demo.pid))
    }
    #expect(demo.wait(for: .zero) == .exited(0), "\(demo.err)")
    #expect(demo.out.contains("frames") && demo.out.contains(path), "\(demo.out)")
    #expect(try readPNG(path).bounds == Rect(x: 0, y: 0, width: 1920, height: 1080))
    #expect(processes.count >= 5)
    #expect(soon { processes.allSatisfy { kill($0, 0) != 0 } })
  }

  @Test func interruptedDemoEndsItsProcesses() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/demo.png"
    let demo = try Child(ProgramPaths.demo, ["--output", path], environment: environment)
    var processes: Set<Int32> = []
    // The server, the daemon and some programs.
    #expect(
      soon {
        processes.formUnion(descendants(of: demo.pid))
        return processes.count >= 5
      })
    demo.terminate()
    #expect(demo.wait(for: .seconds(30)) == .exited(130), "\(demo.err)")
    #expect(soon { processes.allSatisfy { kill($0, 0) != 0 } })
    #expect(namesInDirectory(directory.path).isEmpty)
  }
}

/// The children of a process, and their children.
private func descendants(of pid: Int32) -> [Int32] {
  namesInDirectory("/proc/\(pid)/task").flatMap { thread in
    let bytes = (try? readBytes("/proc/\(pid)/task/\(thread)/children")) ?? []
    let children = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap {
      Int32($0)
    }
    return children + children.flatMap { descendants(of: $0) }
  }
}
