/**
 * New passwords, and passwords of forms that were sent: what content script, background and native host say of them.
 *
 * @typedef {{saves: boolean, generates: boolean}} SavingSupport whether a provider keeps passwords, and proposes some
 * @typedef {{rules?: string, confirmation?: string, minLength?: number, maxLength?: number}} FormRules what the fields of
 *     a form state of a new password: `passwordrules` of the first and of the one that repeats it, and its lengths
 * @typedef {{user: string, password: string, isGenerated: boolean}} SubmittedForm
 * @typedef {'signIn' | 'signUp' | 'change'} FormKind
 * @typedef {'saved' | 'unchanged' | 'declined' | 'never'} Outcome
 * @typedef {{status: number, hasPassword: boolean, isComplaining: boolean}} PageLook how a page looks that came after a
 *     form was sent: what its server answered (0 where the browser does not tell), whether it asks for a password, and
 *     whether it says that something is wrong
 */
import { list, oneOf, record, required, ShapeError, text, truth, whole } from './shape.js';

/** In UTF-16 units; the native host counts bytes, and refuses what has more. */
const userLimit = 500;
const passwordLimit = 4096;
const rulesLimit = 1000;
const lengthLimit = 100_000;

/** @param {unknown} value @returns {SavingSupport} */
export function parseSavingSupport(value) {
    const fields = required(value, 'passwords.available', ['saves', 'generates']);
    return {
        saves: truth(fields.saves, 'passwords.available.saves'),
        generates: truth(fields.generates, 'passwords.available.generates'),
    };
}

/** @param {unknown} value @returns {string[]} the preferred first */
export function parseGenerated(value) {
    const { passwords } = required(value, 'passwords.generate', ['passwords']);
    return list(passwords, 'passwords.generate.passwords', 8, (each, place) =>
        text(each, place, { atLeast: 1, atMost: passwordLimit }),
    );
}

/** @param {unknown} value @returns {Outcome} */
export function parseSettled(value) {
    const outcomes = /** @type {const} */ (['saved', 'unchanged', 'declined', 'never']);
    return oneOf(required(value, 'passwords.settle', ['outcome']).outcome, 'passwords.settle.outcome', outcomes);
}

/** @param {unknown} value @returns {string[]} the sites that are never asked about */
export function parseUnsavedSites(value) {
    const { sites } = required(value, 'passwords.unsaved', ['sites']);
    return list(sites, 'passwords.unsaved.sites', 1000, (each, place) => text(each, place));
}

/**
 * @param {unknown} value
 * @returns {{url: string, isKnown: boolean}} where one changes the password of a site; `isKnown`: it has a page there
 */
export function parseChangePage(value) {
    const fields = required(value, 'passwords.changePage', ['url', 'isKnown']);
    const url = text(fields.url, 'passwords.changePage.url', { atLeast: 1, atMost: 4096 });
    if (schemeOf(url) !== 'https:') throw new ShapeError('passwords.changePage.url: not https');
    return { url, isKnown: truth(fields.isKnown, 'passwords.changePage.isKnown') };
}

/** @param {string} url @returns {string} empty for what is none */
function schemeOf(url) {
    try {
        return new URL(url).protocol;
    } catch {
        return '';
    }
}

/** @param {unknown} value */
export function parseNothing(value) {
    record(value, 'answer', []);
}

// From a content script.

/** @param {unknown} value @returns {FormRules} */
export function parseFormRules(value) {
    const fields = record(value, 'generate', ['rules', 'confirmation', 'minLength', 'maxLength']);
    /** @type {FormRules} */
    const asked = {};
    for (const name of /** @type {const} */ (['rules', 'confirmation'])) {
        if (fields[name] !== undefined) asked[name] = text(fields[name], `generate.${name}`, { atMost: rulesLimit });
    }
    for (const name of /** @type {const} */ (['minLength', 'maxLength'])) {
        const number = fields[name];
        if (number !== undefined) asked[name] = Math.min(whole(number, `generate.${name}`), lengthLimit);
    }
    return asked;
}

/** @param {unknown} value @param {readonly string[]} [further] @returns {SubmittedForm} */
export function parseSubmittedForm(value, further = []) {
    const fields = required(value, 'form', ['user', 'password', 'isGenerated'], further);
    return {
        user: text(fields.user, 'form.user', { atMost: userLimit }),
        password: text(fields.password, 'form.password', { atLeast: 1, atMost: passwordLimit }),
        isGenerated: truth(fields.isGenerated, 'form.isGenerated'),
    };
}

/** @param {unknown} value @returns {{form: SubmittedForm, kind: FormKind}} */
export function parsePageSubmit(value) {
    const form = parseSubmittedForm(value, ['kind']);
    const kinds = /** @type {const} */ (['signIn', 'signUp', 'change']);
    return { form, kind: oneOf(/** @type {{kind: unknown}} */ (value).kind, 'form.kind', kinds) };
}

/** @param {unknown} value @returns {string} the user name of a form without a password */
export function parsePageNamed(value) {
    return text(required(value, 'named', ['user']).user, 'named.user', { atMost: userLimit });
}

/** @param {unknown} value @returns {boolean} */
export function parsePageSettle(value) {
    return truth(required(value, 'settle', ['worked']).worked, 'settle.worked');
}

/** @param {unknown} value @returns {PageLook} */
export function parsePageLook(value) {
    const fields = required(value, 'look', ['status', 'hasPassword', 'isComplaining']);
    return {
        status: whole(fields.status, 'look.status'),
        hasPassword: truth(fields.hasPassword, 'look.hasPassword'),
        isComplaining: truth(fields.isComplaining, 'look.isComplaining'),
    };
}

/** What the background asks of the page that came after a form was sent. */
export const outcomeMessage = 'keyway.outcome';
