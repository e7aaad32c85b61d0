/**
 * What a form is for, by points: the submit button says most, the page's title least.
 *
 * @typedef {'signIn' | 'signUp' | 'change' | 'letter' | 'search' | 'unknown'} Purpose
 */
import { fieldWords, formWords } from './words.js';

/**
 * @param {import('./classify.js').FormDescription} form
 * @param {import('./classify.js').FirstRole[]} roles
 * @returns {Purpose}
 */
export function purposeOf(form, roles) {
    const secrets = roles.filter((role) => role === 'secret' || role === 'current-password').length;
    return secrets === 0 ? purposeWithoutPassword(form, roles) : purposeWithPassword(form, roles, secrets);
}

/** @param {RegExp} words @param {[string, number][]} places */
function points(words, places) {
    return places.reduce((sum, [text, weight]) => sum + (words.test(text) ? weight : 0), 0);
}

/**
 * @param {import('./classify.js').FormDescription} form
 * @param {import('./classify.js').FirstRole[]} roles
 * @returns {Purpose}
 */
function purposeWithoutPassword(form, roles) {
    const own = `${form.buttons} ${form.names} ${form.headings}`;
    if (formWords.letter.test(own)) return 'letter';
    if (formWords.search.test(own)) return 'search';
    if (formWords.contact.test(own)) return 'unknown';
    const signIn =
        points(formWords.signIn, [
            [form.buttons, 3],
            [form.names, 3],
            [form.headings, 3],
            [form.page, 2],
        ]) +
        points(formWords.remember, [[form.text, 2]]) +
        points(formWords.forgotten, [[form.text, 1]]) +
        (form.fields.some(({ names }) => formWords.signIn.test(names)) ? 2 : 0) +
        (roles.includes('one-time-code') ? 2 : 0);
    const signUp =
        points(formWords.signUp, [
            [form.buttons, 3],
            [form.names, 3],
            [form.headings, 3],
            [form.page, 1],
        ]) +
        points(formWords.forgotten, [
            [form.headings, 4],
            [form.names, 4],
            [form.page, 4],
            [form.buttons, 4],
        ]);
    const next = points(formWords.next, [[form.buttons, 1]]);
    return form.fields.length <= 4 && signIn + next > signUp + 1 ? 'signIn' : 'unknown';
}

/**
 * @param {import('./classify.js').FormDescription} form
 * @param {import('./classify.js').FirstRole[]} roles
 * @param {number} secrets how many fields take a password
 * @returns {Purpose}
 */
function purposeWithPassword(form, roles, secrets) {
    const texts = roles.filter((role) => role === 'text' || role === 'mail' || role === 'username').length;
    const change = points(formWords.change, [
        [form.buttons, 3],
        [form.names, 3],
        [form.headings, 3],
        [form.page, 2],
    ]);
    const signIn =
        points(formWords.signIn, [
            [form.buttons, 4],
            [form.names, 2],
            [form.headings, 2],
            [form.page, 1],
        ]) +
        points(formWords.forgotten, [[form.text, 3]]) +
        points(formWords.remember, [[form.text, 2]]) +
        (secrets === 1 && texts <= 2 ? 3 : 0);
    const signUp =
        points(formWords.signUp, [
            [form.buttons, 4],
            [form.names, 2],
            [form.headings, 2],
            [form.page, 1],
        ]) +
        points(formWords.terms, [[form.text, 1]]) +
        (secrets > 1 ? 3 : 0) +
        (form.fields.length - secrets > 2 ? 2 : 0) +
        (roles.some((role, at) => role === 'none' && isPersonal(form.fields[at])) ? 2 : 0);
    if (change > 0 && change >= signIn && change >= signUp - 3) return 'change';
    if (signIn >= signUp && signIn > 0) return 'signIn';
    return signUp > 0 ? 'signUp' : 'unknown';
}

/**
 * A name, an address: asked for by sign-up forms only.
 * @param {import('./classify.js').FieldDescription | undefined} field
 */
function isPersonal(field) {
    return field !== undefined && fieldWords.other.test(`${field.names} ${field.labels}`);
}
