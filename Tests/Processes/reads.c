// Stands in for keyway-import-reader: says what it can reach, in the place of why a file could not be read.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int can_open(const char *path, int flags) { return open(path, flags, 0600) >= 0; }

int main(int count, char **arguments) {
    const char *wanted = count > 2 ? strchr(arguments[2], '=') + 1 : "";
    if (strcmp(wanted, "spin") == 0)
        for (volatile unsigned long turns = 0;; turns++) continue;
    size_t most = 0;
    void *part;
    while (strcmp(wanted, "memory") == 0 && most < (1u << 10) && (part = malloc(1 << 20)) != NULL) {
        memset(part, 1, 1 << 20);
        most++;
    }
    if (strcmp(wanted, "file") == 0) {
        static char block[1 << 20];
        for (;;)
            if (write(3, block, sizeof block) < 0) break;
    }
    pid_t child = fork();
    if (child == 0) _exit(0);
    char said[512];
    // What the descriptors are that it has beside the usual ones.
    int others = 0;
    for (int number = 5; number < 1024; number++) others += fcntl(number, F_GETFD) >= 0;
    int text = snprintf(
        said, sizeof said,
        "{\"code\":\"failed\",\"advice\":\"\",\"detail\":\"inet %d unix %d open %d new %d write %d fork %d others %d "
        "memory %zu environment %d\"}",
        socket(AF_INET, SOCK_STREAM, 0) >= 0, socket(AF_UNIX, SOCK_STREAM, 0) >= 0, can_open(wanted, O_RDONLY),
        can_open("/tmp/keyway-import-probe", O_RDWR | O_CREAT), write(4, "x", 1) >= 0, child > 0, others, most,
        __environ != NULL && *__environ != NULL);
    if (write(3, said, (size_t)text) != text) return 70;
    fcntl(3, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    return 65;
}
