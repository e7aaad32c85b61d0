/**
 * One visit to a login field: ask what fits, show it, and fill what the person chooses.
 *
 * @typedef {import('../menu/model.js').MenuModel} MenuModel
 * @typedef {{
 *     suggest: (signal: AbortSignal) => Promise<import('../protocol/host.js').SuggestResult>,
 *     fill: (choice: import('../protocol/page.js').PageFill, options: import('../protocol/channel.js').CallOptions)
 *         => Promise<import('../protocol/host.js').FillResult>,
 * }} Accounts
 * @typedef {{
 *     translate: import('../menu/view.js').Translate,
 *     now: () => number,
 *     filling: (during: () => void) => void,
 * }} Surroundings `now`: a monotonic clock in milliseconds; `filling`: runs what moves the focus without a person
 */
import { foreignDestination, isSameDestination } from '../fill/destination.js';
import { fillTargets, targetsOf } from '../fill/fill.js';
import { choosing, chosen, failed, moved, needing } from '../menu/model.js';
import { MenuView } from '../menu/view.js';
import { kindOf } from '../protocol/errors.js';

export class Visit {
    /** @type {MenuView | undefined} */
    #view;
    /** @type {MenuModel | undefined} */
    #model;
    #ended = new AbortController();
    #field;
    #form;
    #accounts;
    #surroundings;

    /**
     * @param {HTMLInputElement} field
     * @param {{fields: HTMLInputElement[], roles: import('../detection/classify.js').Role[]}} form
     * @param {Accounts} accounts
     * @param {Surroundings} surroundings
     */
    constructor(field, form, accounts, surroundings) {
        this.#field = field;
        this.#form = form;
        this.#accounts = accounts;
        this.#surroundings = surroundings;
    }

    get field() {
        return this.#field;
    }

    get isOpen() {
        return this.#view !== undefined;
    }

    get isOver() {
        return this.#ended.signal.aborted;
    }

    /** Asks, and shows what there is. Trouble stays out of the page: the toolbar button tells. */
    async open() {
        if (Object.keys(targetsOf(this.#form, this.#field)).length === 0) return this.end();
        const answer = await this.#accounts.suggest(this.#ended.signal).catch(() => undefined);
        const model = answer && choosing(answer, foreignDestination(this.#field, window.origin));
        if (this.isOver) return undefined;
        if (!model) return this.end();
        const { translate, now } = this.#surroundings;
        this.#view = new MenuView(this.#field, translate, now, {
            onChoose: (index, event) => this.#choose(index, event),
            onFieldGone: () => this.end(),
        });
        this.#show(model);
        return this.#view.isPlain('quick') ? undefined : this.end();
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
        const { destination } = this.#model;
        if (!this.#sendsTo(destination) || !this.#view.mayChoose(event)) return this.end();
        const model = chosen(this.#model, index);
        if (model) void this.#fill(model, destination);
    }

    /** @param {import('../fill/destination.js').Destination | undefined} shown */
    #sendsTo(shown) {
        return isSameDestination(shown, foreignDestination(this.#field, window.origin));
    }

    /**
     * @param {import('../menu/model.js').Waiting} model
     * @param {import('../fill/destination.js').Destination | undefined} destination as the person saw it
     */
    async #fill(model, destination) {
        const targets = targetsOf(this.#form, this.#field, this.#view?.host);
        const fields = /** @type {import('../protocol/host.js').CredentialField[]} */ (
            Object.entries(targets).flatMap(([name, field]) => (field ? [name] : []))
        );
        if (fields.length === 0) return this.end();
        this.#show(model);
        /** @param {import('../protocol/host.js').FillWaiting} need */
        const onWaiting = (need) => this.#show(needing(model, need));
        const choice = { handle: model.suggestion.handle, fields };
        try {
            const values = await this.#accounts.fill(choice, { signal: this.#ended.signal, onWaiting });
            if (!this.isOver && this.#view?.isPlain('quick') && this.#sendsTo(destination)) {
                this.#view.close();
                this.#surroundings.filling(() => fillTargets(targets, values));
            }
        } catch (error) {
            const failure = failed(model, kindOf(error));
            if (failure && !this.isOver) return this.#show(failure);
        }
        return this.end();
    }
}
