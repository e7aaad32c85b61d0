/**
 * What the menu shows and which entry is selected; knows no browser. Each change gives a new value.
 *
 * @typedef {import('../protocol/host.js').Suggestion} Suggestion
 * @typedef {import('../protocol/host.js').Provider} Provider
 * @typedef {import('../protocol/host.js').ListKind} ListKind
 * @typedef {import('../protocol/host.js').FillWaiting} FillWaiting
 * @typedef {import('../fill/destination.js').Destination} Destination
 * @typedef {{type: 'account', suggestion: Suggestion, site?: string}} AccountEntry `site`: the page's, where the account is
 *     another site's
 * @typedef {{type: 'list', provider: Provider, kind: ListKind | 'text', isSilent: boolean}} ListEntry
 *     opens all that a provider has of one kind, in a window outside of the page; with passwords, passkeys too, where
 *     the page waits for one. `isSilent`: nobody knows yet what it has
 * @typedef {{type: 'generate', provider: Provider, saves: boolean}} GenerateEntry
 *     a new password, which is made when it is chosen. `saves`: whether it is kept at once
 * @typedef {{type: 'setUp', provider: Provider}} SetUpEntry Keyway is set up, in windows outside of the page
 * @typedef {AccountEntry | ListEntry | GenerateEntry | SetUpEntry} MenuEntry
 * @typedef {{
 *     type: 'choosing',
 *     entries: MenuEntry[],
 *     more: number,
 *     destination: Destination | undefined,
 *     selected: number,
 *     isOutside?: boolean,
 * }} Choosing accounts first, then lists. `more`: how many accounts are not among them; `destination`: where the form
 *     sends, if not home; `selected` is -1 while the person has selected nothing; `isOutside`: the accounts are left out,
 *     because the page could hide what is chosen
 * @typedef {{type: 'waiting', entry: MenuEntry, need: FillWaiting | undefined}} Waiting
 *     an entry was chosen; `need` says what the person has to do first, if anything
 * @typedef {{type: 'failed', entry: MenuEntry, kind: string, message: string}} Failed
 *     `kind` of the error (`protocol/errors.js`)
 * @typedef {{type: 'hindered', kind: 'waiting' | 'notApproved' | 'forbidden' | 'rateLimited' | 'noTexts', message: string}} Hindered
 *     there is no answer yet, or will be none: what the person can do about it
 * @typedef {Choosing | Waiting | Failed | Hindered} MenuModel
 * @typedef {{title: string, detail: string, spoken: string, period?: number}} Entry `period`: of a code, how
 *     long each one is good for, in seconds
 */
import { toldInFull } from '../protocol/errors.js';

/** The hindrances that the menu tells; every other one stays out of the page. */
const told = /** @type {const} */ (['notApproved', 'forbidden', 'rateLimited']);

/**
 * @param {import('../protocol/host.js').SuggestResult} answer
 * @param {{kinds: ListKind[], destination?: Destination | undefined, site?: string}} field `kinds`: what it takes, in the
 *     order in which it is offered; `site`: the host of its page
 * @returns {Choosing | undefined} nothing when there is nothing to choose
 */
export function choosing({ suggestions, more, providers, setUp }, { kinds, destination, site = '' }) {
    if (setUp && kinds.includes('password')) {
        const provider = { identifier: '', name: 'Keyway' };
        return { type: 'choosing', entries: [{ type: 'setUp', provider }], more: 0, destination, selected: -1 };
    }
    /** @type {MenuEntry[]} */
    const accounts = kinds.flatMap((kind) =>
        suggestions
            .filter((suggestion) => suggestion.kind === kind)
            .map((suggestion) => accountEntry(suggestion, site)),
    );
    /** @type {MenuEntry[]} */
    const lists = providers.flatMap(({ identifier, name, lists: has, isSilent }) => {
        // One list holds both.
        const kind = kinds.findLast((each) => has.includes(each));
        const asks = isSilent && kinds.includes('passkey');
        return kind ? [{ type: 'list', provider: { identifier, name }, kind, isSilent: asks }] : [];
    });
    const entries = [...accounts, ...lists];
    if (entries.length === 0) return undefined;
    return { type: 'choosing', entries, more, destination, selected: -1 };
}

/** @param {Suggestion} suggestion @param {string} site @returns {AccountEntry} */
function accountEntry(suggestion, site) {
    return suggestion.match === 'shared' ? { type: 'account', suggestion, site } : { type: 'account', suggestion };
}

/**
 * Under a field for a new password.
 * @param {import('../protocol/saving.js').SavingSupport} support
 * @param {Destination | undefined} destination
 * @returns {Choosing | undefined} nothing where no provider proposes passwords
 */
export function proposing({ saves, generates }, destination) {
    if (!generates) return undefined;
    const provider = { identifier: '', name: 'Keyway' };
    return { type: 'choosing', entries: [{ type: 'generate', provider, saves }], more: 0, destination, selected: -1 };
}

