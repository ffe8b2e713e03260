// Lets chosen calls of a program fail. A test preloads this library into `backdropd`, and chooses the calls by the file that the
// variable BACKDROPD_FAULTS names (see `FaultInjector` of the tests).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <xcb/xcbext.h>

// The calls that can fail, as `FaultInjector.Kind` numbers them.
enum kind { ALLOCATION, MAPPING, DESCRIPTOR, READ, WRITE, TRUNCATION, SYNC, NAME, THREAD, WAIT, SETTING, REQUEST, KIND_COUNT };

// What the file contains for each kind.
struct fault {
  // The number of calls so far.
  _Atomic int32_t calls;
  // The number of calls until one fails, with it; none fails if it is not positive.
  _Atomic int32_t countdown;
  // The error number. A write that fails with 0 writes a part.
  _Atomic int32_t error;
};

// The file.
struct file {
  struct fault faults[KIND_COUNT];
  // For how many seconds the machine was suspended. The time of the day is set back by as many.
  _Atomic int32_t suspended;
  // Whether files lose the bytes that are not on the disk when they are closed, as if the power failed then.
  _Atomic int32_t loses_unsynced;
};

static struct file unwatched;
static struct file *file = &unwatched;

// Counts a call, and sets `errno` if it must fail.
static bool fails(enum kind kind) {
  struct fault *fault = &file->faults[kind];
  fault->calls++;
  if (fault->countdown <= 0 || fault->countdown-- != 1) return false;
  errno = fault->error;
  return true;
}

// The function of the system that the one with this name hides.
#define REAL(name) \
  ({ \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    real; \
  })

#define WRAP(kind, type, name, parameters, ...) \
  type name parameters { return fails(kind) ? (type)-1 : REAL(name)(__VA_ARGS__); }

// A function that returns its error number.
#define WRAP_CODE(kind, name, parameters, ...) \
  int name parameters { return fails(kind) ? errno : REAL(name)(__VA_ARGS__); }

// The prototypes are those of registers, without the headers that declare some of them with a variable number of arguments.

WRAP(MAPPING, void *, mmap, (void *at, size_t size, int access, int flags, int file, long start),
  at, size, access, flags, file, start)
WRAP(MAPPING, void *, mmap64, (void *at, size_t size, int access, int flags, int file, long start),
  at, size, access, flags, file, start)

// The descriptors of files that were emptied when they were opened, and have not been synced since.
enum { WATCHED_COUNT = 1024 };
static _Atomic bool is_unsynced[WATCHED_COUNT];

static int set_unsynced(int descriptor, bool value) {
  if (descriptor >= 0 && descriptor < WATCHED_COUNT) is_unsynced[descriptor] = value;
  return descriptor;
}

static int emptied(int descriptor, int flags) {
  enum { TRUNCATED = 01000 };
  return set_unsynced(descriptor, flags & TRUNCATED);
}

int open(const char *path, int flags, long mode) {
  return fails(DESCRIPTOR) ? -1 : emptied(REAL(open)(path, flags, mode), flags);
}
int open64(const char *path, int flags, long mode) { return open(path, flags, mode); }

int close(int descriptor) {
  struct stat status;
  // The number may be that of a file in memory by now.
  if (file->loses_unsynced && descriptor >= 0 && descriptor < WATCHED_COUNT && is_unsynced[descriptor] &&
      fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 0) {
    REAL(ftruncate)(descriptor, 0);
  }
  set_unsynced(descriptor, false);
  return REAL(close)(descriptor);
}

WRAP(DESCRIPTOR, int, openat, (int folder, const char *path, int flags, long mode), folder, path, flags, mode)
WRAP(DESCRIPTOR, int, openat64, (int folder, const char *path, int flags, long mode), folder, path, flags, mode)
WRAP(DESCRIPTOR, int, socket, (int domain, int type, int protocol), domain, type, protocol)
WRAP(DESCRIPTOR, int, socketpair, (int domain, int type, int protocol, int pair[2]), domain, type, protocol, pair)
WRAP(DESCRIPTOR, int, accept, (int file, struct sockaddr *address, socklen_t *length), file, address, length)
WRAP(DESCRIPTOR, int, accept4, (int file, struct sockaddr *address, socklen_t *length, int flags), file, address, length, flags)
WRAP(DESCRIPTOR, int, memfd_create, (const char *name, unsigned flags), name, flags)
WRAP(DESCRIPTOR, int, pipe2, (int pair[2], int flags), pair, flags)
WRAP(DESCRIPTOR, int, eventfd, (unsigned value, int flags), value, flags)
WRAP(DESCRIPTOR, int, signalfd, (int file, const void *signals, int flags), file, signals, flags)
WRAP(DESCRIPTOR, int, timerfd_create, (int clock, int flags), clock, flags)
WRAP(DESCRIPTOR, int, epoll_create1, (int flags), flags)
WRAP(DESCRIPTOR, int, inotify_init1, (int flags), flags)
WRAP(DESCRIPTOR, int, pidfd_open, (int process, unsigned flags), process, flags)
WRAP(DESCRIPTOR, int, dup, (int file), file)
WRAP(DESCRIPTOR, int, dup2, (int file, int number), file, number)

