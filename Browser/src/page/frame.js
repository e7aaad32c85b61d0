/** Whether this frame is the page itself, or a part of it that nobody else stands around. */

/** @param {Window} window */
export function isFrameOfThePage(window) {
    if (window.origin === 'null') return false;
    try {
        /** @type {Window} */
        let at = window;
        while (at !== at.parent) {
            at = at.parent;
            if (at.origin !== window.origin) return false;
        }
        return true;
    } catch {
        return false; // The browser does not let us look into a frame of another origin.
    }
}
