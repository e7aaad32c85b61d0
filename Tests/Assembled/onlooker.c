// Another program of the same person, which looks into processes: what a debugger, or a thief, would do (T30).
//
//   onlooker once PID          tries each way once
//   onlooker watch NAME...     tries every process of the person again and again, from the moment it is there, but its
//                              own and those whose program has one of these names, until its standard input ends
//   onlooker follow PID        holds whatever that process starts from then on, which only root may, and lets it run on
//   onlooker stop NAME         stops the next process of the person of that name, which any program of theirs may
//   onlooker trace PROGRAM...  runs a program that it holds from before its first instruction, and lets it run on
//   onlooker early FILE PROGRAM...
//                              opens what there is of a process of its own before that runs the program, and uses it
//                              again and again until that has ended; the lines go into the file, with `tried` for the
//                              way when all of it was used once on the program
//
// One line for each way that was open: `PID NAME WAY`. The name is what the kernel calls the process at that moment.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void name_of(pid_t pid, char *name, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    name[0] = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t count = read(file, name, size - 1);
    close(file);
    name[count > 0 ? count - 1 : 0] = 0;
}

static void say(pid_t pid, const char *name, const char *way) {
    printf("%d %s %s\n", pid, name, way);
    fflush(stdout);
}

// A mapped address that can be asked for without any right: where the program's own code would be is not known.
static int reads_memory(pid_t pid) {
    char byte;
    struct iovec own = {&byte, 1};
    // Nothing is mapped at 1: who may read is told EFAULT, who may not EPERM.
    struct iovec theirs = {(void *)1, 1};
    return process_vm_readv(pid, &own, 1, &theirs, 1, 0) >= 0 || errno == EFAULT;
}

static int opens(pid_t pid, const char *what, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
    int file = open(path, flags | O_CLOEXEC);
    if (file < 0) return 0;
    close(file);
    return 1;
}

static int lists_descriptors(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *folder = opendir(path);
    if (folder == NULL) return 0;
    int entries = 0;
    while (readdir(folder) != NULL) entries++;
    closedir(folder);
    return entries > 2;
}

static int takes_descriptor(pid_t pid) {
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    if (process < 0) return 0;
    int taken = (int)syscall(SYS_pidfd_getfd, process, 3, 0);
    int allowed = taken >= 0 || errno == EBADF;
    if (taken >= 0) close(taken);
    close(process);
    return allowed;
}

static int seizes(pid_t pid) {
    if (ptrace(PTRACE_SEIZE, pid, 0, 0) != 0) return 0;
    ptrace(PTRACE_INTERRUPT, pid, 0, 0);
    waitpid(pid, NULL, __WALL);
    ptrace(PTRACE_DETACH, pid, 0, 0);
    return 1;
}

static int attempt(pid_t pid) {
    char name[32];
    name_of(pid, name, sizeof name);
    int open_ways = 0;
    if (reads_memory(pid)) say(pid, name, "process_vm_readv"), open_ways++;
    if (opens(pid, "mem", O_RDONLY)) say(pid, name, "mem"), open_ways++;
    if (opens(pid, "environ", O_RDONLY)) say(pid, name, "environ"), open_ways++;
    if (lists_descriptors(pid)) say(pid, name, "fd"), open_ways++;
    if (takes_descriptor(pid)) say(pid, name, "pidfd_getfd"), open_ways++;
    if (seizes(pid)) say(pid, name, "ptrace"), open_ways++;
    return open_ways;
}

static int is_ours(pid_t pid) {
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    return pid == getpid() || pid == getppid() || stat(path, &status) != 0;
}

// Whose the process is: the owner of its folder is root where it hides.
static int is_the_persons(pid_t pid) {
    char path[64], line[256];
    unsigned user = ~0u;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL && sscanf(line, "Uid: %u", &user) != 1) {}
    fclose(file);
    return user == getuid();
}

static int watch(int count, char **names) {
    struct pollfd input = {0, POLLIN, 0};
    puts("watching");
    fflush(stdout);
    while (poll(&input, 1, 0) == 0) {
        DIR *processes = opendir("/proc");
        struct dirent *entry;
        while ((entry = readdir(processes)) != NULL) {
            pid_t pid = atoi(entry->d_name);
            if (pid <= 1 || is_ours(pid) || !is_the_persons(pid)) continue;
            char name[32];
            name_of(pid, name, sizeof name);
            int skipped = 0;
            for (int index = 0; index < count; index++) skipped |= strcmp(name, names[index]) == 0;
            if (!skipped) attempt(pid);
        }
        closedir(processes);
    }
    return 0;
}

// Whether a process that was told to stop stands still: one that was about to end has ended.
static int stands_still(pid_t pid) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    for (;;) {
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return 0;
        ssize_t count = read(file, line, sizeof line - 1);
        close(file);
        line[count > 0 ? count : 0] = 0;
        const char *name_end = strrchr(line, ')');
        char state = name_end != NULL && name_end[1] != 0 ? name_end[2] : 'X';
        if (state == 'T') return 1;
        if (state == 'Z' || state == 'X') return 0;
    }
}

