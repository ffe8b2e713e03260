#include <sys/ipc.h>
#include <sys/pidfd.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/un.h>
