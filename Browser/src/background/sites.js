/**
 * The sites where the person turned Keyway off: names of hosts, kept in this profile of the browser. Nothing of a
 * private window is among them.
 */

/** The name under which they are kept. */
const key = 'sitesOff';
const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;
/** The most that are kept. */
const most = 2000;

export class Sites {
    #storage;
    /** Changes are made one after the other. */
    #last = Promise.resolve();

    /** @param {Pick<chrome.StorageArea, 'get' | 'set'>} storage */
    constructor(storage) {
        this.#storage = storage;
    }

    /** @returns {Promise<string[]>} in alphabetical order */
    async list() {
        const { [key]: kept } = await this.#storage.get(key);
        return Array.isArray(kept) ? kept.filter((host) => typeof host === 'string') : [];
    }

    /** @param {string | undefined} address of a page */
    async isOff(address) {
        const host = hostOf(address);
        return host !== undefined && (await this.list()).includes(host);
    }

    /**
     * @param {string} name a host, or an address
     * @param {boolean} isOff
     * @returns {Promise<string | undefined>} the host; nothing where that is none
     */
    async turn(name, isOff) {
        const host = hostOf(name.includes('://') ? name : `https://${name}`);
        if (host === undefined) return undefined;
        const turned = this.#last.then(() => this.#keep(host, isOff));
        this.#last = turned.then(
            () => {},
            () => {},
        );
        return (await turned) ? host : undefined;
    }

    /** @param {string} host @param {boolean} isOff */
    async #keep(host, isOff) {
        const others = (await this.list()).filter((each) => each !== host);
        const after = others.findIndex((each) => each > host);
        const at = after < 0 ? others.length : after;
        const kept = isOff ? [...others.slice(0, at), host, ...others.slice(at)] : others;
        if (kept.length > most) return false;
        await this.#storage.set({ [key]: kept });
        return true;
    }
}

/**
 * @param {string | undefined} address
 * @returns {string | undefined} nothing for what is no page of the web
 */
export function hostOf(address) {
    try {
        const { protocol, hostname } = new URL(address ?? '');
        // Chromium takes more than can be a name.
        return /^https?:$/.test(protocol) && hostForm.test(hostname) ? hostname : undefined;
    } catch {
        return undefined;
    }
}
