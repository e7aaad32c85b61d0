/**
 * What the person said about fields, for each site: kept in this profile of the browser by host and mark of the field
 * (`marks.js`). Nothing of a private window is among it.
 *
 * @typedef {'nothing' | 'username' | 'password' | 'code'} Use what a field is used for
 * @typedef {Record<string, Use>} SiteCorrections by the mark of the field
 * @typedef {{site: string, mark: string, use: Use}} Correction
 */
import { hostOf } from '../background/sites.js';

/** The name under which they are kept. */
export const key = 'corrections';
/** @type {readonly Use[]} */
export const uses = ['nothing', 'username', 'password', 'code'];
const markForm = /^[\da-f]{16}$/;
/** The most that are kept, of a site and of all. */
const mostOfSite = 50;
const mostSites = 500;

/** @param {unknown} value of one site @returns {SiteCorrections} what of it can be read */
export function readSite(value) {
    const read = Object.entries(Object(value)).filter(([mark, use]) => markForm.test(mark) && uses.includes(use));
    return /** @type {SiteCorrections} */ (Object.fromEntries(read));
}

export class Corrections {
    #storage;
    /** Changes are made one after the other. */
    #last = Promise.resolve();

    /** @param {Pick<chrome.StorageArea, 'get' | 'set'>} storage */
    constructor(storage) {
        this.#storage = storage;
    }

    /** @returns {Promise<Correction[]>} by site in alphabetical order */
    async list() {
        const kept = await this.#read();
        return [...kept].flatMap(([site, fields]) => Object.entries(fields).map(([mark, use]) => ({ site, mark, use })));
    }

    /**
     * @param {string | undefined} address of a page, or its origin
     * @returns {Promise<SiteCorrections>}
     */
    async of(address) {
        const site = hostOf(address);
        return (site !== undefined && (await this.#read()).get(site)) || {};
    }

    /**
     * @param {string | undefined} address of a page, or its origin
     * @param {string} mark
     * @param {Use} use
     * @returns {Promise<boolean>} whether it is kept: not for what is no page of the web, and not where too many are
     */
    async keep(address, mark, use) {
        const site = hostOf(address);
        if (site === undefined || !markForm.test(mark) || !uses.includes(use)) return false;
        return this.#change((kept) => {
            const fields = { ...kept.get(site), [mark]: use };
            if (Object.keys(fields).length > mostOfSite || (!kept.has(site) && kept.size >= mostSites)) return false;
            kept.set(site, fields);
            return true;
        });
    }

    /**
     * @param {string | undefined} address a host, an address or an origin
     * @param {string} [mark] of one field; all of the site without it
     * @returns {Promise<boolean>} whether there was something to remove
     */
    async remove(address, mark) {
        const site = hostOf(address?.includes('://') ? address : `https://${address}`);
        return this.#change((kept) => {
            const fields = site !== undefined && kept.get(site);
            if (!fields || (mark !== undefined && !(mark in fields))) return false;
            const { [mark ?? '']: _, ...others } = fields;
            if (mark === undefined || Object.keys(others).length === 0) kept.delete(site);
            else kept.set(site, others);
            return true;
        });
    }

    /** @param {(kept: Map<string, SiteCorrections>) => boolean} edit says whether it changed anything */
    async #change(edit) {
        const changed = this.#last.then(async () => {
            const kept = await this.#read();
            if (!edit(kept)) return false;
            const sites = [...kept];
            sites.sort(([one], [other]) => (one < other ? -1 : 1));
            await this.#storage.set({ [key]: Object.fromEntries(sites) });
            return true;
        });
        this.#last = changed.then(
            () => {},
            () => {},
        );
        return changed;
    }

    /** @returns {Promise<Map<string, SiteCorrections>>} what is there and can be read */
    async #read() {
        const { [key]: kept } = await this.#storage.get(key);
        /** @type {Map<string, SiteCorrections>} */
        const sites = new Map();
        for (const [site, fields] of Object.entries(Object(kept))) {
            const read = readSite(fields);
            if (Object.keys(read).length > 0) sites.set(site, read);
        }
        return sites;
    }
}
