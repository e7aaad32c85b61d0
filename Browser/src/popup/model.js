/**
 * What the extension's own window shows of a tab; knows no browser.
 *
 * @typedef {import('../protocol/popup.js').Look} Look
 * @typedef {import('../protocol/popup.js').ShownFrame} ShownFrame
 * @typedef {import('../protocol/popup.js').ShownProvider} ShownProvider
 * @typedef {import('../protocol/host.js').Suggestion} Suggestion
 * @typedef {{type: 'account', frame: ShownFrame, suggestion: Suggestion}} AccountOption
 * @typedef {{type: 'list', frame: ShownFrame, provider: ShownProvider, kind: 'password' | 'oneTimeCode'}} ListOption
 * @typedef {AccountOption | ListOption} Option
 * @typedef {{frame: ShownFrame, isForeign: boolean, options: Option[]}} Group
 * @typedef {(name: string, values?: string[]) => string} Translate
 */
import { entryOf } from '../menu/model.js';
import { kindFor } from '../protocol/popup.js';

/**
 * @param {Look} look
 * @param {string} query what the person typed to find an account
 * @returns {Group[]} one for each frame that takes something
 */
export function groupsOf({ frames, providers }, query) {
    // Where there is no form at all, one can still see which accounts there are.
    const isFormless = frames.every(({ form }) => form === 'none');
    return frames.flatMap((frame) => {
        /** @type {Option[]} */
        const accounts = frame.suggestions
            .filter((suggestion) => (isFormless || frame.form === 'shown') && isFound(suggestion, query))
            .map((suggestion) => ({ type: 'account', frame, suggestion }));
        /** @type {Option[]} */
        const lists = frame.form === 'shown' && frame.standing !== 'opaque' ? listsFor(frame, providers) : [];
        const options = [...accounts, ...lists];
        return options.length > 0 ? [{ frame, isForeign: frame.standing === 'foreign', options }] : [];
    });
}

/**
 * @param {ShownFrame} frame
 * @param {ShownProvider[]} providers
 * @returns {ListOption[]}
 */
function listsFor(frame, providers) {
    const kind = kindFor(frame.fields);
    return providers
        .filter(({ lists }) => lists.includes(kind))
        .map((provider) => ({ type: 'list', frame, provider, kind }));
}

/** @param {Suggestion} suggestion @param {string} query */
function isFound({ user, service, provider }, query) {
    const words = folded(query).split(/\s+/).filter((word) => word !== '');
    const text = folded(`${user} ${service} ${provider.name}`);
    return words.every((word) => text.includes(word));
}

/** @param {string} text without case, accents and the ways to write one letter */
function folded(text) {
    return text.normalize('NFKD').replace(/\p{Mark}/gu, '').toLocaleLowerCase();
}

/**
 * Whether a choice fills something: an account of a page without a form can only be looked at.
 * @param {Option} option
 */
export function isFillable({ frame }) {
    return frame.form === 'shown';
}

const listTitles = { password: 'menuAllPasswords', oneTimeCode: 'menuAllCodes' };

/**
 * @param {Option} option
 * @param {Translate} translate
 * @returns {{title: string, detail: string, spoken: string, period?: number}} `period`: of a code, how long each
 *     one is good for, in seconds
 */
export function textsOf(option, translate) {
    if (option.type === 'list') {
        const { provider, kind } = option;
        const isUnopened = provider.state === 'locked' || provider.isSilent;
        const title = translate(isUnopened ? 'menuUnlock' : listTitles[kind], [provider.name]);
        return { title, detail: '', spoken: title };
    }
    return entryOf({ ...option, site: option.frame.host }, translate);
}
