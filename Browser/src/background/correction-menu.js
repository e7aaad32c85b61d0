/**
 * The entries of the browser's context menu with which the person corrects what Keyway takes a field for. The frame knows
 * which field it is; here is decided whether that is kept.
 *
 * @typedef {import('../corrections/store.js').Use} Use
 * @typedef {{menuItemId: string | number, frameId?: number, frameUrl?: string}} Clicked
 */
import { correctMessage, parseCorrected } from '../protocol/correction.js';

/**
 * The entries, and what a field is used for then.
 * @type {Map<string, Use | 'undecided'>}
 */
const entries = new Map([
    ['correctNothing', 'nothing'],
    ['correctUserName', 'username'],
    ['correctPassword', 'password'],
    ['correctCode', 'code'],
    ['correctUndecided', 'undecided'],
]);

export class CorrectionMenu {
    #browser;
    #corrections;

    /**
     * @param {Pick<typeof chrome, 'contextMenus' | 'i18n' | 'runtime' | 'tabs'>} browser
     * @param {Pick<import('../corrections/store.js').Corrections, 'keep' | 'remove'>} corrections
     */
    constructor(browser, corrections) {
        this.#browser = browser;
        this.#corrections = corrections;
    }

    /** Puts the entries into the menu of fields. The browser may have them still. */
    offer() {
        const { contextMenus, i18n, runtime } = this.#browser;
        // To Firefox a password field is not editable but a kind of its own; Chromium does not know that word.
        const contexts = runtime.getBrowserInfo ? ['editable', 'password'] : ['editable'];
        for (const id of entries.keys()) {
            contextMenus.create(
                { id, title: i18n.getMessage(id), contexts, documentUrlPatterns: ['http://*/*', 'https://*/*'] },
                () => void runtime.lastError,
            );
        }
        contextMenus.onClicked.addListener((clicked, tab) => void this.correct(clicked, tab));
    }

    /**
     * @param {Clicked} clicked
     * @param {chrome.Tab | undefined} tab
     * @returns {Promise<boolean>} whether the frame corrected a field; what is said in a private window ends with its page
     */
    async correct({ menuItemId, frameId, frameUrl }, tab) {
        const use = entries.get(`${menuItemId}`);
        if (!use || tab?.id === undefined) return false;
        try {
            const message = { type: correctMessage, use };
            const { origin, mark } = parseCorrected(await this.#browser.tabs.sendMessage(tab.id, message, { frameId: frameId ?? 0 }));
            if (tab.incognito) return true;
            // What a frame says of itself has to be what the browser says of it, or of the page whose origin it inherits.
            if (!isOriginOf(origin, frameUrl) && !isOriginOf(origin, tab.url)) return false;
            if (use === 'undecided') await this.#corrections.remove(origin, mark);
            else await this.#corrections.keep(origin, mark, use);
            return true;
        } catch {
            return false; // There is no field that can be used so, or no frame any more.
        }
    }
}

/** @param {string} origin @param {string | undefined} address */
function isOriginOf(origin, address) {
    try {
        return new URL(address ?? '').origin === origin;
    } catch {
        return false;
    }
}
