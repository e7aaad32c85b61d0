/**
 * The browser's own offer to save passwords, which the person may leave to Keyway. Only then the extension asks for the
 * permission to change that setting; what the browser has saved before stays where it is.
 */

/** @typedef {'unknown' | 'on' | 'off' | 'fixed'} OwnSavingState `unknown`: not allowed to look; `fixed`: others decide */

/**
 * @typedef {object} SettingBrowser
 * @property {typeof chrome.permissions} permissions
 * @property {typeof chrome.privacy} [privacy] there once it is permitted
 * @property {{local: Pick<chrome.StorageArea, 'get' | 'set'>}} storage
 */

const wanted = { permissions: ['privacy'] };
/** The name under which is kept whether the toolbar's window says that the browser saves passwords, too. */
const key = 'tellsOwnSaving';

export class OwnSaving {
    #browser;

    /** @param {SettingBrowser} browser */
    constructor(browser) {
        this.#browser = browser;
    }

    /** @returns {Promise<OwnSavingState>} */
    async state() {
        if (!(await this.#browser.permissions.contains(wanted))) return 'unknown';
        const setting = this.#setting();
        if (!setting) return 'fixed';
        const { value, levelOfControl } = await setting.get({});
        if (!['controllable_by_this_extension', 'controlled_by_this_extension'].includes(levelOfControl)) return 'fixed';
        return value ? 'on' : 'off';
    }

    /**
     * Turns it off; to be called at once when the person pressed a button, or the browser does not ask them.
     * @returns {Promise<boolean>} whether it is off
     */
    async turnOff() {
        if (!(await this.#browser.permissions.request(wanted))) return false;
        await this.#setting()?.set({ value: false });
        await this.tell(false);
        return (await this.state()) === 'off';
    }

    /** As if it had never been turned off; the permission is given back. */
    async turnOn() {
        await this.#setting()?.clear({});
        await this.#browser.permissions.remove(wanted);
    }

    /** @param {boolean} tells whether the toolbar's window says that the browser saves passwords, too */
    async tell(tells) {
        await this.#browser.storage.local.set({ [key]: tells });
    }

    /** Whether the toolbar's window says so: once Keyway was set up from here, until the person has decided. */
    async isTold() {
        return (await this.#browser.storage.local.get(key))[key] === true;
    }

    #setting() {
        return this.#browser.privacy?.services?.passwordSavingEnabled;
    }
}
