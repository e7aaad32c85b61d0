#include <gcrypt.h>

/* Swift can't call functions with any number of arguments. */
static inline int keyway_gcrypt_start(void) {
    if (!gcry_check_version("1.10.0")) return 0;
    /* Keys and texts lie in guarded memory of ours; what the library copies it wipes. */
    return gcry_control(GCRYCTL_DISABLE_SECMEM, 0) == 0 && gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0) == 0;
}
