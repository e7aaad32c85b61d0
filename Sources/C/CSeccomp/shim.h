#include <seccomp.h>

/// `SCMP_ACT_ERRNO`, a macro with an argument: the call fails with this number.
static inline uint32_t cseccomp_fail_with(uint16_t number) { return SCMP_ACT_ERRNO(number); }

/// `SCMP_ACT_ALLOW`, whose value Swift does not import as the type that it is used as.
static inline uint32_t cseccomp_allow(void) { return SCMP_ACT_ALLOW; }
