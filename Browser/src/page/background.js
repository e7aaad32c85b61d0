/**
 * The content script's end of the connection to the background, opened by the first question.
 *
 * @typedef {import('../protocol/channel.js').CallOptions} CallOptions
 * @typedef {import('../protocol/page.js').PageFill} PageFill
 * @typedef {import('../protocol/page.js').PageList} PageList
 * @typedef {import('../protocol/page.js').PageSuggest} PageSuggest
 * @typedef {import('../protocol/page.js').PagePasskey} PagePasskey
 * @typedef {import('../protocol/saving.js').SubmittedForm} SubmittedForm
 */
import { Channel } from '../protocol/channel.js';
import { AutoFillError } from '../protocol/errors.js';
import {
    parseFillResult,
    parseInsertResult,
    parseSetUpResult,
    parseSuggestResult,
    parseTextsResult,
} from '../protocol/host.js';
import { passkeyPortName, portName } from '../protocol/page.js';
import { parseAssertion, parseAvailability, parseRegistration } from '../protocol/passkeys.js';
import { parseGenerated, parseNothing, parseSavingSupport } from '../protocol/saving.js';

export class Background {
    /** @type {Map<string, Channel>} by the name of the port */
    #channels = new Map();

    /**
     * @param {PageSuggest} asked
     * @param {AbortSignal} signal
     */
    async suggest(asked, signal) {
        return parseSuggestResult(await this.#call(portName, 'suggest', asked, { signal }));
    }

    /**
     * @param {PageFill} choice
     * @param {CallOptions} options
     */
    async fill(choice, options) {
        return parseFillResult(await this.#call(portName, 'fill', choice, options), choice.fields);
    }

    /**
     * @param {PageList} choice
     * @param {CallOptions} options
     */
    async list(choice, options) {
        const answer = await this.#call(portName, 'list', choice, options);
        return parseFillResult(answer, choice.fields, choice.passkey !== undefined);
    }

    /**
     * The passkey that the person chose in the menu.
     * @param {PagePasskey} choice
     * @param {CallOptions} options
     */
    async passkey(choice, options) {
        return parseAssertion(await this.#call(portName, 'passkey', choice, options));
    }

    /** @param {AbortSignal} signal */
    async savingSupport(signal) {
        return parseSavingSupport(await this.#call(portName, 'passwords.available', {}, { signal }));
    }

    /**
     * @param {import('../protocol/saving.js').FormRules} rules
     * @param {CallOptions} options
     */
    async generate(rules, options) {
        return parseGenerated(await this.#call(portName, 'passwords.generate', rules, options));
    }

    /** @param {SubmittedForm} form with a generated password, before it is sent */
    async keep(form) {
        parseNothing(await this.#call(portName, 'passwords.keep', form, {}));
    }

    /** @param {SubmittedForm & {kind: import('../protocol/saving.js').FormKind}} form */
    async submit(form) {
        parseNothing(await this.#call(portName, 'passwords.submit', form, {}));
    }

    /** @param {string} user of a form without a password */
    async named(user) {
        parseNothing(await this.#call(portName, 'passwords.named', { user }, {}));
    }

    /** @param {boolean} worked what became of the form that was sent last */
    async settle(worked) {
        parseNothing(await this.#call(portName, 'passwords.settle', { worked }, {}));
    }

    /**
     * Keyway is set up, in windows outside of the page.
     * @param {CallOptions} options
     */
    async setUp(options) {
        return parseSetUpResult(await this.#call(portName, 'setUp', {}, options));
    }

    /** @param {AbortSignal} signal @returns whose texts there are to insert */
    async texts(signal) {
        return parseTextsResult(await this.#call(portName, 'texts', {}, { signal }));
    }

    /**
     * @param {string} provider
     * @param {CallOptions} options
     */
    async insert(provider, options) {
        return parseInsertResult(await this.#call(portName, 'insert', { provider }, options));
    }

    /** @param {AbortSignal} signal */
    async available(signal) {
        return parseAvailability(await this.#call(passkeyPortName, 'passkeys.available', {}, { signal }));
    }

    /**
     * @param {ReturnType<typeof import('../protocol/page.js').parsePageGet>} asked
     * @param {AbortSignal} signal
     */
    async getPasskey(asked, signal) {
        return parseAssertion(await this.#call(passkeyPortName, 'passkeys.get', asked, { signal }));
    }

    /**
     * @param {ReturnType<typeof import('../protocol/page.js').parsePageCreate>} asked
     * @param {AbortSignal} signal
     */
    async createPasskey(asked, signal) {
        return parseRegistration(await this.#call(passkeyPortName, 'passkeys.create', asked, { signal }));
    }

    /**
     * @param {import('../protocol/passkeys.js').Report} report
     * @param {AbortSignal} signal
     */
    async report(report, signal) {
        await this.#call(passkeyPortName, 'passkeys.report', { report }, { signal });
    }

    /** A page that is put aside must not keep a connection; when it comes back, its next question opens another. */
    hangUp() {
        for (const channel of this.#channels.values()) channel.close(new AutoFillError('disconnected'));
    }

    /** @param {string} port @param {string} method @param {object} params @param {CallOptions} options */
    #call(port, method, params, options) {
        const channel = this.#channels.get(port) ?? this.#open(port);
        return channel.call(method, params, options);
    }

    /** @param {string} name @returns {Channel} */
    #open(name) {
        const channel = new Channel(
            chrome.runtime.connect({ name }),
            () => this.#channels.delete(name),
            () => new AutoFillError('disconnected'),
        );
        this.#channels.set(name, channel);
        return channel;
    }
}
