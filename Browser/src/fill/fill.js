/**
 * Puts a chosen account into the fields of a form. Nothing here keeps a value longer than the call.
 *
 * @typedef {import('../protocol/host.js').CredentialField} CredentialField
 * @typedef {import('../protocol/host.js').FillResult} FillResult
 * @typedef {{username?: HTMLInputElement, password?: HTMLInputElement, oneTimeCode?: HTMLInputElement, boxes?:
 *     HTMLInputElement[]}} Targets `boxes`: the fields that take the code together, a character each
 */
import { boxesAround, paste } from './boxes.js';
import { isMasked } from '../detection/dom.js';
import { isSeen } from './visibility.js';

/** @typedef {(field: HTMLInputElement, menu?: Element) => boolean} Sees whether a person sees a field */

/**
 * The fields that take part in a fill that starts from `focused`, without those that may not be filled now.
 * @param {{fields: HTMLInputElement[], roles: import('../detection/classify.js').Role[]}} form
 * @param {HTMLInputElement} focused
 * @param {Element} [menu] the menu that hangs over the form
 * @param {Sees} [sees]
 * @returns {Targets}
 */
export function targetsOf({ fields, roles }, focused, menu, sees = isSeen) {
    const at = fields.indexOf(focused);
    const focusedRole = roles[at];
    if (focusedRole === 'one-time-code') {
        if (!mayFill(focused, 'oneTimeCode', menu, sees)) return {};
        return { oneTimeCode: focused, boxes: boxesAround({ fields, roles }, at) };
    }
    const targets = focusedRole === 'username' ? { username: focused } : { password: focused };
    if (focusedRole === 'username') {
        targets.password = fields.find(
            (field, index) => index > at && takesStored(roles[index]) && mayFill(field, 'password', menu, sees),
        );
    } else {
        targets.username = fields.findLast(
            (field, index) => index < at && roles[index] === 'username' && mayFill(field, 'username', menu, sees),
        );
    }
    if (!mayFill(focused, focusedRole === 'username' ? 'username' : 'password', menu, sees)) return {};
    return targets;
}

/** @param {import('../detection/classify.js').Role | undefined} role whether there is something to choose from for it */
export function takesAnything(role) {
    return role === 'username' || role === 'one-time-code' || takesStored(role);
}

/** @param {import('../detection/classify.js').Role | undefined} role */
export function takesStored(role) {
    return role === 'current-password' || role === 'password';
}

/**
 * @param {HTMLInputElement} field
 * @param {CredentialField} value
 * @param {Element} [menu]
 * @param {Sees} [sees]
 * @returns {boolean} a password only where what is typed is hidden; a code is good once, and shown by many pages
 */
export function mayFill(field, value, menu, sees = isSeen) {
    if (field.disabled || field.readOnly) return false;
    if (value === 'password' && field.type !== 'password' && !isMasked(field)) return false;
    if (value === 'username' && field.type === 'password') return false;
    return sees(field, menu);
}

/**
 * @param {Targets} targets
 * @param {FillResult} values
 * @param {Sees} [sees]
 * @returns {CredentialField[]} what was filled; each field is looked at again right before
 */
export function fillTargets(targets, values, sees = isSeen) {
    /** @type {CredentialField[]} */
    const filled = [];
    if (targets.username && values.user !== undefined && mayFill(targets.username, 'username', undefined, sees)) {
        put(targets.username, values.user);
        filled.push('username');
    }
    if (targets.password && values.password !== undefined && mayFill(targets.password, 'password', undefined, sees)) {
        put(targets.password, values.password);
        filled.push('password');
    }
    if (values.code !== undefined && putCode(targets, values.code, sees)) filled.push('oneTimeCode');
    return filled;
}

/**
 * @param {HTMLInputElement[]} fields for a new password
 * @param {string} password
 * @returns {HTMLInputElement[]} those that were filled; each is looked at again right before
 */
export function fillNew(fields, password) {
    return fields.filter((field) => {
        const may = mayFill(field, 'password');
        if (may) put(field, password);
        return may;
    });
}

/**
 * A character into each box, where there are as many as the code has characters; else the whole code into the first.
 * @param {Targets} targets
 * @param {string} code
 * @param {Sees} sees
 * @returns {boolean} whether there was a field to fill
 */
function putCode({ oneTimeCode, boxes = [] }, code, sees) {
    const characters = [...code];
    if (boxes.length === characters.length && boxes.every((box) => mayFill(box, 'oneTimeCode', undefined, sees))) {
        boxes.forEach((box, index) => put(box, characters[index] ?? ''));
        return true;
    }
    const [field = oneTimeCode] = boxes;
    if (!field || !mayFill(field, 'oneTimeCode', undefined, sees)) return false;
    // A page with boxes of its own kind spreads what is pasted; one that does not gets it as it is.
    if (boxes.length === 0 || !paste(field, code)) put(field, code);
    return true;
}

/**
 * As typing does it: the setter of this world is the browser's own, so that frameworks which watch theirs notice.
 * @param {HTMLInputElement} field
 * @param {string} value
 */
function put(field, value) {
    field.focus({ preventScroll: true });
    field.value = value;
    field.dispatchEvent(new InputEvent('input', { inputType: 'insertReplacementText', bubbles: true, composed: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
}
