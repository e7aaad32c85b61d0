/**
 * One visit to a login field: ask what fits, show it, and fill what the person chooses.
 *
 * @typedef {import('../menu/model.js').MenuModel} MenuModel
 * @typedef {{
 *     suggest: (asked: import('../protocol/page.js').PageSuggest, signal: AbortSignal)
 *         => Promise<import('../protocol/host.js').SuggestResult>,
 *     fill: (choice: import('../protocol/page.js').PageFill, options: import('../protocol/channel.js').CallOptions)
 *         => Promise<import('../protocol/host.js').FillResult>,
 *     list: (choice: import('../protocol/page.js').PageList, options: import('../protocol/channel.js').CallOptions)
 *         => Promise<import('../protocol/host.js').FillResult>,
 *     passkey: (choice: import('../protocol/page.js').PagePasskey, options: import('../protocol/channel.js').CallOptions)
 *         => Promise<import('../protocol/passkeys.js').Assertion>,
 * }} Accounts
 * @typedef {{readonly waiting: import('./passkey-desk.js').Waiting | undefined}} Desk
 *     the request of the page that waits for a passkey to be chosen, if there is one
 * @typedef {{
 *     translate: import('../menu/view.js').Translate,
 *     now: () => number,
 *     filling: (during: () => void) => void,
 * }} Surroundings `now`: a monotonic clock in milliseconds; `filling`: runs what moves the focus without a person
 */
import { foreignDestination, isSameDestination } from '../fill/destination.js';
import { fillTargets, targetsOf } from '../fill/fill.js';
import { choosing, chosen, failed, hindered, moved, needing, outside, unanswered } from '../menu/model.js';
import { MenuView } from '../menu/view.js';
import { AutoFillError, kindOf } from '../protocol/errors.js';
import { filterOf } from './passkey-desk.js';

/** How long an answer may take before the person learns that somebody may be asking them, in milliseconds. */
const patience = 1500;

/**
 * The fields where a choice was refused: what hides the menu there may be something that is not looked for at once.
 * @type {WeakSet<HTMLInputElement>}
 */
const refused = new WeakSet();

export class Visit {
    /** @type {MenuView | undefined} */
    #view;
    /** @type {MenuModel | undefined} */
    #model;
    #ended = new AbortController();
    #field;
    #form;
    #accounts;
    #desk;
    #surroundings;

    /**
     * @param {HTMLInputElement} field
     * @param {{fields: HTMLInputElement[], roles: import('../detection/classify.js').Role[]}} form
     * @param {Accounts} accounts
     * @param {Desk} desk
     * @param {Surroundings} surroundings
     */
    constructor(field, form, accounts, desk, surroundings) {
        this.#field = field;
        this.#form = form;
        this.#accounts = accounts;
        this.#desk = desk;
        this.#surroundings = surroundings;
    }

    get field() {
        return this.#field;
    }

    get isOpen() {
        return this.#view !== undefined;
    }

    /** Whether something was chosen and has not come yet. */
    get isBusy() {
        return this.#model?.type === 'waiting';
    }

