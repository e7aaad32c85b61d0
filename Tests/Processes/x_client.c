// A client of an X server as there are few: asks the owner of the clipboard for what its arguments say, and prints, one
// per line, what it is told. The test compiles it (-lxcb).
//
//   x_client multiple NAME…    all at once; - for what is not answered
//   x_client odd NAME          a MULTIPLE whose list is one name long: how that is answered
//   x_client old NAME          as clients ask that name no property
//   x_client past NAME         as of a time at which somebody else had the clipboard
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

static xcb_connection_t *server;
static xcb_window_t window;

static xcb_atom_t atom(const char *name) {
    xcb_intern_atom_reply_t *reply =
        xcb_intern_atom_reply(server, xcb_intern_atom(server, 0, strlen(name), name), NULL);
    return reply->atom;
}

// What the owner answers: the property that it says it wrote.
static xcb_atom_t ask(xcb_atom_t target, xcb_atom_t property, xcb_timestamp_t time) {
    xcb_convert_selection(server, window, atom("CLIPBOARD"), target, property, time);
    xcb_flush(server);
    for (;;) {
        xcb_generic_event_t *event = xcb_wait_for_event(server);
        if (event == NULL) exit(3);
        if ((event->response_type & 0x7f) == XCB_SELECTION_NOTIFY)
            return ((xcb_selection_notify_event_t *)event)->property;
    }
}

static xcb_get_property_reply_t *read_property(xcb_atom_t property) {
    return xcb_get_property_reply(server, xcb_get_property(server, 0, window, property, 0, 0, 1 << 20), NULL);
}

static void print(xcb_atom_t property) {
    if (property == XCB_ATOM_NONE) {
        puts("-");
        return;
    }
    xcb_get_property_reply_t *reply = read_property(property);
    int length = xcb_get_property_value_length(reply);
    if (reply->format == 8)
        printf("%.*s\n", length, (const char *)xcb_get_property_value(reply));
    else
        printf("%d numbers of %d bits\n", length * 8 / reply->format, reply->format);
}

int main(int count, char **words) {
    if (count < 3) return 64;
    server = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(server)) return 69;
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(server)).data;
    window = xcb_generate_id(server);
    xcb_create_window(server, 0, window, screen->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, 0, 0, NULL);
    xcb_atom_t answer = atom("ANSWER");
    if (strcmp(words[1], "old") == 0) {
        print(ask(atom(words[2]), XCB_ATOM_NONE, XCB_CURRENT_TIME));
    } else if (strcmp(words[1], "past") == 0) {
        print(ask(atom(words[2]), answer, 1));
    } else {
        xcb_atom_t pairs[64];
        int pair_count = 0;
        for (int i = 2; i < count && pair_count < 62; i++) {
            char place[32];
            snprintf(place, sizeof place, "PLACE_%d", i);
            pairs[pair_count++] = atom(words[i]);
            pairs[pair_count++] = atom(place);
        }
        if (strcmp(words[1], "odd") == 0) pair_count--;
        xcb_change_property(
            server, XCB_PROP_MODE_REPLACE, window, answer, atom("ATOM_PAIR"), 32, pair_count, pairs);
        if (ask(atom("MULTIPLE"), answer, XCB_CURRENT_TIME) == XCB_ATOM_NONE) {
            puts("not answered");
            return 0;
        }
        const xcb_atom_t *answered = xcb_get_property_value(read_property(answer));
        for (int i = 0; i < pair_count; i += 2) print(answered[i + 1]);
    }
    return 0;
}
