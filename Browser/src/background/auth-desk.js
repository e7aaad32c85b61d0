/**
 * Sign-in by HTTP itself (RFC 9110, section 11: Basic, Digest). A server that asks for it while a page is loaded into a
 * tab is answered with an account that the person chose in a window of the extension's, which names host and realm; else
 * the browser asks as it always does. Proxies, parts of pages and other schemes are the browser's matter alone.
 *
 * @typedef {Pick<import('./native-host.js').NativeHost, 'suggest' | 'fill' | 'list'>} AuthHost
 * @typedef {import('./requester.js').Requester & {realm: string}} Asking
 * @typedef {{
 *     host: AuthHost,
 *     tabOf: (number: number) => Promise<chrome.Tab>,
 *     open: (path: string) => Promise<void>,
 *     makeIdentifier: () => string,
 * }} Surroundings `open` shows a window of the extension's
 * @typedef {{username: string, password: string}} Credentials
 * @typedef {object} Question
 * @property {Asking} asking
 * @property {boolean} isAgain whether what was chosen before was wrong
 * @property {import('../protocol/host.js').SuggestResult} answer
 * @property {(credentials: Credentials | undefined) => void} resolve
 * @property {number} tab
 * @property {chrome.Port[]} ports of its window
 */
import { AnsweringEnd } from '../protocol/answering-end.js';
import { parseBasicFill, parseBasicList, parseBasicLook } from '../protocol/basic.js';
import { AutoFillError } from '../protocol/errors.js';
import { notification } from '../protocol/jsonrpc.js';
import { pageOfTab } from './requester.js';

/** How often the person is asked for one load of a page. */
const mostAsked = 2;
/** How many loads are remembered. */
const mostLoads = 200;
/** A realm is a short text; a longer one is cut. */
const longestRealm = 256;

const schemes = new Set(['basic', 'digest']);
const fields = /** @type {import('../protocol/host.js').CredentialField[]} */ (['username', 'password']);

export class AuthDesk {
    /** @type {Map<string, Question>} by an identifier that nobody can guess */
    #questions = new Map();
    /** @type {Map<string, number>} how often was asked, by the browser's number of the load */
    #asked = new Map();
    /** @type {Map<string, string>} which question is open for a load */
    #open = new Map();
    #surroundings;

    /** @param {Surroundings} surroundings */
    constructor(surroundings) {
        this.#surroundings = surroundings;
    }

    /**
     * @param {chrome.AuthDetails} details
     * @returns {Promise<{authCredentials?: Credentials}>} without credentials, the browser asks by itself
     */
    async answer(details) {
        const credentials = await this.#choose(details).catch(() => undefined);
        return credentials ? { authCredentials: credentials } : {};
    }

    /**
     * A load ended, and with it whatever was asked for it.
     * @param {string} load
     */
    end(load) {
        this.#questions.get(this.#open.get(load) ?? '')?.resolve(undefined);
        this.#asked.delete(load);
    }

    /**
     * A tab shows something else, or is gone.
     * @param {number} tab
     */
    endTab(tab) {
        for (const question of this.#questions.values()) if (question.tab === tab) question.resolve(undefined);
    }

    /** @param {chrome.AuthDetails} details @returns {Promise<Credentials | undefined>} */
    async #choose(details) {
        const { requestId: load } = details;
        const { host, tabOf, open, makeIdentifier } = this.#surroundings;
        const before = this.#asked.get(load) ?? 0;
        if (!isForThePage(details) || before >= mostAsked) return undefined;
        const tab = await tabOf(details.tabId);
        const page = pageOfTab({ url: details.url, incognito: tab.incognito });
        if (!page) return undefined;
        const asking = { ...page, realm: (details.realm ?? '').slice(0, longestRealm) };
        const answer = await host.suggest(asking);
        const suggestions = answer.suggestions.filter(({ kind }) => kind === 'password');
        // Nobody's account: the browser asks, as it always does.
        if (suggestions.length === 0) return undefined;
        this.#note(load, before + 1);
        const name = makeIdentifier();
        const shown = { ...answer, suggestions };
        /** @type {chrome.Port[]} */
        const ports = [];
        const chosen = new Promise((resolve) => {
            const { tabId } = details;
            this.#questions.set(name, { asking, isAgain: before > 0, answer: shown, resolve, tab: tabId, ports });
        });
        this.#open.set(load, name);
        try {
            await open(`src/basic/basic.html#${name}`);
            const credentials = await chosen;
            // Who wants none of ours wants the browser's own question, now and when its answer is wrong.
            if (!credentials) this.#note(load, mostAsked);
            return credentials;
        } finally {
            this.#questions.delete(name);
            this.#open.delete(load);
            // Its window closes with them.
            for (const port of ports) port.disconnect();
        }
    }

