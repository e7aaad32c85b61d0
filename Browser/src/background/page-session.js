/**
 * One frame's conversation with the background. Answers for the origin that the browser named when the frame
 * connected, lets it choose only among what was offered to it, and ends every open request when the frame goes away.
 */
import { AutoFillError } from '../protocol/errors.js';
import { failure, notification, parseIncoming, success } from '../protocol/jsonrpc.js';
import { parseCancel, parsePageFill, parsePageList, parsePageSuggest } from '../protocol/page.js';

export class PageSession {
    /** @type {Map<number, AbortController>} */
    #open = new Map();
    /** @type {Set<string>} */
    #offered = new Set();
    /**
     * Whose lists were offered.
     * @type {Set<string>}
     */
    #listed = new Set();
    #port;
    #host;
    #requester;

    /**
     * Answers on `port` until the frame goes away.
     * @param {chrome.Port} port
     * @param {import('./requester.js').Requester} requester
     * @param {Pick<import('./native-host.js').NativeHost, 'suggest' | 'fill' | 'list'>} host
     */
    static serve(port, requester, host) {
        const session = new PageSession(port, requester, host);
        port.onMessage.addListener((message) => session.#receive(message));
        port.onDisconnect.addListener(() => session.#end());
    }

    /**
     * @param {chrome.Port} port
     * @param {import('./requester.js').Requester} requester
     * @param {Pick<import('./native-host.js').NativeHost, 'suggest' | 'fill' | 'list'>} host
     */
    constructor(port, requester, host) {
        this.#port = port;
        this.#requester = requester;
        this.#host = host;
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
            // Whoever speaks another protocol here is not our content script.
            this.#end();
            this.#port.disconnect();
        }
    }

    /** @param {import('../protocol/jsonrpc.js').IncomingRequest} incoming */
    async #answer({ id, method, params }) {
        if (this.#open.has(id)) return;
        const controller = new AbortController();
        this.#open.set(id, controller);
        try {
            this.#send(success(id, await this.#perform(id, method, params, controller.signal)));
        } catch (error) {
            this.#send(failure(id, error));
        } finally {
            this.#open.delete(id);
        }
    }

    /** @param {number} id @param {string} method @param {unknown} params @param {AbortSignal} signal */
    async #perform(id, method, params, signal) {
        if (method === 'suggest') {
            parsePageSuggest(params);
            const answer = await this.#host.suggest(this.#requester, { signal });
            for (const { handle } of answer.suggestions) this.#offered.add(handle);
            for (const { identifier } of answer.providers) this.#listed.add(identifier);
            return answer;
        }
        if (method === 'fill') {
            const { handle, fields } = parsePageFill(params);
            if (!this.#offered.has(handle)) throw new AutoFillError('refused', 'not offered to this frame');
            return this.#host.fill({ ...this.#requester, handle, fields }, this.#options(id, signal));
        }
        if (method === 'list') {
            const { provider, fields } = parsePageList(params);
            if (!this.#listed.has(provider)) throw new AutoFillError('refused', 'not offered to this frame');
            return this.#host.list({ ...this.#requester, provider, fields }, this.#options(id, signal));
        }
        throw new AutoFillError('invalid', 'unknown method');
    }

    /** @param {number} id @param {AbortSignal} signal @returns {import('../protocol/channel.js').CallOptions} */
    #options(id, signal) {
        /** @param {import('../protocol/host.js').FillWaiting} waiting */
        const onWaiting = (waiting) => this.#send(notification('fill.waiting', { ...waiting, request: id }));
        return { signal, onWaiting };
    }

    /** @param {object} message */
    #send(message) {
        try {
            this.#port.postMessage(message);
        } catch {
            // The frame went away between question and answer.
        }
    }

    #end() {
        for (const controller of this.#open.values()) controller.abort();
        this.#offered.clear();
        this.#listed.clear();
    }
}
