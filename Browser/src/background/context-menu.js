/**
 * What stands in the browser's context menu of a page. An entry tells the frame in which it was chosen what to do; the
 * frame knows on which field the menu was opened.
 *
 * @typedef {{title: string, contexts: string[], order: string}} ContextEntry
 *     `title`: the name of its text; `order`: what the frame is told (`protocol/orders.js`)
 */
import { insertOrder } from '../protocol/orders.js';

/** @type {Record<string, ContextEntry>} by their identifiers */
const entries = {
    insert: { title: 'menuInsert', contexts: ['editable'], order: insertOrder },
};

const pages = ['http://*/*', 'https://*/*'];

/**
 * @param {Pick<typeof chrome, 'contextMenus' | 'i18n' | 'runtime' | 'tabs'>} browser
 * @param {Pick<import('./gestures.js').Gestures, 'note'>} gestures
 */
export function serveContextMenu({ contextMenus, i18n, runtime, tabs }, gestures) {
    for (const [id, { title, contexts }] of Object.entries(entries)) {
        const entry = { id, title: i18n.getMessage(title), contexts, documentUrlPatterns: pages };
        // It may be there from before this background was ended; reading the error says that this is known.
        contextMenus.create(entry, () => void runtime.lastError);
    }
    contextMenus.onClicked.addListener(({ menuItemId, frameId = 0 }, tab) => {
        const entry = Object.hasOwn(entries, menuItemId) ? entries[menuItemId] : undefined;
        if (!entry || tab?.id === undefined) return;
        gestures.note(tab.id, frameId);
        // A frame without our script has nothing to insert into.
        tabs.sendMessage(tab.id, { order: entry.order }, { frameId }).catch(() => {});
    });
}
