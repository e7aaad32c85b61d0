// What GTK's main loop needs of libdispatch so that one thread serves both.
#ifndef CADWAITASHIMS_H
#define CADWAITASHIMS_H

/// A descriptor that becomes readable when the main queue has work.
int cadwaita_main_queue_descriptor(void);

/// Takes the sign off `descriptor` and does the work that waits in the main queue. On the main thread only.
void cadwaita_serve_main_queue(int descriptor);

#endif
