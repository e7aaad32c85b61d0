/**
 * One frame's conversation with the background. Answers for the origin that the browser named when the frame
 * connected, lets it choose only among what was offered to it, and ends every open request when the frame goes away.
 */
import { AutoFillError } from '../protocol/errors.js';
import { notification } from '../protocol/jsonrpc.js';
import {
    parsePageFill,
    parsePageInsert,
    parsePageList,
    parsePagePasskey,
    parsePageSetUp,
    parsePageSuggest,
    parsePageTexts,
} from '../protocol/page.js';
import { AnsweringEnd } from '../protocol/answering-end.js';
import {
    parseFormRules,
    parsePageNamed,
    parsePageSettle,
    parsePageSubmit,
    parseSubmittedForm,
} from '../protocol/saving.js';
import { record } from '../protocol/shape.js';

/**
 * @typedef {Pick<import('./native-host.js').NativeHost, 'suggest' | 'fill' | 'list' | 'getPasskey' | 'savingSupport' |
 *     'generate' | 'texts' | 'insert' | 'setUp'>} PageHost
 * @typedef {{submissions: Pick<import('./submissions.js').Submissions, 'keep' | 'submit' | 'name' | 'settle'>,
 *     place: import('./submissions.js').Place}} Saving
 */

export class PageSession {
    /** @type {Set<string>} */
    #offered = new Set();
    /**
     * Whose lists were offered.
     * @type {Set<string>}
     */
    #listed = new Set();
    /**
     * Whose texts were offered after the person asked for some, until one is taken.
     * @type {Set<string>}
     */
    #texts = new Set();
    /** Whether this frame was offered that Keyway is set up, until it is begun. */
    #offersSetUp = false;
    #end;
    #host;
    #requester;
    #saving;
    #takeGesture;

    /**
     * Answers on `port` until the frame goes away.
     * @param {chrome.Port} port
     * @param {import('./requester.js').Requester} requester
     * @param {PageHost} host
     * @param {Saving} saving what is done with forms of this frame that are sent
     * @param {() => boolean} takeGesture whether the person asked here, outside of the page, just now
     */
    static serve(port, requester, host, saving, takeGesture) {
        return new PageSession(port, requester, host, saving, takeGesture);
    }

    /**
     * @param {chrome.Port} port
     * @param {import('./requester.js').Requester} requester
     * @param {PageHost} host
     * @param {Saving} saving
     * @param {() => boolean} takeGesture
     */
    constructor(port, requester, host, saving, takeGesture) {
        this.#takeGesture = takeGesture;
        this.#requester = requester;
        this.#host = host;
        this.#saving = saving;
        this.#end = new AnsweringEnd(port, (...asked) => this.#perform(...asked));
    }

    /** @param {number} id @param {string} method @param {unknown} params @param {AbortSignal} signal */
    async #perform(id, method, params, signal) {
        if (method === 'suggest') {
            const answer = await this.#host.suggest({ ...this.#requester, ...parsePageSuggest(params) }, { signal });
            for (const { handle } of answer.suggestions) this.#offered.add(handle);
            for (const { identifier } of answer.providers) this.#listed.add(identifier);
            this.#offersSetUp = answer.setUp === true;
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
        if (method === 'setUp') {
            parsePageSetUp(params);
            if (!this.#offersSetUp) throw new AutoFillError('refused', 'not offered to this frame');
            this.#offersSetUp = false;
            return { outcome: await this.#host.setUp(this.#requester, this.#options(id, signal)) };
        }
        if (method === 'texts') {
            parsePageTexts(params);
            if (!this.#takeGesture()) throw new AutoFillError('refused', 'nobody asked for a text here');
            const providers = await this.#host.texts(this.#requester, { signal });
            this.#texts = new Set(providers.map(({ identifier }) => identifier));
            return { providers };
        }
        if (method === 'insert') {
            const { provider } = parsePageInsert(params);
            if (!this.#texts.has(provider)) throw new AutoFillError('refused', 'not offered to this frame');
            this.#texts.clear();
            return { text: await this.#host.insert({ ...this.#requester, provider }, this.#options(id, signal)) };
        }
        return this.#save(method, params, signal);
    }

    /**
     * What is sent outlives the frame: a form that worked takes its page away.
     * @param {string} method
     * @param {unknown} params
     * @param {AbortSignal} signal
     */
    async #save(method, params, signal) {
        const { submissions, place } = this.#saving;
        switch (method) {
            case 'passwords.available':
                record(params, 'available', []);
                return this.#host.savingSupport(this.#requester, { signal });
            case 'passwords.generate':
                return {
                    passwords: await this.#host.generate({ ...this.#requester, ...parseFormRules(params) }, { signal }),
                };
            case 'passwords.keep':
                await submissions.keep(this.#requester, parseSubmittedForm(params));
                return {};
            case 'passwords.submit': {
                const { form, kind } = parsePageSubmit(params);
                await submissions.submit(place, this.#requester, form, kind);
                return {};
            }
            case 'passwords.named':
                submissions.name(place, this.#requester, parsePageNamed(params));
                return {};
            case 'passwords.settle':
                await submissions.settle(place, parsePageSettle(params));
                return {};
            default:
                throw new AutoFillError('invalid', 'unknown method');
        }
    }

    /** @param {number} id @param {AbortSignal} signal @returns {import('../protocol/channel.js').CallOptions} */
    #options(id, signal) {
        /** @param {import('../protocol/host.js').FillWaiting} waiting */
        const onWaiting = (waiting) => this.#end.send(notification('fill.waiting', { ...waiting, request: id }));
        return { signal, onWaiting };
    }
}
