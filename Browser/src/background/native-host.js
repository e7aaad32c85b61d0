/**
 * The one connection to the native host: opened by the first request, kept, and opened again by the next request after
 * it broke. While it is open, the browser keeps this background alive.
 *
 * @typedef {import('../protocol/channel.js').CallOptions} CallOptions
 * @typedef {import('../protocol/host.js').SuggestResult} SuggestResult
 * @typedef {import('../protocol/host.js').FillResult} FillResult
 * @typedef {import('../protocol/host.js').CredentialField} CredentialField
 * @typedef {{url: string, private: boolean}} Page
 */
import { Channel } from '../protocol/channel.js';
import { AutoFillError, kindOf } from '../protocol/errors.js';
import { parseFillResult, parseHelloResult, parseSuggestResult, protocolVersion } from '../protocol/host.js';

/** How long a host may take to say hello, in milliseconds. */
const helloLimit = 10_000;

export class NativeHost {
    /** @type {Promise<Channel> | undefined} */
    #connection;
    #connect;
    #hello;
    #onState;

    /**
     * @param {() => chrome.Port} connect
     * @param {{version: string, browser: 'chromium' | 'firefox'}} extension
     * @param {(trouble: AutoFillError | undefined) => void} onState told what stands in the way, or that nothing does
     */
    constructor(connect, extension, onState) {
        this.#connect = connect;
        this.#hello = { protocol: protocolVersion, ...extension };
        this.#onState = onState;
    }

    /**
     * @param {Page} page
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

    /** @param {string} method @param {object} params @param {CallOptions} [options] */
    async #call(method, params, options) {
        try {
            this.#connection ??= this.#open();
            const channel = await this.#connection;
            const result = await channel.call(method, params, options);
            this.#onState(undefined);
            return result;
        } catch (error) {
            if (error instanceof AutoFillError && standsInTheWay.has(kindOf(error))) this.#onState(error);
            throw error;
        }
    }

    /** @returns {Promise<Channel>} */
    async #open() {
        const forget = () => {
            this.#connection = undefined;
        };
        /** @type {Channel | undefined} */
        let channel;
        try {
            channel = new Channel(this.#connect(), forget, nameDisconnect);
            const { protocol } = parseHelloResult(await greet(channel, this.#hello));
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
