/**
 * The asking end of a JSON-RPC conversation over a port: numbers the requests, hands each answer to who asked, and
 * tells the other end when an answer is not wanted any more. Used towards the native host and towards the background.
 *
 * @typedef {import('./host.js').FillWaiting} FillWaiting
 * @typedef {{signal?: AbortSignal, onWaiting?: (waiting: FillWaiting) => void}} CallOptions
 * @typedef {{
 *     resolve: (value: unknown) => void,
 *     reject: (error: Error) => void,
 *     onWaiting?: (waiting: FillWaiting) => void,
 * }} Pending
 */
import { AutoFillError } from './errors.js';
import { parseFillWaiting } from './host.js';
import { notification, parseIncoming, request } from './jsonrpc.js';

export class Channel {
    /** @type {Map<number, Pending>} */
    #pending = new Map();
    #lastId = 0;
    /** @type {AutoFillError | undefined} */
    #closed;
    #port;
    #onClosed;

    /**
     * @param {chrome.Port} port
     * @param {(error: AutoFillError) => void} onClosed called once, after every open request was refused
     * @param {(port: chrome.Port) => AutoFillError} nameDisconnect why the other end went away
     */
    constructor(port, onClosed, nameDisconnect) {
        this.#port = port;
        this.#onClosed = onClosed;
        port.onMessage.addListener((message) => this.#receive(message));
        port.onDisconnect.addListener(() => this.#end(nameDisconnect(port)));
    }

    /**
     * @param {string} method
     * @param {object} params
     * @param {CallOptions} [options]
     * @returns {Promise<unknown>} rejects with the answer's `AutoFillError`, or `cancelled` when the signal fires
     */
    call(method, params, options) {
        const { signal, onWaiting } = options ?? {};
        if (this.#closed) return Promise.reject(this.#closed);
        if (signal?.aborted) return Promise.reject(new AutoFillError('cancelled'));
        const id = ++this.#lastId;
        return new Promise((resolve, reject) => {
            this.#pending.set(id, { resolve, reject, onWaiting });
            signal?.addEventListener('abort', () => this.#cancel(id), { once: true });
            this.#send(request(id, method, params));
        });
    }

    /**
     * Hangs up.
     * @param {AutoFillError} error what open requests are refused with
     */
    close(error) {
        this.#port.disconnect();
        this.#end(error);
    }

    /** @param {object} message */
    #send(message) {
        try {
            this.#port.postMessage(message);
        } catch {
            this.#end(new AutoFillError('disconnected'));
        }
    }

    /** @param {number} id */
    #cancel(id) {
        const pending = this.#pending.get(id);
        if (!pending) return;
        this.#pending.delete(id);
        this.#send(notification('cancel', { id }));
        pending.reject(new AutoFillError('cancelled'));
    }

    /** @param {unknown} message */
    #receive(message) {
        try {
            this.#dispatch(parseIncoming(message));
        } catch (error) {
            this.close(new AutoFillError('protocolViolation', error instanceof Error ? error.message : undefined));
        }
    }

    /** @param {import('./jsonrpc.js').Incoming} incoming */
    #dispatch(incoming) {
        switch (incoming.type) {
            case 'request':
                throw new AutoFillError('protocolViolation', 'a request from the answering end');
            case 'notification': {
                // An unknown notification is for a newer extension and asks for nothing.
                if (incoming.method !== 'fill.waiting') return;
                const waiting = parseFillWaiting(incoming.params);
                this.#pending.get(waiting.request)?.onWaiting?.(waiting);
                return;
            }
            case 'result':
                this.#take(incoming.id)?.resolve(incoming.result);
                return;
            case 'error':
                if (incoming.id === null) throw incoming.error;
                this.#take(incoming.id)?.reject(incoming.error);
        }
    }

    /**
     * An answer that came after its request was cancelled finds nobody.
     * @param {number} id
     */
    #take(id) {
        const pending = this.#pending.get(id);
        this.#pending.delete(id);
        return pending;
    }

    /** @param {AutoFillError} error */
    #end(error) {
        if (this.#closed) return;
        this.#closed = error;
        const open = [...this.#pending.values()];
        this.#pending.clear();
        for (const pending of open) pending.reject(error);
        this.#onClosed(error);
    }
}
