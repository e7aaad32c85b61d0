#include "CWaylandShims.h"

#include <stddef.h>
#include <wayland-client.h>

// The numbers of the requests, which both protocols share: their order in the protocol.
enum { MANAGER_CREATE_SOURCE = 0, MANAGER_GET_DEVICE = 1 };
enum { DEVICE_SET_SELECTION = 0 };
enum { SOURCE_OFFER = 0, SOURCE_DESTROY = 1 };
enum { OFFER_DESTROY = 1 };

// A message is its name, its signature, and the interface of each of its arguments, NULL for those that are no objects.
// Signatures: n a new object, o an object, s a text, h a descriptor; ? before what may be missing.
#define CONTROL(prefix, manager_name, device_name, source_name, offer_name)                                          \
    static const struct wl_interface prefix##_manager, prefix##_device, prefix##_source, prefix##_offer;              \
    static const struct wl_interface *prefix##_no_object[2] = {NULL, NULL};                                           \
    static const struct wl_interface *prefix##_new_device[2] = {&prefix##_device, &wl_seat_interface};                \
    static const struct wl_interface *prefix##_one_source[1] = {&prefix##_source};                                    \
    static const struct wl_interface *prefix##_one_offer[1] = {&prefix##_offer};                                      \
    static const struct wl_message prefix##_manager_requests[] = {                                                    \
        {"create_data_source", "n", prefix##_one_source},                                                             \
        {"get_data_device", "no", prefix##_new_device},                                                               \
        {"destroy", "", prefix##_no_object},                                                                          \
    };                                                                                                                \
    static const struct wl_message prefix##_device_requests[] = {                                                     \
        {"set_selection", "?o", prefix##_one_source},                                                                 \
        {"destroy", "", prefix##_no_object},                                                                          \
        {"set_primary_selection", "?o", prefix##_one_source},                                                         \
    };                                                                                                                \
    static const struct wl_message prefix##_device_events[] = {                                                       \
        {"data_offer", "n", prefix##_one_offer},                                                                      \
        {"selection", "?o", prefix##_one_offer},                                                                      \
        {"finished", "", prefix##_no_object},                                                                         \
        {"primary_selection", "?o", prefix##_one_offer},                                                              \
    };                                                                                                                \
    static const struct wl_message prefix##_source_requests[] = {                                                     \
        {"offer", "s", prefix##_no_object},                                                                           \
        {"destroy", "", prefix##_no_object},                                                                          \
    };                                                                                                                \
    static const struct wl_message prefix##_source_events[] = {                                                       \
        {"send", "sh", prefix##_no_object},                                                                           \
        {"cancelled", "", prefix##_no_object},                                                                        \
    };                                                                                                                \
    static const struct wl_message prefix##_offer_requests[] = {                                                      \
        {"receive", "sh", prefix##_no_object},                                                                        \
        {"destroy", "", prefix##_no_object},                                                                          \
    };                                                                                                                \
    static const struct wl_message prefix##_offer_events[] = {                                                        \
        {"offer", "s", prefix##_no_object},                                                                           \
    };                                                                                                                \
    static const struct wl_interface prefix##_manager = {manager_name, 1, 3, prefix##_manager_requests, 0, NULL};     \
    static const struct wl_interface prefix##_device = {                                                              \
        device_name, 1, 3, prefix##_device_requests, 4, prefix##_device_events};                                      \
    static const struct wl_interface prefix##_source = {                                                              \
        source_name, 1, 2, prefix##_source_requests, 2, prefix##_source_events};                                      \
    static const struct wl_interface prefix##_offer = {                                                               \
        offer_name, 1, 2, prefix##_offer_requests, 1, prefix##_offer_events};                                         \
    const struct cwayland_control cwayland_##prefix##_control = {                                                     \
        &prefix##_manager, &prefix##_device, &prefix##_source, &prefix##_offer, &wl_seat_interface}

CONTROL(
    ext, "ext_data_control_manager_v1", "ext_data_control_device_v1", "ext_data_control_source_v1",
    "ext_data_control_offer_v1");
CONTROL(
    wlr, "zwlr_data_control_manager_v1", "zwlr_data_control_device_v1", "zwlr_data_control_source_v1",
    "zwlr_data_control_offer_v1");

/// `proxy`, listened to; NULL when that failed.
static struct wl_proxy *listened(struct wl_proxy *proxy, const void *events, void *data) {
    if (proxy == NULL) return NULL;
    if (wl_proxy_add_listener(proxy, (void (**)(void))events, data) == 0) return proxy;
    wl_proxy_destroy(proxy);
    return NULL;
}

struct wl_proxy *cwayland_device(
    const struct cwayland_control *control, struct wl_proxy *manager, struct wl_seat *seat,
    const struct cwayland_device_events *events, void *data) {
    return listened(
        wl_proxy_marshal_flags(manager, MANAGER_GET_DEVICE, control->device, 1, 0, NULL, seat), events, data);
}

struct wl_proxy *cwayland_source(
    const struct cwayland_control *control, struct wl_proxy *manager, const struct cwayland_source_events *events,
    void *data) {
    return listened(
        wl_proxy_marshal_flags(manager, MANAGER_CREATE_SOURCE, control->source, 1, 0, NULL), events, data);
}

void cwayland_source_add(struct wl_proxy *source, const char *type) {
    wl_proxy_marshal_flags(source, SOURCE_OFFER, NULL, 1, 0, type);
}

void cwayland_device_set(struct wl_proxy *device, struct wl_proxy *source) {
    wl_proxy_marshal_flags(device, DEVICE_SET_SELECTION, NULL, 1, 0, source);
}

void cwayland_source_destroy(struct wl_proxy *source) {
    wl_proxy_marshal_flags(source, SOURCE_DESTROY, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
}

void cwayland_offer_destroy(struct wl_proxy *offer) {
    wl_proxy_marshal_flags(offer, OFFER_DESTROY, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
}
