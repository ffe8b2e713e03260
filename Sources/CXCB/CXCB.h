#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/bigreq.h>
#include <xcb/composite.h>
#include <xcb/damage.h>
#include <xcb/randr.h>
#include <xcb/screensaver.h>
#include <xcb/shape.h>
#include <xcb/shm.h>
#include <xcb/xc_misc.h>
#include <xcb/xfixes.h>
#include <xcb/xinput.h>

// Requests the codes of all extensions. Swift must not use their identifiers, which are variables.
static inline void request_extension_codes(xcb_connection_t *connection) {
  xcb_extension_t *const extensions[] = {&xcb_big_requests_id, &xcb_composite_id, &xcb_damage_id, &xcb_randr_id,
    &xcb_screensaver_id, &xcb_shape_id, &xcb_shm_id, &xcb_xc_misc_id, &xcb_xfixes_id, &xcb_input_id};
  for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++) xcb_prefetch_extension_data(connection, extensions[i]);
}
