/**
 * What the menu shows and which entry is selected; knows no browser. Each change gives a new value.
 *
 * @typedef {import('../protocol/host.js').Suggestion} Suggestion
 * @typedef {import('../protocol/host.js').FillWaiting} FillWaiting
 * @typedef {import('../fill/destination.js').Destination} Destination
 * @typedef {{
 *     type: 'choosing',
 *     suggestions: Suggestion[],
 *     more: number,
 *     destination: Destination | undefined,
 *     selected: number,
 * }} Choosing `destination`: where the form sends, if not home; `selected` is -1 while the person has selected nothing
 * @typedef {{type: 'waiting', suggestion: Suggestion, need: FillWaiting | undefined}} Waiting
 *     an account was chosen; `need` says what the person has to do first, if anything
 * @typedef {{type: 'failed', suggestion: Suggestion, kind: string}} Failed `kind` of the error (`protocol/errors.js`)
 * @typedef {Choosing | Waiting | Failed} MenuModel
 * @typedef {{title: string, detail: string, spoken: string}} Entry
 */

/**
 * @param {import('../protocol/host.js').SuggestResult} answer
 * @param {Destination} [destination]
 * @returns {Choosing | undefined} nothing when there is nothing to choose
 */
export function choosing({ suggestions, more }, destination) {
    return suggestions.length === 0 ? undefined : { type: 'choosing', suggestions, more, destination, selected: -1 };
}

/**
 * @param {Choosing} model
 * @param {1 | -1} step
 * @returns {Choosing} after the last comes the first
 */
export function moved(model, step) {
    const count = model.suggestions.length;
    const from = model.selected < 0 && step < 0 ? 0 : model.selected;
    return { ...model, selected: (from + step + count) % count };
}

/**
 * @param {Choosing} model
 * @param {number} index
 * @returns {Waiting | undefined}
 */
export function chosen(model, index) {
    const suggestion = model.suggestions[index];
    return suggestion && { type: 'waiting', suggestion, need: undefined };
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
 * @param {string} kind
 * @returns {Failed | undefined} nothing where the person themselves ended it
 */
export function failed({ suggestion }, kind) {
    return kind === 'cancelled' ? undefined : { type: 'failed', suggestion, kind };
}

/**
 * @param {Suggestion} suggestion
 * @param {(name: string, values?: string[]) => string} translate
 * @returns {Entry}
 */
export function entryOf({ user, service, provider }, translate) {
    const title = user || translate('menuNoUserName');
    const detail = [service, provider.name].filter((part) => part !== '').join(' · ');
    return { title, detail, spoken: translate('menuEntrySpoken', [title, service, provider.name]) };
}