    /** Whether that is a password, which no passkey has to do with. */
    get isBusyWithPassword() {
        if (this.#model?.type !== 'waiting') return false;
        const { entry } = this.#model;
        return entry.type === 'account' && entry.suggestion.kind === 'password';
    }

    get isOver() {
        return this.signal.aborted;
    }

    /** Aborted once the visit is over. */
    get signal() {
        return this.#ended.signal;
    }

    /**
     * Asks, and shows what there is. Of trouble, only what the person can do something about right here gets into the
     * page; the toolbar button tells the rest.
     */
    async open() {
        const targets = targetsOf(this.#form, this.#field);
        const { waiting } = this.#desk;
        if (Object.keys(targets).length === 0 && !waiting) return this.end();
        const asked = waiting ? { passkeys: filterOf(waiting.request) } : {};
        const timer = setTimeout(() => this.#open(unanswered()), patience);
        const model = await this.#accounts.suggest(asked, this.#ended.signal).then(
            (answer) =>
                choosing(answer, {
                    kinds: kindsOf(targets, waiting !== undefined),
                    destination: foreignDestination(this.#field, window.origin),
                }),
            (error) => hindered(named(error)),
        );
        clearTimeout(timer);
        return model ? this.#open(model) : this.end();
    }

    /** @param {MenuModel} model */
    #open(model) {
        if (this.isOver) return;
        const { translate, now } = this.#surroundings;
        this.#view ??= new MenuView(this.#field, translate, now, {
            onChoose: (index, event) => this.#choose(index, event),
            onFieldGone: () => this.end(),
        });
        this.#show(model);
        const care = refused.has(this.#field) ? 'thorough' : 'quick';
        // Only what can be chosen can be chosen wrongly.
        if (model.type !== 'choosing' || this.#view.isFit(0, care)) return;
        const safe = outside(model);
        if (safe) this.#show(safe);
        else this.end();
    }

    end() {
        this.#ended.abort();
        this.#view?.close();
        this.#view = undefined;
        this.#model = undefined;
    }

    place() {
        this.#view?.place();
    }

    /**
     * @param {KeyboardEvent} event trusted
     * @returns {boolean} whether the key was for the menu
     */
    press(event) {
        if (!this.#view || !this.#model) return false;
        if (event.key === 'Escape') {
            this.end();
            return true;
        }
        if (this.#model.type !== 'choosing') return this.#model.type === 'waiting' && event.key === 'Enter';
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            this.#show(moved(this.#model, event.key === 'ArrowDown' ? 1 : -1));
            return true;
        }
        if (event.key !== 'Enter' || this.#model.selected < 0) return false;
        this.#choose(this.#model.selected, event);
        return true;
    }

    /** @param {MenuModel} model */
    #show(model) {
        this.#model = model;
        this.#view?.show(model);
    }

    /**
     * @param {number} index
     * @param {Event} event
     */
    #choose(index, event) {
        if (this.#model?.type !== 'choosing' || !this.#view) return;
        const { destination, isOutside } = this.#model;
        const model = chosen(this.#model, index);
        if (!this.#sendsTo(destination) || !this.#mayChoose(this.#view, index, event)) return this.end();
        if (model) void this.#fill(model, destination, isOutside === true);
    }

    /**
     * @param {MenuView} view
     * @param {number} index
     * @param {Event} event
     */
    #mayChoose(view, index, event) {
        if (this.#model?.type === 'choosing' && this.#model.isOutside) return view.mayAskOutside(event);
        const isAllowed = view.mayChoose(index, event);
        if (!isAllowed) refused.add(this.#field);
        return isAllowed;
    }

    /** @param {import('../fill/destination.js').Destination | undefined} shown */
    #sendsTo(shown) {
        return isSameDestination(shown, foreignDestination(this.#field, window.origin));
    }

    /**
     * @param {import('../menu/model.js').Waiting} model
     * @param {import('../fill/destination.js').Destination | undefined} destination as the person saw it
     * @param {boolean} isOutside whether the person chooses where no page can hide it
     */
    async #fill(model, destination, isOutside) {
        const targets = targetsOf(this.#form, this.#field, this.#view?.host);
        const { waiting } = this.#desk;
        const fields = /** @type {import('../protocol/host.js').CredentialField[]} */ (
            Object.entries(targets).flatMap(([name, field]) => (field ? [name] : []))
        );
        if (fields.length === 0 && !waiting) return this.end();
        this.#show(model);
        /** @param {import('../protocol/host.js').FillWaiting} need */
        const onWaiting = (need) => this.#show(needing(model, need));
        const { entry } = model;
        const options = { signal: this.#ended.signal, onWaiting };
        try {
            const values = await this.#get(entry, fields, waiting, options);
            if (values.passkey) {
                if (!this.isOver && this.#desk.waiting === waiting) waiting?.answer(values.passkey);
            } else if (!this.isOver && (isOutside || this.#view?.isPlain('quick')) && this.#sendsTo(destination)) {
                this.#view?.close();
                this.#surroundings.filling(() => fillTargets(targets, values));
            }
        } catch (error) {
            const failure = failed(model, named(error));
            if (failure && !this.isOver) return this.#show(failure);
        }
        return this.end();
    }

    /**
     * @param {import('../menu/model.js').MenuEntry} entry
     * @param {import('../protocol/host.js').CredentialField[]} fields
     * @param {import('./passkey-desk.js').Waiting | undefined} waiting
     * @param {import('../protocol/channel.js').CallOptions} options
     * @returns {Promise<import('../protocol/host.js').FillResult>}
     */
    async #get(entry, fields, waiting, options) {
        if (entry.type === 'account') {
            const { handle, kind } = entry.suggestion;
            if (kind === 'password') return this.#accounts.fill({ handle, fields }, options);
            if (!waiting) throw new AutoFillError('cancelled');
            return { passkey: await this.#accounts.passkey({ handle, request: waiting.request }, options) };
        }
        const { identifier } = entry.provider;
        const passkey = entry.kind !== 'oneTimeCode' && waiting ? { passkey: waiting.request } : {};
        return this.#accounts.list({ provider: identifier, fields, ...passkey }, options);
    }
}

/**
 * @param {import('../fill/fill.js').Targets} targets
 * @param {boolean} isPasskeyAwaited
 * @returns {import('../protocol/host.js').ListKind[]} what the field, and the page around it, has use for
 */
function kindsOf(targets, isPasskeyAwaited) {
    if (targets.oneTimeCode) return ['oneTimeCode'];
    /** @type {import('../protocol/host.js').ListKind[]} */
    const kinds = isPasskeyAwaited ? ['passkey'] : [];
    return targets.username || targets.password ? [...kinds, 'password'] : kinds;
}

/** @param {unknown} error @returns {{kind: string, message: string}} without a message where it is not Keyway's */
function named(error) {
    return { kind: kindOf(error), message: error instanceof AutoFillError ? error.message : '' };
}
