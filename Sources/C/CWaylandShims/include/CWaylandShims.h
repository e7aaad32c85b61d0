/// The clipboard of compositors that let a program without a window copy: the protocols ext-data-control-v1 and
/// wlr-data-control-unstable-v1, of which there is no header in Debian 12. They differ in their names alone. The calls
/// are here because libwayland's way to send a request is variadic.
#ifndef KEYWAY_CWAYLANDSHIMS_H
#define KEYWAY_CWAYLANDSHIMS_H

#include <stdint.h>

#pragma clang assume_nonnull begin

struct wl_interface;
struct wl_proxy;
struct wl_seat;

/// The interfaces of one of the two protocols.
struct cwayland_control {
    /// Of the global object.
    const struct wl_interface *manager;
    const struct wl_interface *device;
    const struct wl_interface *source;
    const struct wl_interface *offer;
    /// `wl_seat`, of the protocol that all compositors speak.
    const struct wl_interface *seat;
};

/// `ext_data_control_manager_v1` and what belongs to it.
extern const struct cwayland_control cwayland_ext_control;
/// `zwlr_data_control_manager_v1`, version 1, and what belongs to it.
extern const struct cwayland_control cwayland_wlr_control;

/// What can be pasted on a seat, and who offers it.
struct cwayland_device_events {
    /// Somebody offers something; `offer` belongs to whoever listens.
    void (*data_offer)(void *_Nullable data, struct wl_proxy *device, struct wl_proxy *offer);
    /// That is what can be pasted now.
    void (*selection)(void *_Nullable data, struct wl_proxy *device, struct wl_proxy *_Nullable offer);
    /// The seat is gone.
    void (*finished)(void *_Nullable data, struct wl_proxy *device);
    /// That is what the middle button pastes.
    void (*primary_selection)(void *_Nullable data, struct wl_proxy *device, struct wl_proxy *_Nullable offer);
};

/// What happens to something that we offer.
struct cwayland_source_events {
    /// Somebody pastes it, and reads from the other end of `descriptor`, which belongs to whoever listens.
    void (*send)(void *_Nullable data, struct wl_proxy *source, const char *type, int32_t descriptor);
    /// Something else can be pasted now.
    void (*cancelled)(void *_Nullable data, struct wl_proxy *source);
};

/// The device of a seat, whose events go to `events`; NULL when there is no memory.
struct wl_proxy *_Nullable cwayland_device(
    const struct cwayland_control *control, struct wl_proxy *manager, struct wl_seat *seat,
    const struct cwayland_device_events *events, void *_Nullable data);

/// Something to paste, whose events go to `events`; NULL when there is no memory.
struct wl_proxy *_Nullable cwayland_source(
    const struct cwayland_control *control, struct wl_proxy *manager, const struct cwayland_source_events *events,
    void *_Nullable data);

/// Adds a form in which `source` can be pasted.
void cwayland_source_add(struct wl_proxy *source, const char *type);
/// Makes `source` what can be pasted on the seat of `device`.
void cwayland_device_set(struct wl_proxy *device, struct wl_proxy *source);
/// Takes back what was offered as `source`.
void cwayland_source_destroy(struct wl_proxy *source);
/// Says that we do not want what somebody else offers.
void cwayland_offer_destroy(struct wl_proxy *offer);

#pragma clang assume_nonnull end

#endif
