import Glibc

/// Whether the machine runs on its battery: one is discharging, and no other source is online. `folder` has the power supplies in
/// the form of the kernel (Documentation/ABI/testing/sysfs-class-power).
package func isOnBattery(_ folder: String = "/sys/class/power_supply") -> Bool {
  guard let directory = unsafe opendir(folder) else { return false }
  defer { unsafe closedir(directory) }
  var isDischarging = false
  while let entry = unsafe readdir(directory) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    func value(_ key: String) -> Substring {
      textOfKernelFile("\(folder)/\(name)/\(key)").prefix { $0 != "\n" }
    }
    if name.hasPrefix(".") { continue }
    switch value("type") {
    case "Battery":
      // Those of mice and keyboards have the scope Device.
      if value("status") == "Discharging", value("scope") != "Device" { isDischarging = true }
    case "Mains", "USB", "Wireless": if value("online") == "1" { return false }
    default: break
    }
  }
  return isDischarging
}
