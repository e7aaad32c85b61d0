/**
 * Tells which login field the person went to, through open and closed shadow roots. Nothing is read from a page before
 * one of its fields has the focus, so a page without fields costs nothing, and a form added later is like any other.
 *
 * @typedef {{onEnter: (field: HTMLInputElement) => void, onLeave: () => void}} FocusEvents
 */
import { focusedElement, rootsAround } from '../detection/composed.js';
import { isField } from '../detection/describe.js';

/** How long after a key or a press a move of the focus is its doing, in milliseconds. */
const gestureLasts = 1000;

export class FocusWatch {
    /**
     * Roots whose inner focus moves never come out to the window.
     * @type {WeakSet<ShadowRoot>}
     */
    #watched = new WeakSet();
    #lastGesture = -Infinity;
    #window;
    #events;
    #now;

    /**
     * @param {Window} window
     * @param {FocusEvents} events
     * @param {() => number} now a monotonic clock, in milliseconds
     */
    constructor(window, events, now) {
        this.#window = window;
        this.#events = events;
        this.#now = now;
    }

    /** @returns {HTMLInputElement | undefined} the field that has the focus */
    current() {
        const element = focusedElement(this.#window.document);
        return isField(element) ? element : undefined;
    }

    /** @param {EventTarget} target the window, or a shadow root in it */
    listen(target) {
        target.addEventListener('focusin', this.#focusin, true);
        target.addEventListener('focusout', this.#focusout, true);
        target.addEventListener('click', this.#click, true);
        target.addEventListener('keydown', this.#gesture, true);
        target.addEventListener('pointerdown', this.#gesture, true);
    }

    /** @param {Event} event */
    #focusin = (event) => {
        if (!event.isTrusted) return;
        const element = focusedElement(this.#window.document);
        for (const root of element ? rootsAround(element) : []) this.#watch(root);
        this.#enter();
    };

    /** @param {Event} event */
    #focusout = (event) => {
        // The whole window may have lost the focus, while the field keeps its place in the page.
        if (event.isTrusted) queueMicrotask(() => this.#events.onLeave());
    };

    /**
     * The person asks again at a field that already has the focus.
     * @param {Event} event
     */
    #click = (event) => {
        if (event.isTrusted && event.composedPath().some(isField)) this.#enter();
    };

    /** @param {Event} event */
    #gesture = (event) => {
        if (event.isTrusted) this.#lastGesture = this.#now();
    };

    /** Focus that a script moved, with no key or click before it, opens nothing. */
    #enter() {
        const field = this.current();
        // Firefox does not count the Tab key as an activation.
        const isWanted =
            this.#window.navigator.userActivation.isActive || this.#now() - this.#lastGesture < gestureLasts;
        if (field && isWanted) this.#events.onEnter(field);
    }

    /** @param {ShadowRoot} root */
    #watch(root) {
        if (this.#watched.has(root)) return;
        this.#watched.add(root);
        this.listen(root);
    }
}
