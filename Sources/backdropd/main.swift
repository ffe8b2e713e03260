import Daemon

runDaemon()
