#include <zbar.h>

/// The format of images with one byte of grey for each point, which is a number made of four characters.
static inline unsigned long czbar_grey(void) { return zbar_fourcc('Y', '8', '0', '0'); }
