#define _GNU_SOURCE
#include "clandlock.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stddef.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The same numbers on every architecture.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum { CREATE_VERSION = 1, RULE_PATH_BENEATH = 1 };

struct rules {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct path_rule {
    uint64_t access;
    int32_t path;
} __attribute__((packed));

_Static_assert(CLANDLOCK_THREAD == CLONE_THREAD, "the flag of threads");
_Static_assert(CLANDLOCK_SET_OWNER == F_SETOWN_EX, "who hears of a descriptor");
_Static_assert(CLANDLOCK_FILE_SET_OWNER == FIOSETOWN && CLANDLOCK_SOCKET_SET_OWNER == SIOCSPGRP, "the same by ioctl");
_Static_assert(
    CLANDLOCK_NAMESPACES == (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET),
    "the flags of clone");

int clandlock_open(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

int clandlock_version(void) { return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION); }

int clandlock_create(int version, uint64_t files, uint64_t network, uint64_t scopes) {
    struct rules rules = {files, network, scopes};
    // An older kernel refuses a structure that is longer than the one it knows, unless the rest is zero.
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? offsetof(struct rules, scopes) : offsetof(struct rules, network);
    return (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

int clandlock_allow(int rules, int path, uint64_t access) {
    struct path_rule rule = {access, path};
    return (int)syscall(SYS_landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0);
}

int clandlock_restrict(int rules) { return (int)syscall(SYS_landlock_restrict_self, rules, 0); }

int clandlock_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int clandlock_allow_tracers(void) {
    // Kernels without Yama know no tracers to be named.
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

int clandlock_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
