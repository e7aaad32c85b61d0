/**
 * Where a form sends what is filled in, when that is not the page's own origin. The person is told before they choose.
 *
 * @typedef {{host: string, isEncrypted: boolean}} Destination
 */
import { attributeOf } from '../detection/dom.js';

/**
 * @param {HTMLInputElement} field
 * @param {string} origin of the page; a document without an address of its own inherits it
 * @returns {Destination | undefined} nothing for the page's own origin, and where a script decides
 */
export function foreignDestination(field, origin) {
    const action = field.form ? attributeOf(field.form, 'action').trim() : '';
    if (action === '') return undefined;
    try {
        const target = new URL(action, field.baseURI);
        if (target.origin === origin || !/^https?:$/.test(target.protocol)) return undefined;
        return { host: target.host, isEncrypted: target.protocol === 'https:' };
    } catch {
        return undefined; // An address that is none: the browser sends nothing there.
    }
}

/**
 * @param {Destination | undefined} one
 * @param {Destination | undefined} other
 */
export function isSameDestination(one, other) {
    return one?.host === other?.host && one?.isEncrypted === other?.isEncrypted;
}
