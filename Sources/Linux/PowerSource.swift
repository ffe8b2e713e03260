/// Whether the machine runs on its battery: one is discharging, and no other source is online. `folder` has the power supplies in
/// the form of the kernel (Documentation/ABI/testing/sysfs-class-power).
package func isOnBattery(_ folder: String = "/sys/class/power_supply") -> Bool {
  var isDischarging = false
  for name in namesInFolder(folder) {
    func value(_ key: String) -> Substring {
      textOfKernelFile("\(folder)/\(name)/\(key)").prefix { $0 != "\n" }
    }
    switch value("type") {
    case "Battery":
      // Batteries of mice and keyboards have the scope Device.
      if value("status") == "Discharging", value("scope") != "Device" { isDischarging = true }
    case "Mains", "USB", "Wireless": if value("online") == "1" { return false }
    default: break
    }
  }
  return isDischarging
}
