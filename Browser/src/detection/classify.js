/**
 * Says which field of a form is what, from a description of the form alone, by the rules of `rules.js`: first what is
 * typed into each field, then what the form is for, then which role that gives each field.
 *
 * @typedef {'username' | 'current-password' | 'new-password' | 'password' | 'one-time-code' | 'none'} Role
 *     `password`: a stored or a new one, the form does not tell
 * @typedef {import('./facts.js').Kind} Kind
 * @typedef {import('./facts.js').FieldDescription} FieldDescription
 * @typedef {import('./facts.js').FormDescription} FormDescription
 * @typedef {{kind: Kind, roles: Role[]}} Judgement a role for each field
 */
import { FormFacts } from './facts.js';
import { certain, fair, fieldRules, formRules, roleRules, slight, strong } from './rules.js';

/** @typedef {import('./facts.js').FieldFacts} FieldFacts */

/** With as many points, the earlier one is taken: what is least likely to be offered something wrong. */
const natures = /** @type {const} */ (['other', 'code', 'secret', 'identifier']);
const kinds = /** @type {const} */ ([
    'search',
    'newsletter',
    'contact',
    'checkout',
    'recovery',
    'change',
    'signIn',
    'signUp',
    'verification',
]);

/** A sign-in without a password has few fields; a longer form is about something else. */
const mostFields = 5;
/** Who gives this much about a person, and no password, does not sign in. */
const mostPersonal = 2;

/** @param {FormDescription} description @returns {Role[]} one for each field */
export function classify(description) {
    return judge(description).roles;
}

/** @param {FormDescription} description @returns {Judgement} */
export function judge(description) {
    const form = new FormFacts(description);
    for (const field of form.fields) field.nature = best(sums(fieldRules, field), natures, 1) ?? 'other';
    form.settle();
    form.kind = best(sums(formRules, form), kinds, fair) ?? 'other';
    const users = userNamesOf(form);
    return { kind: form.kind, roles: form.fields.map((field) => roleOf(field, users)) };
}

/**
 * @template Facts
 * @template {string} Verdict
 * @param {import('./rules.js').Rule<Facts, Verdict>[]} rules
 * @param {Facts} facts
 * @returns {Map<Verdict, number>} the points of the rules that hold
 */
export function sums(rules, facts) {
    /** @type {Map<Verdict, number>} */
    const points = new Map();
    for (const rule of rules) {
        if (rule.holds(facts)) points.set(rule.says, (points.get(rule.says) ?? 0) + rule.points);
    }
    return points;
}

/**
 * @template {string} Verdict
 * @param {Map<Verdict, number>} points
 * @param {readonly Verdict[]} order
 * @param {number} least
 * @returns {Verdict | undefined} the one with the most points, if that is enough
 */
function best(points, order, least) {
    /** @type {Verdict | undefined} */
    let winner;
    let most = least - 1;
    for (const verdict of order) {
        const own = points.get(verdict) ?? 0;
        if (own > most) {
            winner = verdict;
            most = own;
        }
    }
    return winner;
}

/** @param {FieldFacts} field @param {Set<FieldFacts>} users @returns {Role} */
function roleOf(field, users) {
    if (users.has(field)) return 'username';
    if (field.nature === 'code') return 'one-time-code';
    if (field.nature !== 'secret') return 'none';
    const points = sums(roleRules, field);
    const difference = (points.get('current') ?? 0) - (points.get('new') ?? 0);
    if (difference === 0) return 'password';
    return difference > 0 ? 'current-password' : 'new-password';
}

/**
 * The field of the user name: the likeliest one, or all that say outright that they are one.
 * @param {FormFacts} form
 * @returns {Set<FieldFacts>}
 */
function userNamesOf(form) {
    const least = leastForUserName(form);
    let most = least - 1;
    /** @type {FieldFacts[]} */
    let found = [];
    for (const field of form.having('identifier')) {
        const points = sums(roleRules, field).get('user') ?? 0;
        if (points > most) {
            most = points;
            found = [field];
        } else if (points === most && points > certain) found.push(field);
    }
    return new Set([...found, ...found.flatMap((field) => repetitionsOf(field))]);
}

/** @param {FieldFacts} field */
const isMail = (field) => field.told('mail') || field.description.type === 'email';

/**
 * @param {FieldFacts} user
 * @returns {FieldFacts[]} the fields after it that ask for the same mail address again
 */
function repetitionsOf(user) {
    if (!user.form.hasSecret || !isMail(user)) return [];
    return user.form.having('identifier').filter((field) => field.index > user.index && field.told('repeat') && isMail(field));
}

/** @param {FormFacts} form how many points a user name needs there; more than any field has where there is none */
function leastForUserName(form) {
    const { kind } = form;
    if (form.hasSecret) return kind === 'change' || kind === 'recovery' ? strong : slight;
    const isShort =
        form.fields.filter((field) => !field.isBox).length <= mostFields &&
        form.having('other').filter((field) => field.told('personal')).length < mostPersonal;
    if ((kind === 'signIn' || kind === 'verification') && isShort) return slight;
    // Some sign-ups ask for the name first, and mail the password.
    if (kind === 'signUp' && isShort && form.having('identifier').some((field) => field.label('chosenName'))) return strong;
    // A recovery asks for the name of an account; a mail address alone is where the message goes.
    if (kind === 'recovery' && isShort && form.having('identifier').some((field) => field.label('userName'))) return strong;
    return Infinity;
}