    /** @param {string} load @param {number} count */
    #note(load, count) {
        this.#asked.set(load, count);
        if (this.#asked.size <= mostLoads) return;
        const [oldest] = this.#asked.keys();
        this.#asked.delete(oldest);
    }

    /**
     * Answers the window of a question; without it, there is no choice.
     * @param {chrome.Port} port
     */
    serve(port) {
        /** @type {Question | undefined} */
        let question;
        const end = new AnsweringEnd(port, async (id, method, params, signal) => {
            if (method === 'look') {
                question = this.#questions.get(parseBasicLook(params).question);
                if (!question) throw new AutoFillError('notFound');
                question.ports.push(port);
                const { asking, isAgain, answer } = question;
                const url = new URL(asking.url);
                const { realm, private: isPrivate } = asking;
                const isEncrypted = url.protocol === 'https:';
                return { host: url.host, realm, isEncrypted, isPrivate, isAgain, ...answer };
            }
            if (!question) throw new AutoFillError('refused', 'nothing was asked here');
            /** @param {import('../protocol/host.js').FillWaiting} waiting */
            const onWaiting = (waiting) => end.send(notification('fill.waiting', { ...waiting, request: id }));
            await this.#fill(question, method, params, { signal, onWaiting });
            return {};
        });
        port.onDisconnect.addListener(() => question?.resolve(undefined));
        return end;
    }

    /**
     * @param {Question} question
     * @param {string} method
     * @param {unknown} params
     * @param {import('../protocol/channel.js').CallOptions} options
     */
    async #fill(question, method, params, options) {
        const { asking, answer, resolve } = question;
        const { host } = this.#surroundings;
        /** @type {import('../protocol/host.js').FillResult} */
        let values;
        if (method === 'fill') {
            const { handle } = parseBasicFill(params);
            if (!answer.suggestions.some((each) => each.handle === handle)) throw new AutoFillError('refused');
            values = await host.fill({ ...asking, handle, fields }, options);
        } else if (method === 'list') {
            const { provider } = parseBasicList(params);
            if (!answer.providers.some(({ identifier }) => identifier === provider)) throw new AutoFillError('refused');
            values = await host.list({ ...asking, provider, fields }, options);
        } else throw new AutoFillError('invalid', 'unknown method');
        resolve({ username: values.user ?? '', password: values.password ?? '' });
    }
}

/**
 * Whether the server of the page itself asks: no proxy, no part of a page, no scheme that is not answered with a password.
 * @param {chrome.AuthDetails} details
 */
function isForThePage({ isProxy, type, tabId, scheme, challenger, url }) {
    const { hostname } = new URL(url);
    const isServer = !isProxy && (challenger === undefined || bare(challenger.host) === bare(hostname));
    return isServer && type === 'main_frame' && tabId >= 0 && schemes.has(scheme.toLowerCase());
}

/** @param {string} host an address of version 6 stands in brackets, or does not */
function bare(host) {
    return host.toLowerCase().replace(/^\[|\]$/g, '');
}
