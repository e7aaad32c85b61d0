/** The window's end of the connection to the background. */
import { Channel } from '../protocol/channel.js';
import { AutoFillError } from '../protocol/errors.js';
import { popupPortName } from '../protocol/popup.js';

/** @typedef {import('../protocol/channel.js').CallOptions} CallOptions */

export class Background {
    /** @type {Channel | undefined} */
    #channel;

    /** @param {number} tab @returns {Promise<import('../protocol/popup.js').Look>} */
    async look(tab) {
        return /** @type {any} */ (await this.#call('look', { tab }));
    }

    /** @param {{frame: number, handle: string}} choice @param {CallOptions} options */
    async fill(choice, options) {
        await this.#call('fill', choice, options);
    }

    /** @param {{frame: number, provider: string}} choice @param {CallOptions} options */
    async list(choice, options) {
        await this.#call('list', choice, options);
    }

    /** @param {string} provider */
    async lock(provider) {
        await this.#call('lock', { provider });
    }

    /** @param {string} provider @param {CallOptions} options */
    async unlock(provider, options) {
        await this.#call('unlock', { provider }, options);
    }

    /** @param {string} host @param {boolean} isOff */
    async turn(host, isOff) {
        await this.#call('turn', { host, isOff });
    }

    /** @param {string} method @param {object} params @param {CallOptions} [options] */
    #call(method, params, options) {
        this.#channel ??= new Channel(
            chrome.runtime.connect({ name: popupPortName }),
            () => {
                this.#channel = undefined;
            },
            () => new AutoFillError('disconnected'),
        );
        return this.#channel.call(method, params, options);
    }
}
