/**
 * Where a form sends what is filled in, when that is not the page's own origin. The person is told before they choose.
 *
 * @typedef {{host: string, isEncrypted: boolean}} Destination
 */
import { allIn, attributeOf } from '../detection/dom.js';

const senders = 'button[formaction], input[type=submit i][formaction], input[type=image i][formaction]';

/**
 * @param {HTMLInputElement} field
 * @param {string} origin of the page; a document without an address of its own inherits it
 * @returns {Destination | undefined} nothing for the page's own origin, and where a script decides
 */
export function foreignDestination(field, origin) {
    const { form } = field;
    if (!form) return undefined;
    const actions = [attributeOf(form, 'action'), ...buttonActions(form, field)];
    for (const action of actions) {
        const destination = foreign(action.trim(), field.baseURI, origin);
        if (destination) return destination;
    }
    return undefined;
}

/**
 * A button may send its form elsewhere than the form says; nobody knows yet which one will be pressed.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} field
 */
function buttonActions(form, field) {
    const root = /** @type {Document | ShadowRoot | Element} */ (Node.prototype.getRootNode.call(field));
    return allIn(root, senders).flatMap((element) => {
        const button = /** @type {HTMLButtonElement | HTMLInputElement} */ (element);
        const sends = button.form === form && !['button', 'reset'].includes(button.type);
        return sends ? [attributeOf(button, 'formaction')] : [];
    });
}

/**
 * @param {string} action
 * @param {string} base
 * @param {string} origin
 * @returns {Destination | undefined}
 */
function foreign(action, base, origin) {
    if (action === '') return undefined;
    try {
        const target = new URL(action, base);
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
