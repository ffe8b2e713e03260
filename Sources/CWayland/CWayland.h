// The library only: the interfaces are tables in Swift (WaylandDisplay/Protocol).
#include <wayland-client-core.h>