/**
 * What may be offered wherever the menu is drawn: lists open in a window that no page can hide, and name the page; so do
 * the windows in which Keyway is set up.
 * @param {MenuModel} model
 * @returns {Choosing | undefined} nothing where there is no list
 */
export function outside(model) {
    if (model.type !== 'choosing') return undefined;
    const entries = model.entries.filter(({ type }) => type === 'list' || type === 'setUp');
    return entries.length > 0 ? { ...model, entries, more: 0, selected: -1, isOutside: true } : undefined;
}

/**
 * @param {Choosing} model
 * @param {1 | -1} step
 * @returns {Choosing} after the last comes the first
 */
export function moved(model, step) {
    const count = model.entries.length;
    const from = model.selected < 0 && step < 0 ? 0 : model.selected;
    return { ...model, selected: (from + step + count) % count };
}

/**
 * @param {Choosing} model
 * @param {number} index
 * @returns {Waiting | undefined}
 */
export function chosen(model, index) {
    const entry = model.entries[index];
    return entry && { type: 'waiting', entry, need: undefined };
}

/**
 * @param {Waiting} model
 * @param {FillWaiting} need
 * @returns {Waiting}
 */
export function needing(model, need) {
    return { ...model, need };
}

/**
 * @param {Waiting} model
 * @param {{kind: string, message: string}} error
 * @returns {Failed | undefined} nothing where the person themselves ended it
 */
export function failed({ entry }, { kind, message }) {
    return kind === 'cancelled' ? undefined : { type: 'failed', entry, kind, message: fullMessage(kind, message) };
}

/**
 * @param {{kind: string, message: string}} error that suggestions ended in
 * @returns {Hindered | undefined} nothing for what the toolbar button tells alone
 */
export function hindered({ kind, message }) {
    const known = told.find((each) => each === kind);
    return known && { type: 'hindered', kind: known, message: fullMessage(kind, message) };
}

/** @returns {Hindered} nobody has answered for a while: a question may stand in the window of Keyway */
export function unanswered() {
    return { type: 'hindered', kind: 'waiting', message: '' };
}

/**
 * @param {Provider[]} providers that have texts to insert
 * @returns {Choosing | undefined} nothing where nobody has
 */
export function offeringTexts(providers) {
    const entries = providers.map(
        (provider) => /** @type {ListEntry} */ ({ type: 'list', provider, kind: 'text', isSilent: false }),
    );
    if (entries.length === 0) return undefined;
    return { type: 'choosing', entries, more: 0, destination: undefined, selected: -1 };
}

/** @returns {Hindered} nobody has texts to insert */
export function withoutTexts() {
    return { type: 'hindered', kind: 'noTexts', message: '' };
}

/** @param {string} kind @param {string} message */
function fullMessage(kind, message) {
    return toldInFull.has(kind) && message !== kind ? message : '';
}

const listTitles = {
    password: 'menuAllPasswords',
    passkey: 'menuAllPasskeys',
    oneTimeCode: 'menuAllCodes',
    text: 'menuAllTexts',
};

/** What an entry says of its kind, to read and to hear. */
const kindTexts = {
    password: { named: '', spoken: 'menuEntrySpoken' },
    passkey: { named: 'menuPasskey', spoken: 'menuPasskeySpoken' },
    oneTimeCode: { named: 'menuCode', spoken: 'menuCodeSpoken' },
};

/** @param {MenuEntry} entry @returns {Provider} */
export function providerOf(entry) {
    return entry.type === 'account' ? entry.suggestion.provider : entry.provider;
}

/**
 * The account of another site: both are named.
 * @param {Suggestion} suggestion
 * @param {string} site
 * @param {(name: string, values?: string[]) => string} translate
 */
export function sharedText({ service }, site, translate) {
    return translate('menuShared', [service, site]);
}

/**
 * @param {MenuEntry} entry
 * @param {(name: string, values?: string[]) => string} translate
 * @returns {Entry}
 */
export function entryOf(entry, translate) {
    if (entry.type === 'generate') {
        const [title, detail] = [translate('menuGenerate'), entry.saves ? translate('menuGenerateSaves') : ''];
        return { title, detail, spoken: [title, detail].filter((part) => part !== '').join('. ') };
    }
    if (entry.type === 'setUp') {
        const [title, detail] = [translate('menuSetUp'), translate('menuSetUpDetail')];
        return { title, detail, spoken: `${title}. ${detail}` };
    }
    if (entry.type === 'list') {
        const title = translate(entry.isSilent ? 'menuUnlock' : listTitles[entry.kind], [entry.provider.name]);
        return { title, detail: '', spoken: title };
    }
    const { user, provider, kind, match, period } = entry.suggestion;
    const service = match === 'shared' ? sharedText(entry.suggestion, entry.site ?? '', translate) : entry.suggestion.service;
    const title = user || translate('menuNoUserName');
    const { named, spoken } = kindTexts[kind];
    const detail = [named && translate(named), service, provider.name].filter((part) => part !== '').join(' · ');
    const said = { title, detail, spoken: translate(spoken, [title, service, provider.name]) };
    return period === undefined ? said : { ...said, period };
}
