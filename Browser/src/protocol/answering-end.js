/**
 * The answering end of a conversation with one frame: takes requests and their cancels, and ends whatever is open when
 * the frame goes away, but for what is to be done all the same.
 *
 * @typedef {(id: number, method: string, params: unknown, signal: AbortSignal) => Promise<unknown>} Perform
 */
import { AutoFillError } from './errors.js';
import { failure, parseIncoming, success } from './jsonrpc.js';
import { parseCancel } from './page.js';

/** The most requests of one frame at a time. */
const openLimit = 64;

export class AnsweringEnd {
    /** @type {Map<number, {method: string, controller: AbortController}>} */
    #open = new Map();
    #port;
    #perform;
    #outliving;

    /**
     * @param {Pick<chrome.Port, 'postMessage' | 'disconnect' | 'onMessage' | 'onDisconnect'>} port
     * @param {Perform} perform
     * @param {readonly string[]} [outliving] the methods that are performed to their end though nobody waits any more
     */
    constructor(port, perform, outliving = []) {
        this.#port = port;
        this.#perform = perform;
        this.#outliving = outliving;
        port.onMessage.addListener((message) => this.#receive(message));
        port.onDisconnect.addListener(() => this.#end());
    }

    /** @param {object} message */
    send(message) {
        try {
            this.#port.postMessage(message);
        } catch {
            this.#end();
        }
    }

    /** @param {unknown} message */
    #receive(message) {
        try {
            const incoming = parseIncoming(message);
            if (incoming.type === 'request') void this.#answer(incoming);
            else if (incoming.type === 'notification' && incoming.method === 'cancel') {
                this.#open.get(parseCancel(incoming.params))?.controller.abort();
            }
        } catch {
            // Whoever speaks another protocol here is not who should.
            this.#end();
            this.#port.disconnect();
        }
    }

    /** @param {import('./jsonrpc.js').IncomingRequest} incoming */
    async #answer({ id, method, params }) {
        if (this.#open.has(id)) return;
        if (this.#open.size >= openLimit) return this.send(failure(id, new AutoFillError('tooManyRequests')));
        const controller = new AbortController();
        this.#open.set(id, { method, controller });
        try {
            this.send(success(id, await this.#perform(id, method, params, controller.signal)));
        } catch (error) {
            this.send(failure(id, error));
        } finally {
            this.#open.delete(id);
        }
    }

    #end() {
        for (const [id, { method, controller }] of this.#open) {
            if (this.#outliving.includes(method)) continue;
            controller.abort();
            this.#open.delete(id);
        }
    }
}
