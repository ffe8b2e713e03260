#include <spawn.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/un.h>

// spawn.h defines this for _GNU_SOURCE only.
enum { CLINUX_POSIX_SPAWN_SETSID = 0x80 };
// Since glibc 2.34.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// sys/mman.h declares these for _GNU_SOURCE only.
extern int memfd_create(const char *name, unsigned int flags);
enum { MFD_CLOEXEC = 1 };

// wchar.h declares this for _XOPEN_SOURCE only.
extern int wcwidth(wchar_t character);

// Swift does not import functions with a variable number of arguments. Returns 0 if it succeeds.
static inline int clinux_set_dumpable(int value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }
