/**
 * Says which field of a form is what, from a description of the form alone.
 *
 * @typedef {'username' | 'current-password' | 'new-password' | 'password' | 'one-time-code' | 'none'} Role
 *     `password`: a stored or a new one, the form does not tell
 * @typedef {object} FieldDescription all texts normalised (`words.js`)
 * @property {string} type the input's type
 * @property {readonly string[]} autocomplete its tokens, lower case
 * @property {string} names what the page's author calls it: name, id
 * @property {string} labels what the person reads: labels, placeholder, accessible name
 *
 * @typedef {object} FormDescription all texts normalised
 * @property {readonly FieldDescription[]} fields in the order of the page
 * @property {string} buttons what its submit buttons say
 * @property {string} names the form's own name, id, class and address
 * @property {string} headings what stands above it
 * @property {string} text links and check boxes in it
 * @property {string} page title and path of the page
 */
import { purposeOf } from './purpose.js';
import { fieldWords } from './words.js';

/** @param {FormDescription} form @returns {Role[]} one for each field */
export function classify(form) {
    const first = form.fields.map(ownRole);
    const purpose = purposeOf(form, first);
    const roles = first.map((role, index) => (role === 'secret' ? secretRole(form, first, index, purpose) : role));
    const names = userNameOf(form, roles, purpose);
    return roles.map((role, index) => {
        if (names.has(index)) return 'username';
        return role === 'text' || role === 'mail' ? 'none' : /** @type {Role} */ (role);
    });
}

/** @typedef {Role | 'secret' | 'text' | 'mail'} FirstRole `secret`, `text`, `mail`: the form has to say more */

/** Tokens of `autocomplete` that ask for data of the person or of a payment. */
const personalData =
    /^(?:name|(?:given|family|additional)-name|nickname|organization|street|address|postal|country|cc-|tel|bday|sex)/;

const textTypes = new Set(['text', 'email', 'tel', 'url', 'number', '']);

/**
 * Types that no person types a user name into, and fields that say what they are.
 * @param {FieldDescription} field
 * @returns {FirstRole}
 */
function ownRole(field) {
    const declared = declaredRole(field);
    if (declared) return declared;
    const told = `${field.names} ${field.labels}`;
    if (field.type === 'password') {
        if (fieldWords.secretOther.test(told)) return 'none';
        return fieldWords.code.test(told) && !/pass ?word|passwd|pwd/.test(told) ? 'one-time-code' : 'secret';
    }
    if (!textTypes.has(field.type)) return 'none';
    if (fieldWords.code.test(told) && !/captcha|country|card|cvv|cvc/.test(told)) return 'one-time-code';
    if (field.type === 'email') return 'mail';
    if (field.type === 'url' || isSomethingElse(field)) return 'none';
    return fieldWords.mail.test(told) ? 'mail' : 'text';
}

/**
 * What `autocomplete` says outright (HTML, 4.10.18.7.1).
 * @param {FieldDescription} field
 * @returns {FirstRole | undefined}
 */
function declaredRole({ autocomplete, type }) {
    const token = autocomplete.findLast((word) => word !== 'webauthn');
    switch (token) {
        case 'username':
            return type === 'password' ? undefined : 'username';
        case 'current-password':
            return type === 'password' ? 'current-password' : 'none';
        case 'new-password':
            // Often written on sign-in forms to keep managers away, so the form may overrule it.
            return type === 'password' ? 'secret' : 'none';
        case 'one-time-code':
            return 'one-time-code';
        case 'email':
            return type === 'password' ? undefined : 'mail';
        case undefined:
        case '':
        case 'on':
        case 'off':
        case 'password':
        case 'nope':
        case 'false':
            return undefined;
        default:
            return personalData.test(token) ? 'none' : undefined;
    }
}

/** @param {FieldDescription} field */
function isSomethingElse({ names, labels }) {
    const named = fieldWords.userName.test(names) || fieldWords.mail.test(`${names} ${labels}`);
    return !named && !fieldWords.userName.test(labels) && fieldWords.other.test(`${names} ${labels}`);
}

/**
 * @param {FormDescription} form
 * @param {FirstRole[]} first
 * @param {number} index
 * @param {import('./purpose.js').Purpose} purpose
 * @returns {Role}
 */
function secretRole(form, first, index, purpose) {
    const secrets = form.fields.flatMap((_, at) =>
        first[at] === 'secret' || first[at] === 'current-password' ? [at] : [],
    );
    const field = /** @type {FieldDescription} */ (form.fields[index]);
    const told = `${field.names} ${field.labels}`;
    if (fieldWords.current.test(told)) return 'current-password';
    if (secrets.length > 1 && fieldWords.fresh.test(told)) return 'new-password';
    if (secrets.length === 1) return loneSecretRole(field, purpose);
    const others = secrets.filter((at) => at !== index).map((at) => form.fields[at]);
    const confirmed = others.some((other) => other && fieldWords.fresh.test(`${other.names} ${other.labels}`));
    if (secrets.length >= 3 && index === secrets[0]) return 'current-password';
    if (purpose === 'signIn' && index === secrets[0] && !confirmed) return 'current-password';
    return 'new-password';
}

/** @param {FieldDescription} field @param {import('./purpose.js').Purpose} purpose @returns {Role} */
function loneSecretRole(field, purpose) {
    if (fieldWords.fresh.test(`${field.names} ${field.labels}`)) return 'new-password';
    if (purpose === 'signIn') return 'current-password';
    if (purpose === 'signUp' || field.autocomplete.includes('new-password')) return 'new-password';
    return purpose === 'change' ? 'password' : 'current-password';
}

/**
 * @param {FormDescription} form
 * @param {(FirstRole)[]} roles
 * @param {import('./purpose.js').Purpose} purpose
 * @returns {Set<number>} the fields that a user name belongs into
 */
function userNameOf(form, roles, purpose) {
    const declared = new Set(roles.flatMap((role, index) => (role === 'username' ? [index] : [])));
    if (declared.size > 0) return declared;
    const secretAt = roles.findIndex((role) => role.endsWith('password'));
    if (secretAt < 0 && purpose !== 'signIn') return new Set();
    const candidates = form.fields.flatMap((_, at) => (roles[at] === 'text' || roles[at] === 'mail' ? [at] : []));
    const before = secretAt < 0 ? candidates : candidates.filter((at) => at < secretAt);
    const best = bestUserName(form, roles, before.length > 0 ? before : candidates, secretAt >= 0);
    return new Set(best === undefined ? [] : [best]);
}

/**
 * @param {FormDescription} form
 * @param {FirstRole[]} roles
 * @param {number[]} candidates
 * @param {boolean} withPassword the last text field before a password is its user name, whatever it is called
 * @returns {number | undefined}
 */
function bestUserName(form, roles, candidates, withPassword) {
    /** @param {number} at */
    const told = (at) => `${form.fields[at]?.names} ${form.fields[at]?.labels}`;
    const named = candidates.filter((at) =>
        fieldWords.userName.test(roles[at] === 'text' ? told(at) : ownNames(form, at)),
    );
    const mail = candidates.filter((at) => roles[at] === 'mail');
    const phone = candidates.filter((at) => fieldWords.telephone.test(told(at)));
    const last = withPassword ? candidates.at(-1) : undefined;
    return named.find((at) => !phone.includes(at)) ?? mail.at(0) ?? phone.at(0) ?? last;
}

/**
 * What the author calls a mail field, if that is not just its kind.
 * @param {FormDescription} form
 * @param {number} at
 */
function ownNames(form, at) {
    const names = form.fields[at]?.names ?? '';
    return fieldWords.mail.test(names) ? '' : names;
}
