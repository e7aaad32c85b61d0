/**
 * The content script's end of the channel to the script in the page's own world, shaped like a port. Everything on it
 * may be the page's own.
 *
 * @typedef {Pick<chrome.Port, 'postMessage' | 'disconnect' | 'onMessage' | 'onDisconnect'>} PortLike
 */
import { handshake, longest } from '../credentials/handshake.js';

/**
 * Waits for the script in the page's world, once.
 * @param {Document} document
 * @param {(port: PortLike) => void} serve
 */
export function meetPage(document, serve) {
    /** @param {Event} event */
    const meet = (event) => {
        document.removeEventListener(handshake, meet, { capture: true });
        event.stopImmediatePropagation();
        const target = /** @type {FocusEvent} */ (event).relatedTarget;
        if (target instanceof EventTarget) serve(portOn(target));
    };
    document.addEventListener(handshake, meet, { capture: true });
}

/** @param {EventTarget} target @returns {PortLike} */
function portOn(target) {
    /** @type {((message: unknown) => void)[]} */
    const listeners = [];
    /** @param {Event} event */
    const receive = (event) => {
        const { detail } = /** @type {CustomEvent} */ (event);
        if (typeof detail !== 'string' || detail.length > longest) return;
        for (const listener of listeners) listener(read(detail));
    };
    target.addEventListener('ask', receive);
    return {
        postMessage: (message) => {
            target.dispatchEvent(new CustomEvent('answer', { detail: JSON.stringify(message) }));
        },
        disconnect: () => target.removeEventListener('ask', receive),
        onMessage: { addListener: (listener) => listeners.push(listener) },
        // It is there as long as the page is.
        onDisconnect: { addListener: () => {} },
    };
}

/** @param {string} text @returns {unknown} nothing that any parser takes, for what is no JSON */
function read(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