// Of its commands only the copies make descriptors.
int fcntl(int file, int command, long argument) {
  enum { COPY = 0, COPY_CLOEXEC = 1030 };
  if ((command == COPY || command == COPY_CLOEXEC) && fails(DESCRIPTOR)) return -1;
  return REAL(fcntl)(file, command, argument);
}
int fcntl64(int file, int command, long argument) { return fcntl(file, command, argument); }

void *opendir(const char *path) { return fails(DESCRIPTOR) ? NULL : REAL(opendir)(path); }

// The kernel closes the files of a message for which the process has no descriptors.
static void lose_files(struct msghdr *message) {
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (int *file = (int *)CMSG_DATA(part); (char *)file < (char *)part + part->cmsg_len; file++) close(*file);
    part->cmsg_len = CMSG_LEN(0);
  }
  message->msg_controllen = 0;
  message->msg_flags |= MSG_CTRUNC;
}

ssize_t recvmsg(int file, struct msghdr *message, int flags) {
  if (fails(READ)) return -1;
  ssize_t count = REAL(recvmsg)(file, message, flags);
  if (count >= 0 && CMSG_FIRSTHDR(message) && fails(DESCRIPTOR)) lose_files(message);
  return count;
}
WRAP(READ, ssize_t, recv, (int file, void *bytes, size_t count, int flags), file, bytes, count, flags)
WRAP(READ, ssize_t, read, (int file, void *bytes, size_t count), file, bytes, count)
WRAP(READ, ssize_t, pread, (int file, void *bytes, size_t count, long start), file, bytes, count, start)
WRAP(READ, ssize_t, pread64, (int file, void *bytes, size_t count, long start), file, bytes, count, start)

// How many bytes a write that fails writes: a part if that is asked for and possible, else none. Writes to the log do not fail.
static ssize_t written(int file, size_t count) {
  if (file <= STDERR_FILENO || !fails(WRITE)) return count;
  if (errno != 0) return -1;
  struct stat status;
  bool is_divisible = fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISSOCK(status.st_mode));
  return is_divisible ? (count + 1) / 2 : count;
}

static size_t size(const struct iovec *parts, size_t count) {
  size_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += parts[i].iov_len;
  return sum;
}

ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t part = written(file, count);
  return part < 0 ? -1 : REAL(write)(file, bytes, part);
}
ssize_t pwrite(int file, const void *bytes, size_t count, long start) {
  ssize_t part = written(file, count);
  return part < 0 ? -1 : REAL(pwrite)(file, bytes, part, start);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, long start) { return pwrite(file, bytes, count, start); }
ssize_t send(int file, const void *bytes, size_t count, int flags) {
  ssize_t part = written(file, count);
  return part < 0 ? -1 : REAL(send)(file, bytes, part, flags);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  ssize_t all = size(parts, count), part = written(file, all);
  if (part < 0) return -1;
  return part < all ? REAL(write)(file, parts[0].iov_base, (parts[0].iov_len + 1) / 2) : REAL(writev)(file, parts, count);
}
ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
  ssize_t all = size(message->msg_iov, message->msg_iovlen), part = written(file, all);
  if (part < 0) return -1;
  if (part == all) return REAL(sendmsg)(file, message, flags);
  struct iovec first = {message->msg_iov[0].iov_base, (message->msg_iov[0].iov_len + 1) / 2};
  struct msghdr short_message = *message;
  short_message.msg_iov = &first;
  short_message.msg_iovlen = 1;
  return REAL(sendmsg)(file, &short_message, flags);
}

WRAP(TRUNCATION, int, ftruncate, (int file, long size), file, size)
WRAP(TRUNCATION, int, ftruncate64, (int file, long size), file, size)
WRAP_CODE(TRUNCATION, posix_fallocate, (int file, long start, long size), file, start, size)

static int synced(int descriptor, int result) {
  if (result == 0) set_unsynced(descriptor, false);
  return result;
}
int fsync(int descriptor) { return fails(SYNC) ? -1 : synced(descriptor, REAL(fsync)(descriptor)); }
int fdatasync(int descriptor) { return fails(SYNC) ? -1 : synced(descriptor, REAL(fdatasync)(descriptor)); }

WRAP(NAME, int, rename, (const char *from, const char *to), from, to)
WRAP(NAME, int, unlink, (const char *path), path)
WRAP(NAME, int, mkdir, (const char *path, unsigned mode), path, mode)
WRAP(NAME, int, bind, (int file, const struct sockaddr *address, socklen_t length), file, address, length)
WRAP(NAME, int, connect, (int file, const struct sockaddr *address, socklen_t length), file, address, length)
WRAP(NAME, int, inotify_add_watch, (int file, const char *path, uint32_t events), file, path, events)

