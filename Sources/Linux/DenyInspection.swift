import CLinux

/// From now on no other process of this user can read the memory of this one or open its files, and no core dump is written:
/// it has pixels of the screen. Root can. Sanitizers must inspect their process, so this does nothing in their builds.
package func denyInspection() {
  #if !INSPECTABLE
    _ = clinux_set_dumpable(0)
  #endif
}
