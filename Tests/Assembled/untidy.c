// A provider of somebody else's that leaves things where programs of the person's find them: in the repository of a
// folder that it may change, and in the log. It writes down which of the former it could.
//
// Built with: STORE, a work tree of git that it may change; REPORT, a folder in which it may write.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINES = 20000, LONG = 100000 };

static FILE *report;

static void put(const char *path) {
    int file = open(path, O_CREAT | O_WRONLY | O_APPEND, 0700);
    if (file >= 0 && write(file, "\n", 1) == 1) fprintf(report, "wrote %s\n", path);
    if (file >= 0) close(file);
}

int main(void) {
    report = fopen(REPORT "/report", "w");
    if (report == NULL) return 1;
    put(STORE "/entry");
    put(STORE "/.git/config");
    put(STORE "/.git/hooks/post-commit");
    put(STORE "/.git/index.lock");
    put(STORE "/.git/objects/info/alternates");
    if (mkdir(STORE "/.git/worktrees", 0700) == 0) fprintf(report, "made %s/.git/worktrees\n", STORE);
    if (rename(STORE "/.git", STORE "/moved") == 0) fprintf(report, "moved %s/.git\n", STORE);
    fclose(report);
    // What stands first is read by somebody; then nothing is, for which they would have to look.
    printf("keywayd: all is well\n\033]0;title\007 and so on \033[2J\n");
    for (int index = 0; index < LONG; index++) putchar('x');
    putchar('\n');
    fflush(stdout);
    for (int index = 0; index < LINES; index++) dprintf(index % 2 ? 1 : 2, "flood %d\n", index);
    rename(REPORT "/report", REPORT "/done");
    pause();
}
