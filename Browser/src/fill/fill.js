/**
 * Puts a chosen account into the fields of a form. Nothing here keeps a value longer than the call.
 *
 * @typedef {import('../protocol/host.js').CredentialField} CredentialField
 * @typedef {import('../protocol/host.js').FillResult} FillResult
 * @typedef {{username?: HTMLInputElement, password?: HTMLInputElement, oneTimeCode?: HTMLInputElement}} Targets
 */
import { isSeen } from './visibility.js';

/**
 * The fields that take part in a fill that starts from `focused`, without those that may not be filled now.
 * @param {{fields: HTMLInputElement[], roles: import('../detection/classify.js').Role[]}} form
 * @param {HTMLInputElement} focused
 * @param {Element} [menu] the menu that hangs over the form
 * @returns {Targets}
 */
export function targetsOf({ fields, roles }, focused, menu) {
    const at = fields.indexOf(focused);
    const focusedRole = roles[at];
    if (focusedRole === 'one-time-code') return mayFill(focused, 'oneTimeCode', menu) ? { oneTimeCode: focused } : {};
    const targets = focusedRole === 'username' ? { username: focused } : { password: focused };
    if (focusedRole === 'username') {
        targets.password = fields.find(
            (field, index) => index > at && takesStored(roles[index]) && mayFill(field, 'password', menu),
        );
    } else {
        targets.username = fields.findLast(
            (field, index) => index < at && roles[index] === 'username' && mayFill(field, 'username', menu),
        );
    }
    if (!mayFill(focused, focusedRole === 'username' ? 'username' : 'password', menu)) return {};
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
 * @returns {boolean} a password only where what is typed is hidden; a code is good once, and shown by many pages
 */
export function mayFill(field, value, menu) {
    if (field.disabled || field.readOnly) return false;
    if (value !== 'oneTimeCode' && (field.type === 'password') !== (value === 'password')) return false;
    return isSeen(field, menu);
}

/**
 * @param {Targets} targets
 * @param {FillResult} values
 * @returns {CredentialField[]} what was filled; each field is looked at again right before
 */
export function fillTargets(targets, values) {
    /** @type {CredentialField[]} */
    const filled = [];
    if (targets.username && values.user !== undefined && mayFill(targets.username, 'username')) {
        put(targets.username, values.user);
        filled.push('username');
    }
    if (targets.password && values.password !== undefined && mayFill(targets.password, 'password')) {
        put(targets.password, values.password);
        filled.push('password');
    }
    if (targets.oneTimeCode && values.code !== undefined && mayFill(targets.oneTimeCode, 'oneTimeCode')) {
        put(targets.oneTimeCode, values.code);
        filled.push('oneTimeCode');
    }
    return filled;
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
