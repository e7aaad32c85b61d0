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
 *     savingSupport: (signal: AbortSignal) => Promise<import('../protocol/saving.js').SavingSupport>,
 *     generate: (rules: import('../protocol/saving.js').FormRules, options: import('../protocol/channel.js').CallOptions)
 *         => Promise<string[]>,
 *     keep: (form: import('../protocol/saving.js').SubmittedForm) => Promise<void>,
 *     setUp: (options: import('../protocol/channel.js').CallOptions)
 *         => Promise<import('../protocol/host.js').SetUpOutcome>,
 *     passkey: (choice: import('../protocol/page.js').PagePasskey, options: import('../protocol/channel.js').CallOptions)
 *         => Promise<import('../protocol/passkeys.js').Assertion>,
 * }} Accounts
 * @typedef {{readonly waiting: import('./passkey-desk.js').Waiting | undefined}} Desk
 *     the request of the page that waits for a passkey to be chosen, if there is one
 * @typedef {{
 *     translate: import('../menu/view.js').Translate,
 *     now: () => number,
 *     filling: (during: () => void) => void,
 *     saver: Pick<import('../save/saver.js').Saver, 'filled' | 'generated'>,
 * }} Surroundings `now`: a monotonic clock in milliseconds; `filling`: runs what moves the focus without a person
 */
import { foreignDestination, isSameDestination } from '../fill/destination.js';
import { fillNew, fillTargets, mayFill, targetsOf } from '../fill/fill.js';
import { pressIn } from '../menu/keys.js';
import { choosing, chosen, failed, hindered, needing, outside, proposing, unanswered } from '../menu/model.js';
import { MenuView } from '../menu/view.js';
import { AutoFillError, named } from '../protocol/errors.js';
import { credentialFields } from '../protocol/host.js';
import { fittingPassword, namedBeside, rulesOf } from '../save/submitted.js';
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

    /** The element of the menu, if it is open. */
    get host() {
        return this.#view?.host;
    }

    /** Whether something was chosen and has not come yet. */
    get isBusy() {
        return this.#model?.type === 'waiting';
    }

    /** Whether that is a password or a code, which no passkey has to do with. */
    get isBusyWithPassword() {
        if (this.#model?.type !== 'waiting') return false;
        const { entry } = this.#model;
        return entry.type === 'account' && entry.suggestion.kind !== 'passkey';
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
        if (this.#newFields().length > 0) return this.#openNew();
        const targets = targetsOf(this.#form, this.#field);
        const { waiting } = this.#desk;
        if (Object.keys(targets).length === 0 && !waiting) return this.end();
        const asked = askedFor(targets, waiting);
        const timer = setTimeout(() => this.#open(unanswered()), patience);
        const model = await this.#accounts.suggest(asked, this.#ended.signal).then(
            (answer) =>
                choosing(answer, {
                    kinds: kindsOf(targets, waiting !== undefined),
                    destination: foreignDestination(this.#field, window.origin),
                    site: window.location.hostname,
                }),
            (error) => hindered(named(error)),
        );
        clearTimeout(timer);
        return model ? this.#open(model) : this.end();
    }

    /** Offers a new password; trouble stays out of the page. */
    async #openNew() {
        const model = await this.#accounts.savingSupport(this.#ended.signal).then(
            (support) => proposing(support, foreignDestination(this.#field, window.origin)),
            () => undefined,
        );
        return model ? this.#open(model) : this.end();
    }

    /**
     * The fields for a new password, if the person is in one of them.
     * @param {Element} [menu]
     */
    #newFields(menu) {
        const { fields, roles } = this.#form;
        if (roles[fields.indexOf(this.#field)] !== 'new-password') return [];
        return fields.filter((field, index) => roles[index] === 'new-password' && mayFill(field, 'password', menu));
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
        if (this.#model.type === 'waiting' && event.key === 'Enter') return true;
        return pressIn(event.key, this.#model, {
            end: () => this.end(),
            show: (model) => this.#show(model),
            choose: (index) => this.#choose(index, event),
        });
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
        if (model?.entry.type === 'setUp') void this.#setUp(model);
        else if (model?.entry.type === 'generate') void this.#generate(model, destination, model.entry.saves);
        else if (model) void this.#fill(model, destination, isOutside === true);
    }

    /**
     * What the person decides, they decide in windows of Keyway's. Then there is a menu like any other.
     * @param {import('../menu/model.js').Waiting} model
     */
    async #setUp(model) {
        this.#show(model);
        try {
            const outcome = await this.#accounts.setUp({ signal: this.#ended.signal });
            if (outcome === 'done' && !this.isOver) return await this.open();
        } catch (error) {
            const failure = failed(model, named(error));
            if (failure && !this.isOver) return this.#show(failure);
        }
        return this.end();
    }

    /**
     * Makes a password only now that it is chosen; it is kept before the form is sent, whatever becomes of the page.
     * @param {import('../menu/model.js').Waiting} model
     * @param {import('../fill/destination.js').Destination | undefined} destination as the person saw it
     * @param {boolean} saves
     */
    async #generate(model, destination, saves) {
        const fields = this.#newFields(this.#view?.host);
        if (fields.length === 0) return this.end();
        this.#show(model);
        try {
            const passwords = await this.#accounts.generate(rulesOf(fields), { signal: this.#ended.signal });
            const password = fittingPassword(passwords, fields);
            if (password !== undefined && !this.isOver && this.#view?.isPlain('quick') && this.#sendsTo(destination)) {
                this.#view?.close();
                let filled = 0;
                this.#surroundings.filling(() => {
                    filled = fillNew(fields, password).length;
                });
                if (filled > 0) {
                    this.#surroundings.saver.generated(password);
                    const user = namedBeside(this.#form);
                    if (saves) void this.#accounts.keep({ user, password, isGenerated: true }).catch(() => {});
                }
            }
        } catch (error) {
            const failure = failed(model, named(error));
            if (failure && !this.isOver) return this.#show(failure);
        }
        return this.end();
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
        const fields = credentialFields.filter((name) => targets[name]);
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
                this.#surroundings.saver.filled(values);
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
            if (kind !== 'passkey') return this.#accounts.fill({ handle, fields }, options);
            if (!waiting) throw new AutoFillError('cancelled');
            return { passkey: await this.#accounts.passkey({ handle, request: waiting.request }, options) };
        }
        if (entry.type === 'generate' || entry.type === 'setUp') throw new AutoFillError('cancelled');
        const { identifier } = entry.provider;
        const passkey = entry.kind !== 'oneTimeCode' && waiting ? { passkey: waiting.request } : {};
        return this.#accounts.list({ provider: identifier, fields, ...passkey }, options);
    }
}

/**
 * @param {import('../fill/fill.js').Targets} targets
 * @param {import('./passkey-desk.js').Waiting | undefined} waiting
 * @returns {import('../protocol/page.js').PageSuggest} a field for a code is asked for with codes alone
 */
function askedFor(targets, waiting) {
    if (targets.oneTimeCode) return { codes: true };
    return waiting ? { passkeys: filterOf(waiting.request) } : {};
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
