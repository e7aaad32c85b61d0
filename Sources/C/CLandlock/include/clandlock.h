/// Landlock, and what else a process gives up before it runs a program of somebody else's: what Swift cannot import,
/// because it is variadic, or because the headers of Debian 12 are older than the kernels that it runs on. Every
/// function returns what the call behind it returns and leaves `errno` as that call set it.
#ifndef KEYWAY_CLANDLOCK_H
#define KEYWAY_CLANDLOCK_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// What may be done with files (landlock(7)), and since which version of the kernel's interface it can be forbidden.
enum {
    CLANDLOCK_EXECUTE = 1 << 0,
    CLANDLOCK_WRITE_FILE = 1 << 1,
    CLANDLOCK_READ_FILE = 1 << 2,
    CLANDLOCK_READ_FOLDER = 1 << 3,
    /// Removing, and making nodes of every kind: bits 4 to 12.
    CLANDLOCK_CHANGE_FOLDER = 0x1ff0,
    /// Linking and renaming into another folder; version 2.
    CLANDLOCK_REFER = 1 << 13,
    /// Version 3.
    CLANDLOCK_TRUNCATE = 1 << 14,
    /// Version 5.
    CLANDLOCK_IOCTL_DEVICE = 1 << 15,
};

/// What may be done with TCP; version 4.
enum { CLANDLOCK_BIND_TCP = 1 << 0, CLANDLOCK_CONNECT_TCP = 1 << 1 };

/// What may be reached outside of the confined processes; version 6.
enum { CLANDLOCK_ABSTRACT_SOCKETS = 1 << 0, CLANDLOCK_SIGNALS = 1 << 1 };

/// Every flag of clone(2) that makes a namespace.
enum { CLANDLOCK_NAMESPACES = 0x7e020000 };

/// What clone(2) makes with this flag is a thread of the process, and no process.
enum { CLANDLOCK_THREAD = 0x10000 };

/// What names the process that hears of a descriptor by a signal: F_SETOWN_EX of fcntl(2); FIOSETOWN and SIOCSPGRP of
/// ioctl(2).
enum { CLANDLOCK_SET_OWNER = 15, CLANDLOCK_FILE_SET_OWNER = 0x8901, CLANDLOCK_SOCKET_SET_OWNER = 0x8902 };

/// Opens a file for nothing but to name it (`O_PATH`), close-on-exec.
int clandlock_open(const char *path);

/// The version of the interface that the kernel has; -1 without Landlock.
int clandlock_version(void);

/// A set of rules that forbids all of this wherever no rule allows it. What `version` does not know must not be named.
int clandlock_create(int version, uint64_t files, uint64_t network, uint64_t scopes);

/// Allows `access` beneath the file or folder behind `path`, a descriptor.
int clandlock_allow(int rules, int path, uint64_t access);

/// Binds this thread, and what it starts, to the rules.
int clandlock_restrict(int rules);

/// No program that this process runs gets more rights than it has (`PR_SET_NO_NEW_PRIVS`).
int clandlock_no_new_privileges(void);

/// Lets processes of the same user trace this one: where only ancestors might (Yama), and where nobody could, since the
/// user may not read its program (`PR_SET_DUMPABLE`).
int clandlock_allow_tracers(void);

/// Ends this process when the thread ends that started it (`PR_SET_PDEATHSIG`). A program that it becomes keeps that.
int clandlock_die_with_parent(void);

#pragma clang assume_nonnull end
#endif
