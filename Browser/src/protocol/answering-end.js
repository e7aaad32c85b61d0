/**
 * The answering end of a conversation with one frame: takes requests and their cancels, and ends whatever is open when
 * the frame goes away.
 *
 * @typedef {(id: number, method: string, params: unknown, signal: AbortSignal) => Promise<unknown>} Perform
 */
import { AutoFillError } from './errors.js';
import { failure, parseIncoming, success } from './jsonrpc.js';
import { parseCancel } from './page.js';

/** The most requests of one frame at a time. */
const openLimit = 64;

export class AnsweringEnd {
    /** @type {Map<number, AbortController>} */
    #open = new Map();
    #port;
    #perform;

    /**
     * @param {Pick<chrome.Port, 'postMessage' | 'disconnect' | 'onMessage' | 'onDisconnect'>} port
     * @param {Perform} perform
     */
    constructor(port, perform) {
        this.#port = port;
        this.#perform = perform;
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
                this.#open.get(parseCancel(incoming.params))?.abort();
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
        this.#open.set(id, controller);
        try {
            this.send(success(id, await this.#perform(id, method, params, controller.signal)));
        } catch (error) {
            this.send(failure(id, error));
        } finally {
            this.#open.delete(id);
        }
    }

    #end() {
        for (const controller of this.#open.values()) controller.abort();
        this.#open.clear();
    }
}
