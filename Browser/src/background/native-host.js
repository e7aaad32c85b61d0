/**
 * The one connection to the native host: opened by the first request, kept, and opened again by the next request after
 * it broke. While it is open, the browser keeps this background alive.
 *
 * @typedef {import('../protocol/channel.js').CallOptions} CallOptions
 * @typedef {import('../protocol/host.js').SuggestResult} SuggestResult
 * @typedef {import('../protocol/host.js').FillResult} FillResult
 * @typedef {import('../protocol/host.js').CredentialField} CredentialField
 * @typedef {import('../protocol/host.js').HostState} HostState
 * @typedef {import('./profile.js').BrowserProfile} BrowserProfile
 * @typedef {import('../protocol/passkeys.js').Assertion} Assertion
 * @typedef {import('../protocol/passkeys.js').AssertionRequest} AssertionRequest
 * @typedef {{url: string, private: boolean, realm?: string}} Page `realm`: that of a server that asks by HTTP itself
 * @typedef {Page & {top?: string}} Frame `top`: the page's origin, around a frame of another one
 */
import { Channel } from '../protocol/channel.js';
import { AutoFillError, kindOf } from '../protocol/errors.js';
import {
    parseFillResult,
    parseHelloResult,
    parseHostState,
    parseInsertResult,
    parseSetUpResult,
    parseSuggestResult,
    parseTextsResult,
    protocolVersion,
} from '../protocol/host.js';
import { parseAssertion, parseAvailability, parseRegistration } from '../protocol/passkeys.js';
import {
    parseGenerated,
    parseNothing,
    parseChangePage,
    parseSavingSupport,
    parseSettled,
    parseUnsavedSites,
} from '../protocol/saving.js';
import { record } from '../protocol/shape.js';

/** How long a host may take to say hello, in milliseconds. */
const helloLimit = 10_000;

export class NativeHost {
    /** @type {Promise<Channel> | undefined} */
    #connection;
    /** Whether the person was told that this browser asked too much, and nothing has succeeded since. */
    #hasToldOfLimit = false;
    /** The minor version that the host speaks. */
    #minor = 0;
    /**
     * What was locked here: its service is ended by that, and so is not among those that run.
     * @type {Set<string>}
     */
    #locked = new Set();
    #connect;
    #version;
    #readProfile;
    #onState;
    #isOff;
    #onPage;
    #onSetUp;

    /**
     * @param {() => chrome.Port} connect
     * @param {{version: string, readProfile: () => Promise<BrowserProfile>}} extension
     * @param {(trouble: AutoFillError | undefined) => void} onState told what stands in the way, or that nothing does
     * @param {{isOff?: (address: string) => Promise<boolean>, onPage?: () => void, onSetUp?: () => void}} [pages] `isOff`: whether the person
     *     turned Keyway off for a page; nothing is asked for it then; `onPage`: told that a page got an answer;
     *     `onSetUp`: told that Keyway was set up from here
     */
    constructor(connect, { version, readProfile }, onState, pages = {}) {
        this.#connect = connect;
        this.#version = version;
        this.#readProfile = readProfile;
        this.#onState = onState;
        this.#isOff = pages.isOff ?? (async () => false);
        this.#onPage = pages.onPage ?? (() => {});
        this.#onSetUp = pages.onSetUp ?? (() => {});
    }

