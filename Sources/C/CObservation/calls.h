// Which calls are watched, and where each keeps the names of files: one table for the filter and for whoever reads them.
#ifndef KEYWAY_COBSERVATION_CALLS_H
#define KEYWAY_COBSERVATION_CALLS_H

#include "cobservation.h"

#include <linux/seccomp.h>

// Puts the filter in place for this process and all that it starts; the listener, or -1 with errno.
int install_filter(void);

// What the kernel's question is about.
void describe(const struct seccomp_notif *notice, cobservation_call *call);

#endif
