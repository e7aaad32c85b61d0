// A provider of somebody else's that takes what it can get, in as many processes and sessions as it can make.
//
// Built with: MODE, 'm' for memory that processes share, 'p' for processes; REPORT, a folder in which it may write.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PROCESSES = 40, MANY = 3000, PORTION = 256 << 20 };

static void report(const char *name, int number) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", REPORT, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) exit(1);
    fprintf(file, "%d\n", number);
    fclose(file);
}

static void take_memory(void) {
    // Neither is the process's own, and so no limit of a process counts it. One call fills it: under user mode Linux
    // each page that a process touches by itself costs as much as some fifty here.
    void *shared = mmap(NULL, PORTION, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || madvise(shared, PORTION, MADV_POPULATE_WRITE) != 0) exit(1);
}

int main(void) {
    // Once is enough: it is started again when it was ended.
    if (open(REPORT "/began", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600) < 0) return pause();
    int made = 0;
    while (made < (MODE == 'm' ? PROCESSES : MANY)) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) {
            setsid();
            if (MODE == 'm') take_memory();
            for (;;) pause();
        }
        made++;
    }
    report("made", made);
    for (;;) pause();
}
