/**
 * Notices that a sign-in or a sign-up was sent, and whether it worked: by the page that comes after it (the background
 * asks that one), or by the form that is gone from this one, in single-page apps.
 *
 * Nothing is read before a person sends a form that they have been in, and nothing at all in private windows.
 *
 * @typedef {{
 *     submit: (form: import('../protocol/saving.js').SubmittedForm & {kind: import('../protocol/saving.js').FormKind})
 *         => Promise<void>,
 *     named: (user: string) => Promise<void>,
 *     settle: (worked: boolean) => Promise<void>,
 * }} Keeper the background
 * @typedef {{
 *     isPrivate: boolean,
 *     now: () => number,
 *     form: (field: HTMLInputElement) => import('./submitted.js').FormRoles,
 *     current: () => HTMLInputElement | undefined,
 * }} Surroundings `form`: the form around a field, with what each of its fields is for
 */
import { allIn, attributeOf, nameOf } from '../detection/dom.js';
import { isField } from '../detection/describe.js';
import { isDrawn } from '../fill/visibility.js';
import { namedOf, submittedOf } from './submitted.js';

/** How long after a click or a key a form is its doing, in milliseconds. */
const gestureLasts = 1000;
/** How often the form is looked for once it was sent, and for how long, in milliseconds. */
const step = 250;
const longest = 30_000;
/** How long it must be gone: after an answer of the server, and where none was noticed. */
const goneAfterAnswer = 500;
const goneWithoutAnswer = 3000;

export class Saver {
    /**
     * What was filled by us here: the same needs no question.
     * @type {{user: string | undefined, password: string}[]}
     */
    #filled = [];
    /** @type {string | undefined} */
    #generated;
    /** @type {HTMLInputElement | undefined} */
    #last;
    /** When the person last clicked or pressed Enter, and whether that was taken to send the form. */
    #gesture = { at: -Infinity, isSending: false };
    /** @type {{user: string, password: string} | undefined} */
    #sent;
    /** @type {{field: HTMLInputElement, since: number, goneSince: number | undefined} | undefined} */
    #watched;
    #timer = 0;
    #window;
    #keeper;
    #surroundings;

    /** @param {Window} window @param {Keeper} keeper @param {Surroundings} surroundings */
    constructor(window, keeper, surroundings) {
        this.#window = window;
        this.#keeper = keeper;
        this.#surroundings = surroundings;
    }

    /** @param {HTMLInputElement} field that the person has gone to */
    visit(field) {
        this.#last = field;
    }

    /** @param {{user?: string, password?: string}} values that were filled here */
    filled({ user, password }) {
        if (password !== undefined) this.#filled = [...this.#filled.slice(-3), { user, password }];
    }

    /** @param {string} password that was made for a form here, and is kept already */
    generated(password) {
        this.#generated = password;
    }

    /** @param {Event} event that may send a form: the form's own, a click, Enter */
    attempt(event) {
        if (!event.isTrusted || this.#surroundings.isPrivate || !this.#isOfPerson(event)) return;
        const field = this.#surroundings.current() ?? this.#last;
        if (!field?.isConnected) return;
        const form = this.#surroundings.form(field);
        const submitted = submittedOf(form);
        if (submitted) return this.#submit(submitted);
        const user = namedOf(form);
        if (user !== '') void this.#keeper.named(user).catch(ignore);
    }

    /**
     * What a script sends is sent by the browser all the same, so a form counts only right after the person did something;
     * where that was a button or Enter, the form was read before any script could change it.
     * @param {Event} event trusted
     */
    #isOfPerson(event) {
        const now = this.#surroundings.now();
        if (event.type === 'submit') return !this.#gesture.isSending && now - this.#gesture.at < gestureLasts;
        const path = event.composedPath();
        const isSending = event.type === 'keydown' || path.some(isSender);
        // Who clicks into a field sends nothing.
        if (isSending || !path.some(isField)) this.#gesture = { at: now, isSending };
        return isSending;
    }

