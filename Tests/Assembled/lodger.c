// A provider of somebody else's that reaches for what is around it, and declared none of that. It writes down what it
// could.
//
// Built with: REPORT, a folder in which it may write; SECRET, a file of the person's; VICTIM, a process of theirs;
// PORT, where somebody listens on this machine; DOOR, the broker's socket; SOCKET, one of the person's; ABSTRACT,
// the name of one without a path.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static FILE *report;

static void tell(const char *what, int outcome) {
    if (outcome >= 0) fprintf(report, "%s\n", what);
    if (outcome > 2) close(outcome);
}

static int reached(const void *address, socklen_t length, int family) {
    int door = socket(family, SOCK_STREAM, 0);
    return door >= 0 && connect(door, address, length) == 0 ? door : -1;
}

static int reached_path(const char *path, int is_abstract) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + is_abstract, path, sizeof address.sun_path - 2);
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + is_abstract + strlen(path);
    return reached(&address, length + !is_abstract, AF_UNIX);
}

int main(void) {
    report = fopen(REPORT "/report", "w");
    if (report == NULL) return 1;
    struct sockaddr_in machine = {AF_INET, htons(PORT), {htonl(INADDR_LOOPBACK)}, {0}};
    tell("network", reached(&machine, sizeof machine, AF_INET));
    tell("broker", reached_path(DOOR, 0));
    tell("socket", reached_path(SOCKET, 0));
    tell("abstract", reached_path(ABSTRACT, 1));
    tell("read", open(SECRET, O_RDONLY | O_CLOEXEC));
    tell("write", open(SECRET ".new", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    char memory[64];
    snprintf(memory, sizeof memory, "/proc/%d/mem", VICTIM);
    tell("memory", open(memory, O_RDONLY | O_CLOEXEC));
    // A number of another process's is nobody's there, or one of its own processes.
    char name[64] = "", path[64];
    snprintf(path, sizeof path, "/proc/%d/comm", VICTIM);
    FILE *file = fopen(path, "r");
    if (file != NULL) fgets(name, sizeof name, file);
    tell("seen", strcmp(name, "sleep\n") == 0 ? 0 : -1);
    tell("signal", strcmp(name, "sleep\n") == 0 ? kill(VICTIM, SIGUSR1) : kill(VICTIM, 0));
    fclose(report);
    rename(REPORT "/report", REPORT "/done");
    pause();
}
