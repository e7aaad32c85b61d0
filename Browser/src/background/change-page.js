/**
 * The entry of the browser's menus that opens the page on which one changes the password of the site in a tab: of a page's
 * menu, of a field's, and of the toolbar button's. Where that page is, the native host says; nothing is fetched before.
 */
import { pageOfTab } from './requester.js';

export const changeEntry = 'changePassword';

export class ChangePage {
    #browser;
    #host;

    /**
     * @param {Pick<typeof chrome, 'contextMenus' | 'i18n' | 'runtime' | 'tabs'>} browser
     * @param {Pick<import('./native-host.js').NativeHost, 'changePage'>} host
     */
    constructor(browser, host) {
        this.#browser = browser;
        this.#host = host;
    }

    /** Puts the entry into the menus. The browser may have it still. */
    offer() {
        const { contextMenus, i18n, runtime } = this.#browser;
        const fields = runtime.getBrowserInfo ? ['editable', 'password'] : ['editable'];
        const entry = {
            id: changeEntry,
            title: i18n.getMessage('menuChangePassword'),
            contexts: ['page', 'action', ...fields],
            documentUrlPatterns: ['https://*/*'],
        };
        contextMenus.create(entry, () => void runtime.lastError);
        contextMenus.onClicked.addListener(({ menuItemId }, tab) => {
            if (menuItemId === changeEntry && tab) void this.open(tab);
        });
    }

    /**
     * @param {chrome.Tab} tab whose own page counts, never that of a frame
     * @returns {Promise<boolean>} whether a page was opened: beside the tab, in the same window
     */
    async open(tab) {
        const page = pageOfTab(tab);
        if (!page?.url.startsWith('https://')) return false;
        try {
            const { url } = await this.#host.changePage(page);
            await this.#browser.tabs.create({ url, windowId: tab.windowId, index: tab.index + 1 });
            return true;
        } catch {
            return false; // What is wrong, the toolbar button says.
        }
    }
}
