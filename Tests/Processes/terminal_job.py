"""What a shell does for a job in the foreground: `terminal_job.py REPORTS TTY COMMAND…`.

Reports the job's process, when it stopped, and how it ended. SIGUSR1 puts it into the foreground again.
"""

import fcntl
import os
import signal
import sys
import termios

reports, name, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
terminal = os.open(name, os.O_RDWR)
fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def tell(text: str) -> None:
    os.write(reports, f"{text}\n".encode())


job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(terminal, os.getpid())
    # As a shell starts it, whatever whoever runs the tests has ignored: SIGINT is, behind an `&`.
    for number in (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
    os.close(terminal)
    os.close(reports)
    os.execv(command[0], command)
tell(str(job))
while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        break
    os.tcsetpgrp(terminal, os.getpgrp())
    tell("stopped")
    signal.sigwait([signal.SIGUSR1])
    os.tcsetpgrp(terminal, job)
    os.killpg(job, signal.SIGCONT)
tell(f"ended {os.waitstatus_to_exitcode(status)}")
