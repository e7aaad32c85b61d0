/**
 * One frame's conversation with the background. Answers for the origin that the browser named when the frame
 * connected, lets it choose only among what was offered to it, and ends every open request when the frame goes away.
 */
import { AutoFillError } from '../protocol/errors.js';
import { notification } from '../protocol/jsonrpc.js';
import { parsePageFill, parsePageList, parsePagePasskey, parsePageSuggest } from '../protocol/page.js';
import { AnsweringEnd } from '../protocol/answering-end.js';

/** @typedef {Pick<import('./native-host.js').NativeHost, 'suggest' | 'fill' | 'list' | 'getPasskey'>} PageHost */

export class PageSession {
    /** @type {Set<string>} */
    #offered = new Set();
    /**
     * Whose lists were offered.
     * @type {Set<string>}
     */
    #listed = new Set();
    #end;
    #host;
    #requester;

    /**
     * Answers on `port` until the frame goes away.
     * @param {chrome.Port} port
     * @param {import('./requester.js').Requester} requester
     * @param {PageHost} host
     */
    static serve(port, requester, host) {
        return new PageSession(port, requester, host);
    }

    /**
     * @param {chrome.Port} port
     * @param {import('./requester.js').Requester} requester
     * @param {PageHost} host
     */
    constructor(port, requester, host) {
        this.#requester = requester;
        this.#host = host;
        this.#end = new AnsweringEnd(port, (...asked) => this.#perform(...asked));
    }

    /** @param {number} id @param {string} method @param {unknown} params @param {AbortSignal} signal */
    async #perform(id, method, params, signal) {
        if (method === 'suggest') {
            const answer = await this.#host.suggest({ ...this.#requester, ...parsePageSuggest(params) }, { signal });
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
            const choice = parsePageList(params);
            if (!this.#listed.has(choice.provider)) throw new AutoFillError('refused', 'not offered to this frame');
            return this.#host.list({ ...this.#requester, ...choice }, this.#options(id, signal));
        }
        if (method === 'passkey') {
            const choice = parsePagePasskey(params);
            if (!this.#offered.has(choice.handle)) throw new AutoFillError('refused', 'not offered to this frame');
            return this.#host.getPasskey({ ...this.#requester, ...choice }, this.#options(id, signal));
        }
        throw new AutoFillError('invalid', 'unknown method');
    }

    /** @param {number} id @param {AbortSignal} signal @returns {import('../protocol/channel.js').CallOptions} */
    #options(id, signal) {
        /** @param {import('../protocol/host.js').FillWaiting} waiting */
        const onWaiting = (waiting) => this.#end.send(notification('fill.waiting', { ...waiting, request: id }));
        return { signal, onWaiting };
    }
}