static int stop(const char *wanted) {
    puts("looking");
    fflush(stdout);
    for (;;) {
        DIR *processes = opendir("/proc");
        struct dirent *entry;
        while ((entry = readdir(processes)) != NULL) {
            pid_t pid = atoi(entry->d_name);
            char name[32];
            if (pid <= 1) continue;
            name_of(pid, name, sizeof name);
            if (strcmp(name, wanted) != 0 || !is_the_persons(pid) || kill(pid, SIGSTOP) != 0) continue;
            if (!stands_still(pid)) continue;
            printf("%d\n", pid);
            return 0;
        }
        closedir(processes);
    }
}

// Lets whatever is held run on, until nothing is left.
static void let_run(void) {
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, __WALL)) > 0) {
        int number = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
        int is_event = number == SIGTRAP || status >> 16 != 0;
        if (WIFSTOPPED(status)) ptrace(PTRACE_CONT, process, 0, is_event || number == SIGSTOP ? 0 : number);
    }
}

static int follow(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
    DIR *threads = opendir(path);
    struct dirent *entry;
    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        if (entry->d_name[0] != '.' && ptrace(PTRACE_SEIZE, atoi(entry->d_name), 0, options) != 0) return 1;
    }
    if (threads != NULL) closedir(threads);
    puts("following");
    fflush(stdout);
    let_run();
    return 0;
}

static int trace(char **command) {
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execvp(command[0], command);
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        int number = WSTOPSIG(status);
        ptrace(PTRACE_CONT, child, 0, number == SIGTRAP ? 0 : number);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// What was opened of a process, and is kept.
struct kept {
    int memory, folder, descriptors, process;
};

static int keep(pid_t pid, const char *what, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
    return open(path, flags | O_CLOEXEC);
}

static int reads_kept_memory(int memory) {
    static char mapped;
    char byte;
    ssize_t count = pread(memory, &byte, 1, (off_t)(size_t)&mapped);
    // Where nothing is mapped, who may read is told EIO; of a memory that is no more, there is nothing to read.
    return count > 0 || (count < 0 && errno == EIO);
}

static int opens_below(int folder, const char *what, int flags) {
    int file = openat(folder, what, flags | O_CLOEXEC);
    if (file < 0) return 0;
    close(file);
    return 1;
}

static int takes_input(int process) {
    int taken = (int)syscall(SYS_pidfd_getfd, process, 0, 0);
    if (taken < 0) return 0;
    close(taken);
    return 1;
}

// Uses all of it, and says what was good for something, each once: `said` has a bit for each.
static void use(const struct kept *kept, pid_t pid, const char *name, unsigned *said) {
    const char *ways[] = {"mem", "folder", "fd", "pidfd_getfd"};
    int open_ways[] = {
        reads_kept_memory(kept->memory),
        opens_below(kept->folder, "mem", O_RDONLY),
        // The link is followed; what it leads to is not opened, and does not notice.
        opens_below(kept->descriptors, "0", O_PATH),
        takes_input(kept->process),
    };
    for (unsigned way = 0; way < 4; way++) {
        if (open_ways[way] && !(*said & 1u << way)) say(pid, name, ways[way]);
        if (open_ways[way]) *said |= 1u << way;
    }
}

static int early(const char *file, char **command) {
    int gate[2];
    char own[32], byte = 0;
    if (pipe2(gate, O_CLOEXEC) != 0) return 1;
    pid_t child = fork();
    if (child == 0) {
        close(gate[1]);
        if (read(gate[0], &byte, 1) == 1) execvp(command[0], command);
        _exit(127);
    }
    // Only the child holds its pipes: what the person closes has ended for it.
    for (int descriptor = 0; descriptor < 2; descriptor++) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, descriptor);
        close(nothing);
    }
    if (freopen(file, "w", stdout) == NULL) return 1;
    struct kept kept = {
        keep(child, "mem", O_RDONLY),
        keep(child, "", O_DIRECTORY),
        keep(child, "fd", O_DIRECTORY),
        (int)syscall(SYS_pidfd_open, child, 0),
    };
    unsigned said = 0, rounds = 0;
    name_of(getpid(), own, sizeof own);
    use(&kept, child, own, &said);
    said = 0;
    if (write(gate[1], &byte, 1) != 1) return 1;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        char name[32];
        name_of(child, name, sizeof name);
        // The kernel names a process anew once it has decided who may look into it.
        if (strcmp(name, own) == 0) continue;
        // It had not ended when all of that was tried for the first time.
        if (rounds++ == 1) say(child, name, "tried");
        use(&kept, child, name, &said);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "once") == 0) return attempt(atoi(arguments[2])) != 0;
    if (count >= 2 && strcmp(arguments[1], "watch") == 0) return watch(count - 2, arguments + 2);
    if (count == 3 && strcmp(arguments[1], "follow") == 0) return follow(atoi(arguments[2]));
    if (count == 3 && strcmp(arguments[1], "stop") == 0) return stop(arguments[2]);
    if (count >= 3 && strcmp(arguments[1], "trace") == 0) return trace(arguments + 2);
    if (count >= 4 && strcmp(arguments[1], "early") == 0) return early(arguments[2], arguments + 3);
    fputs("onlooker once PID | watch NAME... | follow PID | stop NAME | trace PROGRAM... | early FILE PROGRAM...\n",
          stderr);
    return 64;
}
