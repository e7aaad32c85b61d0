/**
 * The page's end of the channel to the content script: an element that stands in no document, handed over in one event
 * before the page begins, on which both tell each other JSON. A page cannot name it; where a page speaks all the same,
 * it gets what this script would get.
 *
 * @typedef {{kind: string}} Failure `kind` as in `protocol/errors.js`
 * @typedef {{resolve: (value: any) => void, reject: (failure: Failure) => void}} Waiting
 */
import { handshake, longest } from './handshake.js';
import { apply, parse, stringify } from './natives.js';

const { addEventListener, dispatchEvent } = EventTarget.prototype;
const { delete: remove, get, set } = Map.prototype;
const Event = CustomEvent;
const readDetail = Object.getOwnPropertyDescriptor(CustomEvent.prototype, 'detail')?.get ?? (() => undefined);

export class PageChannel {
    /** @type {Map<number, Waiting>} */
    #waiting = new Map();
    #lastId = 0;
    #target;

    /** @param {Document} document */
    constructor(document) {
        this.#target = document.createElement('div');
        apply(addEventListener, this.#target, ['answer', (/** @type {Event} */ event) => this.#receive(event)]);
        document.dispatchEvent(new FocusEvent(handshake, { relatedTarget: this.#target }));
    }

    /**
     * Asks; the answer is parsed by whoever made it, and believed.
     * @param {string} method
     * @param {object} params
     * @param {(withdraw: () => void) => void} [onStart] given a function that takes the question back
     * @returns {Promise<any>} rejects with a `Failure`
     */
    ask(method, params, onStart = () => {}) {
        const id = ++this.#lastId;
        const text = stringify({ jsonrpc: '2.0', id, method, params });
        return new Promise((resolve, reject) => {
            // Nobody would look at it, and so nobody would answer.
            if (text.length > longest) return reject({ kind: 'invalid' });
            apply(set, this.#waiting, [id, { resolve, reject }]);
            onStart(() => this.#withdraw(id));
            this.#send(text);
        });
    }

    /** @param {number} id */
    #withdraw(id) {
        const waiting = this.#take(id);
        if (!waiting) return;
        this.#send(stringify({ jsonrpc: '2.0', method: 'cancel', params: { id } }));
        waiting.reject({ kind: 'cancelled' });
    }

    /** @param {string} text */
    #send(text) {
        apply(dispatchEvent, this.#target, [new Event('ask', { detail: text })]);
    }

    /** @param {Event} event */
    #receive(event) {
        const message = parse(apply(readDetail, event, []));
        const waiting = this.#take(message.id);
        if (!waiting) return;
        if (message.error) waiting.reject({ kind: message.error.data.kind });
        else waiting.resolve(message.result);
    }

    /** @param {number} id @returns {Waiting | undefined} */
    #take(id) {
        const waiting = apply(get, this.#waiting, [id]);
        apply(remove, this.#waiting, [id]);
        return waiting;
    }
}
