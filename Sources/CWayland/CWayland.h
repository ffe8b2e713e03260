// The library only: the interfaces are tables in Swift (WaylandClient/Protocol).
#include <wayland-client-core.h>
