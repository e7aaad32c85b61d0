/**
 * Tells each frame what the person corrected on its own site, as the browser names that site. Content scripts cannot read
 * what the extension keeps by themselves: a renderer that somebody took over would read there which sites the person
 * corrected or turned off, and write it.
 */
import { key } from '../corrections/store.js';
import { correctionsChanged, correctionsMessage } from '../protocol/correction.js';
import { chosenRequesterOf } from './requester.js';

/**
 * @param {Pick<typeof chrome, 'runtime' | 'storage' | 'tabs'>} browser
 * @param {Pick<import('../corrections/store.js').Corrections, 'of'>} corrections
 */
export function serveCorrections({ runtime, storage, tabs }, corrections) {
    // Firefox keeps no storage from content scripts.
    storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => {});
    runtime.onMessage.addListener((message, sender, answer) => {
        if (sender.id !== runtime.id || message !== correctionsMessage) return false;
        void correctionsOf(sender, corrections).then(answer);
        return true;
    });
    storage.onChanged.addListener(async (changes) => {
        if (!(key in Object(changes))) return;
        for (const { id } of await tabs.query({})) {
            // A tab without our script has nothing to forget.
            if (id !== undefined) tabs.sendMessage(id, correctionsChanged).catch(() => {});
        }
    });
}

/**
 * @param {chrome.MessageSender} sender
 * @param {Pick<import('../corrections/store.js').Corrections, 'of'>} corrections
 * @returns {Promise<import('../corrections/store.js').SiteCorrections>} none for a frame of no site
 */
async function correctionsOf(sender, corrections) {
    try {
        return await corrections.of(chosenRequesterOf(sender).requester.url);
    } catch {
        return {};
    }
}
