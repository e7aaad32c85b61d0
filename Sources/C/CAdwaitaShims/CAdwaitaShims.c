#include "CAdwaitaShims.h"

#include <stdint.h>
#include <unistd.h>

// The two functions that libdispatch has for loops of others; CoreFoundation's run loop uses the same.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

int cadwaita_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

void cadwaita_serve_main_queue(int descriptor) {
    uint64_t sign;
    // An event counter: one read takes all signs. Nothing to read means that another wake-up served the work.
    ssize_t length = read(descriptor, &sign, sizeof sign);
    (void)length;
    _dispatch_main_queue_callback_4CF(0);
}
