/**
 * The one connection to the native host: opened by the first request, kept, and opened again by the next request after
 * it broke. While it is open, the browser keeps this background alive.
 *
 * @typedef {import('../protocol/channel.js').CallOptions} CallOptions
 * @typedef {import('../protocol/host.js').SuggestResult} SuggestResult
 * @typedef {import('../protocol/host.js').FillResult} FillResult
 * @typedef {import('../protocol/host.js').CredentialField} CredentialField
 * @typedef {import('./profile.js').BrowserProfile} BrowserProfile
 * @typedef {import('../protocol/passkeys.js').Assertion} Assertion
 * @typedef {import('../protocol/passkeys.js').AssertionRequest} AssertionRequest
 * @typedef {{url: string, private: boolean}} Page
 * @typedef {Page & {top?: string}} Frame `top`: the page's origin, around a frame of another one
 */
import { Channel } from '../protocol/channel.js';
import { AutoFillError, kindOf } from '../protocol/errors.js';
import { parseFillResult, parseHelloResult, parseSuggestResult, protocolVersion } from '../protocol/host.js';
import { parseAssertion, parseAvailability, parseRegistration } from '../protocol/passkeys.js';
import { record } from '../protocol/shape.js';

/** How long a host may take to say hello, in milliseconds. */
const helloLimit = 10_000;

export class NativeHost {
    /** @type {Promise<Channel> | undefined} */
    #connection;
    /** Whether the person was told that this browser asked too much, and nothing has succeeded since. */
    #hasToldOfLimit = false;
    #connect;
    #version;
    #readProfile;
    #onState;

    /**
     * @param {() => chrome.Port} connect
     * @param {{version: string, readProfile: () => Promise<BrowserProfile>}} extension
     * @param {(trouble: AutoFillError | undefined) => void} onState told what stands in the way, or that nothing does
     */
    constructor(connect, { version, readProfile }, onState) {
        this.#connect = connect;
        this.#version = version;
        this.#readProfile = readProfile;
        this.#onState = onState;
    }

    /**
     * @param {Page & import('../protocol/page.js').PageSuggest} page
     * @param {CallOptions} [options]
     * @returns {Promise<SuggestResult>}
     */
    async suggest(page, options) {
        return parseSuggestResult(await this.#call('suggest', page, options));
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

    /** @param {string} method @param {object} params @param {CallOptions} [options] */
    async #call(method, params, options) {
        try {
            this.#connection ??= this.#open();
            const channel = await this.#connection;
            const result = await channel.call(method, params, options);
            this.#onState(undefined);
            this.#hasToldOfLimit = false;
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
