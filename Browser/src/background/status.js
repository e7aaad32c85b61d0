/**
 * Says on the toolbar button how things stand: by its shape, and in its title by words. What stands in the way goes
 * before a lock, and that the person turned Keyway off for the page of a tab before both.
 *
 * @typedef {'ready' | 'locked' | 'trouble' | 'off'} IconState
 */

import { AutoFillError } from '../protocol/errors.js';

/** @type {Record<string, string>} error kind to the name of its text */
const texts = {
    hostMissing: 'troubleHostMissing',
    hostForbidden: 'troubleHostForbidden',
    brokerUnreachable: 'troubleBrokerUnreachable',
    versionMismatch: 'troubleVersionMismatch',
    notApproved: 'troubleNotApproved',
    forbidden: 'troubleForbidden',
    rateLimited: 'troubleRateLimited',
};

/** @type {Record<IconState, string>} */
const titles = {
    ready: 'extensionName',
    locked: 'iconLocked',
    trouble: 'troubleHostFailed',
    off: 'iconOff',
};

/** In pixels, as `icons` holds them. */
const sizes = [16, 32, 48];

/** @param {{kind: string} | undefined} trouble @returns {string} */
export function statusTextName(trouble) {
    return trouble ? (texts[trouble.kind] ?? titles.trouble) : titles.ready;
}

/** @param {IconState} state @returns {Record<number, string>} its pictures, by size */
export function picturesOf(state) {
    return Object.fromEntries(sizes.map((size) => [size, `/icons/${state}-${size}.png`]));
}

export class Toolbar {
    /** @type {{kind: string} | undefined} */
    #trouble;
    #isLocked = false;
    /** What the button shows, as far as this background knows: the one before it may have left something. */
    #shown = '';
    /** The tabs that were shown to be off. */
    #off = new Set();
    #browser;
    #isOff;

    /**
     * @param {Pick<typeof chrome, 'action' | 'i18n'>} browser
     * @param {(address: string | undefined) => Promise<boolean>} isOff
     */
    constructor(browser, isOff) {
        this.#browser = browser;
        this.#isOff = isOff;
    }

    /** @param {{kind: string} | undefined} trouble what stands between this browser and the accounts, if anything */
    tellTrouble(trouble) {
        this.#trouble = trouble;
        this.#show();
    }

    /** @param {import('../protocol/host.js').HostState} state */
    tellState({ providers }) {
        this.#isLocked = providers.length > 0 && providers.every(({ state }) => state === 'locked');
        this.#show();
    }

    /**
     * The page of a tab changed, or what the person wants there. What a tab has of its own is gone with its page.
     * @param {number} tabId
     * @param {string | undefined} address
     * @param {boolean} [isSure] whether it may be shown to be off, and is not any more
     */
    async tellPage(tabId, address, isSure = false) {
        const { action, i18n } = this.#browser;
        const isOff = await this.#isOff(address);
        const wasOff = this.#off.delete(tabId) || isSure;
        if (isOff) this.#off.add(tabId);
        else if (!wasOff) return;
        await action.setIcon({ tabId, path: picturesOf(isOff ? 'off' : this.#state) });
        await action.setTitle({ tabId, title: i18n.getMessage(isOff ? titles.off : this.#title) });
    }

    /** @returns {IconState} */
    get #state() {
        if (this.#trouble) return 'trouble';
        return this.#isLocked ? 'locked' : 'ready';
    }

    get #title() {
        return this.#trouble || !this.#isLocked ? statusTextName(this.#trouble) : titles.locked;
    }

    #show() {
        const { action, i18n } = this.#browser;
        const shown = `${this.#state} ${this.#title}`;
        if (shown === this.#shown) return;
        this.#shown = shown;
        void action.setIcon({ path: picturesOf(this.#state) });
        void action.setTitle({ title: i18n.getMessage(this.#title) });
        void action.setBadgeText({ text: this.#trouble ? '!' : '' });
    }

    /**
     * A password that could not be saved, because nobody could be asked: the message says what to type.
     * @param {unknown} error
     */
    tellUnsaved(error) {
        if (!(error instanceof AutoFillError) || error.kind !== 'needsPerson') return;
        const { action, i18n } = this.#browser;
        // What is told next takes its place.
        this.#shown = '';
        void action.setTitle({ title: i18n.getMessage('troubleUnsaved', [error.message]) });
        void action.setBadgeText({ text: '!' });
    }
}