WRAP_CODE(THREAD, pthread_create, (pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context),
  thread, attributes, body, context)
WRAP_CODE(THREAD, posix_spawnp,
  (int *process, const char *path, const void *actions, const void *attributes, char *const *arguments, char *const *variables),
  process, path, actions, attributes, arguments, variables)

WRAP(WAIT, int, poll, (void *polled, unsigned long count, int timeout), polled, count, timeout)

WRAP(SETTING, int, timerfd_settime, (int file, int flags, const void *new, void *old), file, flags, new, old)
WRAP(SETTING, int, listen, (int file, int count), file, count)
WRAP(SETTING, int, flock, (int file, int operation), file, operation)
WRAP(SETTING, int, fchmod, (int file, unsigned mode), file, mode)
WRAP(SETTING, int, madvise, (void *at, size_t size, int advice), at, size, advice)
WRAP(SETTING, int, ioctl, (int file, unsigned long request, long argument), file, request, argument)
WRAP(SETTING, int, shutdown, (int file, int how), file, how)
WRAP(SETTING, int, getsockopt, (int file, int level, int name, void *value, socklen_t *length), file, level, name, value, length)
WRAP(SETTING, int, setsockopt, (int file, int level, int name, const void *value, socklen_t length),
  file, level, name, value, length)

int clock_gettime(int clock, struct timespec *time) {
  int result = REAL(clock_gettime)(clock, time);
  if (result == 0 && clock == CLOCK_BOOTTIME) time->tv_sec += file->suspended;
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec -= file->suspended;
  return result;
}

// The standard library ends a process that has no memory, so only allocations in the code of these libraries fail.
struct code {
  uintptr_t start, end;
};
static struct code code[32];
static int code_count;

static const char *const libraries[] = {"/libxcb", "/libwayland-client.", "/libpcre2-8.", "/libsystemd.", NULL};

static int note_library(struct dl_phdr_info *library, size_t size, void *unused) {
  for (const char *const *name = libraries; *name; name++) {
    if (!strstr(library->dlpi_name, *name)) continue;
    for (int i = 0; i < library->dlpi_phnum; i++) {
      const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
      if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || code_count == 32) continue;
      uintptr_t start = library->dlpi_addr + segment->p_vaddr;
      code[code_count++] = (struct code){start, start + segment->p_memsz};
    }
  }
  return 0;
}

static bool allocation_fails(const void *caller) {
  for (int i = 0; i < code_count; i++) {
    if ((uintptr_t)caller - code[i].start < code[i].end - code[i].start) return fails(ALLOCATION);
  }
  return false;
}

// dlsym(3) allocates.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return allocation_fails(CALLER) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return allocation_fails(CALLER) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return allocation_fails(CALLER) ? NULL : __libc_realloc(old, size); }

// A request that fails has an opcode that no server knows. It has no files then, because such a server does not take them.
enum { UNKNOWN_OPCODE = 126 };

uint64_t xcb_send_request_with_fds64(
  xcb_connection_t *x, int flags, struct iovec *parts, const xcb_protocol_request_t *request, unsigned file_count, int *files) {
  xcb_protocol_request_t sent = *request;
  if (fails(REQUEST)) {
    sent.ext = NULL;
    sent.opcode = UNKNOWN_OPCODE;
    while (file_count > 0) close(files[--file_count]);
  }
  return REAL(xcb_send_request_with_fds64)(x, flags, parts, &sent, file_count, files);
}

// The error becomes the one that the test has chosen.
static void *disguise(void *item) {
  xcb_generic_error_t *error = item;
  if (error && error->response_type == 0 && error->major_code == UNKNOWN_OPCODE) error->error_code = file->faults[REQUEST].error;
  return item;
}
xcb_generic_event_t *xcb_poll_for_event(xcb_connection_t *x) { return disguise(REAL(xcb_poll_for_event)(x)); }
xcb_generic_event_t *xcb_poll_for_queued_event(xcb_connection_t *x) { return disguise(REAL(xcb_poll_for_queued_event)(x)); }
int xcb_poll_for_reply(xcb_connection_t *x, unsigned request, void **reply, xcb_generic_error_t **error) {
  int found = REAL(xcb_poll_for_reply)(x, request, reply, error);
  if (found && error) disguise(*error);
  return found;
}

__attribute__((constructor)) static void watch(void) {
  dl_iterate_phdr(note_library, NULL);
  const char *path = getenv("BACKDROPD_FAULTS");
  enum { READ_AND_WRITE = 2, SHARED = 1, ACCESS = 3 };
  int descriptor = path ? open(path, READ_AND_WRITE, 0) : -1;
  void *page = descriptor < 0 ? (void *)-1 : mmap(NULL, sizeof unwatched, ACCESS, SHARED, descriptor, 0);
  if (descriptor >= 0) close(descriptor);
  if (page != (void *)-1) file = page;
  // The programs that this one starts are not watched.
  unsetenv("LD_PRELOAD");
}
