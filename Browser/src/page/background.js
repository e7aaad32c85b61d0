/**
 * The content script's end of the connection to the background, opened by the first question.
 *
 * @typedef {import('../protocol/channel.js').CallOptions} CallOptions
 * @typedef {import('../protocol/page.js').PageFill} PageFill
 * @typedef {import('../protocol/page.js').PageList} PageList
 */
import { Channel } from '../protocol/channel.js';
import { AutoFillError } from '../protocol/errors.js';
import { parseFillResult, parseSuggestResult } from '../protocol/host.js';
import { portName } from '../protocol/page.js';

export class Background {
    /** @type {Channel | undefined} */
    #channel;

    /** @param {AbortSignal} signal */
    async suggest(signal) {
        return parseSuggestResult(await this.#open().call('suggest', {}, { signal }));
    }

    /**
     * @param {PageFill} choice
     * @param {CallOptions} options
     */
    async fill(choice, options) {
        return parseFillResult(await this.#open().call('fill', choice, options), choice.fields);
    }

    /**
     * @param {PageList} choice
     * @param {CallOptions} options
     */
    async list(choice, options) {
        return parseFillResult(await this.#open().call('list', choice, options), choice.fields);
    }

    /** A page that is put aside must not keep a connection; when it comes back, its next question opens another. */
    hangUp() {
        this.#channel?.close(new AutoFillError('disconnected'));
    }

    /** @returns {Channel} */
    #open() {
        this.#channel ??= new Channel(
            chrome.runtime.connect({ name: portName }),
            () => {
                this.#channel = undefined;
            },
            () => new AutoFillError('disconnected'),
        );
        return this.#channel;
    }
}