    /**
     * @param {Page & import('../protocol/page.js').PageSuggest} page
     * @param {CallOptions} [options]
     * @returns {Promise<SuggestResult>}
     */
    async suggest(page, options) {
        const { codes, ...others } = page;
        // A host of version 1.0 suggests no codes; it has lists of them.
        const asked = codes && (await this.#speaks(1)) ? page : others;
        return parseSuggestResult(await this.#call('suggest', asked, options));
    }

    /**
     * @param {Page & {handle: string, fields: CredentialField[]}} choice
     * @param {CallOptions} [options]
     * @returns {Promise<FillResult>}
     */
    async fill(choice, options) {
        return parseFillResult(await this.#call('fill', choice, options), choice.fields);
    }

    /**
     * What the person picks from a provider's whole list, in a window outside of every page.
     * @param {Page & import('../protocol/page.js').PageList} choice
     * @param {CallOptions} [options]
     * @returns {Promise<FillResult>}
     */
    async list(choice, options) {
        const takesPasskey = choice.passkey !== undefined;
        return parseFillResult(await this.#call('list', choice, options), choice.fields, takesPasskey);
    }

    /** @param {Page} page @param {CallOptions} [options] */
    async savingSupport(page, options) {
        return parseSavingSupport(await this.#call('passwords.available', page, options));
    }

    /**
     * @param {Page & import('../protocol/saving.js').FormRules} asked
     * @param {CallOptions} [options]
     */
    async generate(asked, options) {
        return parseGenerated(await this.#call('passwords.generate', asked, options));
    }

    /** @param {Page & import('../protocol/saving.js').SubmittedForm & {session: string}} form */
    async keepPassword(form) {
        parseNothing(await this.#call('passwords.keep', form));
    }

    /** @param {Page & import('../protocol/saving.js').SubmittedForm & {session: string}} form */
    async submitPassword(form) {
        parseNothing(await this.#call('passwords.submit', form));
    }

    /** @param {{session: string, worked: boolean}} told */
    async settlePassword(told) {
        return parseSettled(await this.#call('passwords.settle', told));
    }

    /** @param {Page} page of the site whose password is to be changed */
    async changePage(page) {
        return parseChangePage(await this.#call('passwords.changePage', page, undefined, 1));
    }

    /** The sites that the person is never asked about. */
    async unsavedSites() {
        return parseUnsavedSites(await this.#call('passwords.unsaved', {}));
    }

    /** @param {string} site that the person wants to be asked about again */
    async askAgain(site) {
        parseNothing(await this.#call('passwords.askAgain', { site }));
    }

    /**
     * Whose texts there are to insert.
     * @param {Page} page
     * @param {CallOptions} [options]
     */
    async texts(page, options) {
        return parseTextsResult(await this.#call('texts', page, options));
    }

    /**
     * A text that the person picks from a provider's list, in a window outside of every page.
     * @param {Page & {provider: string}} choice
     * @param {CallOptions} [options]
     */
    async insert(choice, options) {
        return parseInsertResult(await this.#call('insert', choice, options));
    }

    /**
     * Keyway is set up, in windows outside of every page.
     * @param {Page} page
     * @param {CallOptions} [options]
     */
    async setUp(page, options) {
        const outcome = parseSetUpResult(await this.#call('setUp', page, options, 1));
        if (outcome === 'done') this.#onSetUp();
        return outcome;
    }

    /** @param {Page} page @param {CallOptions} [options] */
    async available(page, options) {
        return parseAvailability(await this.#call('passkeys.available', page, options));
    }

    /**
     * @param {Frame & {request: AssertionRequest, handle?: string}} asked without a handle, the person chooses in a window
     * @param {CallOptions} [options]
     * @returns {Promise<Assertion>}
     */
    async getPasskey(asked, options) {
        return parseAssertion(await this.#call('passkeys.get', asked, options));
    }

    /**
     * @param {Frame & {request: import('../protocol/passkeys.js').RegistrationRequest, isConditional: boolean}} asked
     * @param {CallOptions} [options]
     */
    async createPasskey(asked, options) {
        return parseRegistration(await this.#call('passkeys.create', asked, options));
    }

    /** @param {Page & {report: import('../protocol/passkeys.js').Report}} told @param {CallOptions} [options] */
    async report(told, options) {
        record(await this.#call('passkeys.report', told, options), 'report', []);
    }

    /** @param {number} minor @returns {Promise<boolean>} whether the host speaks this minor version, or a later one */
    async #speaks(minor) {
        try {
            this.#connection ??= this.#open();
            await this.#connection;
        } catch {
            // Whoever asks next hears why.
        }
        return this.#minor >= minor;
    }

    /**
     * What is known of the providers' locks.
     * @param {CallOptions} [options]
     * @returns {Promise<HostState>}
     */
    async state(options) {
        const { providers } = parseHostState(await this.#call('state', {}, options, 1));
        for (const { identifier } of providers) this.#locked.delete(identifier);
        const locked = [...this.#locked].map((identifier) => ({ identifier, state: /** @type {const} */ ('locked') }));
        return { providers: [...providers, ...locked] };
    }

    /** @param {{provider: string}} choice @param {CallOptions} [options] */
    async lock(choice, options) {
        record(await this.#call('lock', choice, options, 1), 'lock', []);
        this.#locked.add(choice.provider);
    }

    /**
     * @param {string} method
     * @param {{url?: string, top?: string, [member: string]: unknown}} params
     * @param {CallOptions} [options]
     * @param {number} [since] the minor version that has this method
     */
    async #call(method, params, options, since = 0) {
        for (const address of [params.url, params.top]) {
            if (address !== undefined && (await this.#isOff(address))) {
                throw new AutoFillError(method.startsWith('passkeys.') ? 'elsewhere' : 'siteOff');
            }
        }
        try {
            this.#connection ??= this.#open();
            const channel = await this.#connection;
            if (this.#minor < (params.realm === undefined ? since : 1)) throw new AutoFillError('unsupported');
            const result = await channel.call(method, params, options);
            this.#onState(undefined);
            this.#hasToldOfLimit = false;
            if (params.url !== undefined) this.#onPage();
            return result;
        } catch (error) {
            if (!(error instanceof AutoFillError)) throw error;
            if (standsInTheWay.has(error.kind)) this.#onState(error);
            throw error.kind === 'rateLimited' ? this.#toldOnce(error) : error;
        }
    }

    /**
     * Once is enough: whoever asks too much is told so until it succeeds, and the menu says it the first time.
     * @param {AutoFillError} error
     */
    #toldOnce(error) {
        if (this.#hasToldOfLimit) return new AutoFillError('tooManyRequests', error.message);
        this.#hasToldOfLimit = true;
        return error;
    }

    /** @returns {Promise<Channel>} */
    async #open() {
        const forget = () => {
            this.#connection = undefined;
        };
        /** @type {Channel | undefined} */
        let channel;
        try {
            const hello = { protocol: protocolVersion, version: this.#version, ...(await this.#readProfile()) };
            channel = new Channel(this.#connect(), forget, nameDisconnect);
            const { protocol } = parseHelloResult(await greet(channel, hello));
            if (protocol.major !== protocolVersion.major) throw new AutoFillError('versionMismatch');
            this.#minor = protocol.minor;
            return channel;
        } catch (error) {
            forget();
            const reason = error instanceof AutoFillError ? error : new AutoFillError('protocolViolation');
            channel?.close(reason);
            throw reason;
        }
    }
}

/**
 * @param {Channel} channel
 * @param {object} hello
 * @returns {Promise<unknown>} rejects with `timedOut` when the host stays silent
 */
async function greet(channel, hello) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), helloLimit);
    try {
        return await channel.call('hello', hello, { signal: controller.signal });
    } catch (error) {
        throw kindOf(error) === 'cancelled' ? new AutoFillError('timedOut') : error;
    } finally {
        clearTimeout(timer);
    }
}

/** What the person can do something about; everything else concerns one page. */
const standsInTheWay = new Set([
    'hostMissing',
    'hostForbidden',
    'hostExited',
    'protocolViolation',
    'brokerUnreachable',
    'versionMismatch',
    'timedOut',
    'notApproved',
    'forbidden',
    'rateLimited',
]);

/**
 * Texts of Chromium's `native_message_process_host.cc` and Firefox's `NativeManifests.sys.mjs`.
 * @type {[RegExp, string][]}
 */
const disconnectTexts = [
    [/host not found|no such native application/i, 'hostMissing'],
    [/forbidden|does not have permission/i, 'hostForbidden'],
];

/** @param {chrome.Port} port @returns {AutoFillError} */
export function nameDisconnect(port) {
    const message = port.error?.message ?? globalThis.chrome?.runtime.lastError?.message ?? '';
    const known = disconnectTexts.find(([pattern]) => pattern.test(message));
    return new AutoFillError(known ? known[1] : 'hostExited', message || undefined);
}
