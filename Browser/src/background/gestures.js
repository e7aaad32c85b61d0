/**
 * What the person did in the browser's own interface, outside of every page: one gesture lets one frame ask once for what
 * no page may ask for by itself.
 */

/** How long a gesture lets its frame ask, in milliseconds. */
const gestureLasts = 10_000;

export class Gestures {
    /** @type {{tab: number, frame: number | undefined, at: number} | undefined} */
    #last;
    #now;

    /** @param {() => number} now a clock in milliseconds */
    constructor(now) {
        this.#now = now;
    }

    /**
     * @param {number} tab
     * @param {number} [frame] any one of the tab's, where it is not said: whichever asks first
     */
    note(tab, frame) {
        this.#last = { tab, frame, at: this.#now() };
    }

    /**
     * @param {chrome.MessageSender | undefined} sender
     * @returns {boolean} whether the person asked in this frame just now; it is so once
     */
    take(sender) {
        const last = this.#last;
        if (!last || last.tab !== sender?.tab?.id || (last.frame ?? sender.frameId) !== sender.frameId) return false;
        this.#last = undefined;
        return this.#now() - last.at < gestureLasts;
    }
}
