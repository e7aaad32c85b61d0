/**
 * One frame's conversation about passkeys: what its page asks by `navigator.credentials`. The page may be the one that
 * speaks here, so there is nothing else to be had on this port, and who asks is what the browser says.
 *
 * @typedef {Pick<import('./native-host.js').NativeHost, 'available' | 'getPasskey' | 'createPasskey' | 'report'>}
 *     PasskeyHost
 */
import { AutoFillError } from '../protocol/errors.js';
import { parsePageAvailable, parsePageCreate, parsePageGet, parsePageReport } from '../protocol/page.js';
import { AnsweringEnd } from '../protocol/answering-end.js';
import { passkeyRequesterOf } from './requester.js';

export class PasskeySession {
    #host;
    #sender;

    /**
     * Answers on `port` until the frame goes away.
     * @param {chrome.Port} port
     * @param {chrome.MessageSender} sender
     * @param {PasskeyHost} host
     * @throws {AutoFillError} `refused` where no page of the web asks
     */
    static serve(port, sender, host) {
        passkeyRequesterOf(sender, false);
        const session = new PasskeySession(sender, host);
        return new AnsweringEnd(port, (_, method, params, signal) => session.#perform(method, params, signal));
    }

    /** @param {chrome.MessageSender} sender @param {PasskeyHost} host */
    constructor(sender, host) {
        this.#sender = sender;
        this.#host = host;
    }

    /** @param {string} method @param {unknown} params @param {AbortSignal} signal @returns {Promise<unknown>} */
    async #perform(method, params, signal) {
        if (method === 'passkeys.available') {
            parsePageAvailable(params);
            return this.#host.available(this.#page(), { signal });
        }
        if (method === 'passkeys.get') {
            const { request, isCrossOrigin } = parsePageGet(params);
            return this.#host.getPasskey({ ...passkeyRequesterOf(this.#sender, isCrossOrigin), request }, { signal });
        }
        if (method === 'passkeys.create') {
            const { isCrossOrigin, ...asked } = parsePageCreate(params);
            return this.#host.createPasskey({ ...passkeyRequesterOf(this.#sender, isCrossOrigin), ...asked }, { signal });
        }
        if (method === 'passkeys.report') {
            const report = parsePageReport(params);
            await this.#host.report({ ...this.#page(), report }, { signal });
            return {};
        }
        throw new AutoFillError('invalid', 'unknown method');
    }

    /** @returns {import('./requester.js').Requester} */
    #page() {
        const { url, private: isPrivate } = passkeyRequesterOf(this.#sender, false);
        return { url, private: isPrivate };
    }
}