    /** The page is put aside: whatever comes after it, the background looks at. */
    leave() {
        clearTimeout(this.#timer);
        this.#watched = undefined;
        this.#sent = undefined;
        this.#filled = [];
        this.#generated = undefined;
    }

    /** @returns {import('../protocol/saving.js').PageLook} how this page looks, after another one sent a form */
    look() {
        const { document, performance } = this.#window;
        const [entry] = performance.getEntriesByType('navigation');
        const status = /** @type {{responseStatus?: number} | undefined} */ (entry)?.responseStatus ?? 0;
        return {
            status,
            hasPassword: hasPassword(document),
            isComplaining: allIn(document, '[role=alert], [aria-invalid=true]').some(
                (element) => isDrawn(element) && (element.textContent ?? '').trim() + attributeOf(element, 'aria-invalid') !== '',
            ),
        };
    }

    /** @param {import('./submitted.js').Submitted} submitted */
    #submit({ user, password, kind, field }) {
        const isFilled = this.#filled.some(
            (each) => each.password === password && (each.user === undefined || user === '' || each.user === user),
        );
        if (isFilled || (this.#sent?.user === user && this.#sent.password === password && this.#watched)) return;
        this.#sent = { user, password };
        const isGenerated = password === this.#generated;
        void this.#keeper.submit({ user, password, kind, isGenerated }).catch(ignore);
        this.#watched = { field, since: this.#surroundings.now(), goneSince: undefined };
        clearTimeout(this.#timer);
        this.#timer = this.#window.setTimeout(() => this.#watch(), step);
    }

    /** Whether the form is gone, looked at now and then while it may go. */
    #watch() {
        const watched = this.#watched;
        if (!watched) return;
        const now = this.#surroundings.now();
        const isGone = !isShown(watched.field) && !hasPassword(this.#window.document);
        watched.goneSince = isGone ? (watched.goneSince ?? now) : undefined;
        const status = this.#answerSince(watched.since);
        const needed = status === undefined ? goneWithoutAnswer : goneAfterAnswer;
        if (watched.goneSince !== undefined && now - watched.goneSince >= needed) {
            return this.#settle(status === undefined || status < 400);
        }
        if (now - watched.since > longest) return this.#settle(false);
        this.#timer = this.#window.setTimeout(() => this.#watch(), step);
    }

    /** @param {boolean} worked */
    #settle(worked) {
        this.#watched = undefined;
        this.#sent = undefined;
        void this.#keeper.settle(worked).catch(ignore);
    }

    /**
     * @param {number} since
     * @returns {number | undefined} what the last request of the page was answered with; 0 where the browser does not
     *     tell, nothing where there was none
     */
    #answerSince(since) {
        const entries = this.#window.performance.getEntriesByType('resource');
        const requests = /** @type {(PerformanceResourceTiming & {responseStatus?: number})[]} */ (entries).filter(
            ({ initiatorType, responseEnd }) =>
                (initiatorType === 'fetch' || initiatorType === 'xmlhttprequest') && responseEnd >= since,
        );
        const last = requests.at(-1);
        return last && (last.responseStatus ?? 0);
    }
}

/** @param {EventTarget} target whether a click on it may send a form */
function isSender(target) {
    if (!(target instanceof Element)) return false;
    const name = nameOf(target);
    if (name === 'button' || name === 'a') return true;
    if (name === 'input') return ['submit', 'image', 'button'].includes(/** @type {HTMLInputElement} */ (target).type);
    return attributeOf(target, 'role') === 'button';
}

/** @param {Document} document */
function hasPassword(document) {
    return allIn(document, 'input[type=password i]').some(isDrawn);
}

/** @param {HTMLInputElement} field */
function isShown(field) {
    return field.isConnected && isDrawn(field);
}

/** The background is gone, or nothing can be saved: the page has nothing to do with it. */
function ignore() {}
