/**
 * What a form holds that is being sent: reads the fields that a person sees, and no others.
 *
 * @typedef {import('../detection/classify.js').Role} Role
 * @typedef {{fields: HTMLInputElement[], roles: Role[]}} FormRoles
 * @typedef {{user: string, password: string, kind: import('../protocol/saving.js').FormKind, field: HTMLInputElement}}
 *     Submitted `field`: where the password stands
 */
import { attributeOf } from '../detection/dom.js';
import { isSeen } from '../fill/visibility.js';

/** Of what a field states, in UTF-16 units: as much as the background takes. */
const longestRules = 1000;

/**
 * @param {FormRoles} form
 * @returns {Submitted | undefined} nothing where there is no password, where a new one is not repeated alike, and where
 *     nobody sees the field
 */
export function submittedOf({ fields, roles }) {
    const held = fields.map((field, index) => ({ field, role: roles[index], value: field.value }));
    const secrets = held.filter(({ field, value }) => field.type === 'password' && value !== '');
    const fresh = secrets.filter(({ role }) => role === 'new-password');
    const stored = secrets.filter(({ role }) => role === 'current-password' || role === 'password');
    const chosen = fresh[0] ?? stored[0];
    if (!chosen || !isSeen(chosen.field)) return undefined;
    if (fresh.some(({ value }) => value !== chosen.value)) return undefined;
    const name = held.find(({ role, value }) => role === 'username' && value !== '');
    const kind = fresh.length === 0 ? 'signIn' : stored.length > 0 ? 'change' : 'signUp';
    return { user: name?.value.trim() ?? '', password: chosen.value, kind, field: chosen.field };
}

/**
 * @param {FormRoles} form
 * @returns {string} the user name of a form that asks for nothing else; empty where there is none
 */
export function namedOf({ fields, roles }) {
    if (fields.some((field) => field.type === 'password')) return '';
    const index = roles.indexOf('username');
    const field = fields[index];
    return field && isSeen(field) ? field.value.trim() : '';
}

/**
 * @param {FormRoles} form
 * @returns {string} the user name that stands beside a new password, as far as it is seen; empty where there is none
 */
export function namedBeside({ fields, roles }) {
    const field = fields[roles.indexOf('username')];
    return field && isSeen(field) ? field.value.trim() : '';
}

/**
 * What the fields of a form state of a new password.
 * @param {HTMLInputElement[]} fields those for the new password, in the order of the page
 * @returns {import('../protocol/saving.js').FormRules}
 */
export function rulesOf(fields) {
    const [first, second] = fields;
    if (!first) return {};
    const most = fields.map(({ maxLength }) => maxLength).filter((length) => length >= 0);
    const least = fields.map(({ minLength }) => minLength).filter((length) => length >= 0);
    const rules = statedBy(first);
    const confirmation = second && statedBy(second);
    return {
        ...(rules ? { rules } : {}),
        ...(confirmation ? { confirmation } : {}),
        ...(least.length > 0 ? { minLength: Math.max(...least) } : {}),
        ...(most.length > 0 ? { maxLength: Math.min(...most) } : {}),
    };
}

/** @param {HTMLInputElement} field */
function statedBy(field) {
    return attributeOf(field, 'passwordrules').slice(0, longestRules);
}

/**
 * @param {string[]} passwords the preferred first
 * @param {HTMLInputElement[]} fields that it goes into
 * @returns {string | undefined} the first that each field's `pattern` takes; the first of all where none fits
 */
export function fittingPassword(passwords, fields) {
    return passwords.find((password) => fields.every((field) => fitsPattern(password, field.pattern))) ?? passwords[0];
}

/** @param {string} password @param {string} pattern */
function fitsPattern(password, pattern) {
    if (pattern === '') return true;
    try {
        return new RegExp(`^(?:${pattern})$`, 'v').test(password);
    } catch {
        return true; // As in the browser: a pattern that is none takes everything (HTML, section 4.10.5.3.6).
    }
}
