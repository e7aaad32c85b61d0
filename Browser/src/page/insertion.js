/**
 * Text that the person inserts into a field by the browser's context menu. They choose the text in a window of Keyway; it
 * goes into the very field on which they opened the menu, if that still has the focus and can be seen, and nowhere else.
 *
 * @typedef {import('../fill/insert.js').Editable} Editable
 * @typedef {{
 *     texts: (signal: AbortSignal) => Promise<import('../protocol/host.js').Provider[]>,
 *     insert: (provider: string, options: import('../protocol/channel.js').CallOptions) => Promise<string>,
 * }} Texts
 * @typedef {{translate: import('../menu/view.js').Translate, now: () => number}} Surroundings
 */
import { focusedElement } from '../detection/composed.js';
import { insertText, takesText } from '../fill/insert.js';
import { isSeen } from '../fill/visibility.js';
import { pressIn } from '../menu/keys.js';
import { chosen, failed, hindered, needing, offeringTexts, unanswered, withoutTexts } from '../menu/model.js';
import { MenuView } from '../menu/view.js';
import { named } from '../protocol/errors.js';

/** How long an answer may take before the person learns that somebody may be asking them, in milliseconds. */
const patience = 1500;

export class Insertions {
    /**
     * Where the person opened the context menu last.
     * @type {Editable | undefined}
     */
    #aimed;
    /** @type {Insertion | undefined} */
    #running;
    #window;
    #texts;
    #surroundings;

    /**
     * @param {Window & typeof globalThis} window
     * @param {Texts} texts
     * @param {Surroundings} surroundings
     */
    constructor(window, texts, surroundings) {
        this.#window = window;
        this.#texts = texts;
        this.#surroundings = surroundings;
    }

    listen() {
        this.#window.addEventListener('contextmenu', this.#aim, true);
        this.#window.addEventListener('keydown', this.#press, true);
        this.#window.addEventListener('focusout', this.#blur, true);
        this.#window.addEventListener('pagehide', this.#end);
        this.#window.addEventListener('scroll', this.#place, { capture: true, passive: true });
        this.#window.addEventListener('resize', this.#place);
    }

    /** The person chose the entry of the context menu; nothing happens where the field is not what they pointed at. */
    begin() {
        const field = this.#aimed;
        this.#aimed = undefined;
        this.#start(field);
    }

    /** The person pressed the keys for it, wherever in the tab they are. */
    beginHere() {
        const { document } = this.#window;
        const field = document.hasFocus() ? focusedElement(document) : undefined;
        if (takesText(field)) this.#start(field);
    }

    /** @param {Editable | undefined} field */
    #start(field) {
        this.#end();
        if (!field || !mayInsert(field, this.#window.document)) return;
        this.#running = new Insertion(field, this.#window.document, this.#texts, this.#surroundings);
        void this.#running.run();
    }

    /** @param {Event} event */
    #aim = (event) => {
        if (!event.isTrusted) return;
        // What is in a closed shadow root does not come out to the window.
        this.#aimed = [...event.composedPath(), focusedElement(this.#window.document)].find(takesText);
    };

    /** @param {KeyboardEvent} event */
    #press = (event) => {
        if (!event.isTrusted || event.isComposing || !this.#running?.press(event)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
    };

    /** The window may have lost the focus, while the field keeps its place in the page. */
    #blur = () => {
        queueMicrotask(() => {
            if (this.#running && focusedElement(this.#window.document) !== this.#running.field) this.#end();
        });
    };

    #end = () => {
        this.#running?.end();
        this.#running = undefined;
    };

    #place = () => this.#running?.place();
}

/**
 * @param {Editable} field
 * @param {Document} document
 * @param {Element} [menu]
 */
function mayInsert(field, document, menu) {
    return focusedElement(document) === field && takesText(field) && isSeen(field, menu);
}

class Insertion {
    #ended = new AbortController();
    /** @type {MenuView | undefined} */
    #view;
    /** @type {import('../menu/model.js').MenuModel | undefined} */
    #model;
    #field;
    #document;
    #texts;
    #surroundings;

    /**
     * @param {Editable} field
     * @param {Document} document
     * @param {Texts} texts
     * @param {Surroundings} surroundings
     */
    constructor(field, document, texts, surroundings) {
        this.#field = field;
        this.#document = document;
        this.#texts = texts;
        this.#surroundings = surroundings;
    }

    get field() {
        return this.#field;
    }

    /** Asks whose texts there are; where there is only one who has any, the person need not say whose. */
    async run() {
        const timer = setTimeout(() => this.#show(unanswered()), patience);
        try {
            const model = offeringTexts(await this.#texts.texts(this.#ended.signal));
            if (!model) this.#show(withoutTexts());
            else if (model.entries.length > 1) this.#show(model);
            else this.#choose(model, 0);
        } catch (error) {
            const model = hindered(named(error));
            if (model) this.#show(model);
            else this.end();
        } finally {
            clearTimeout(timer);
        }
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
        return pressIn(event.key, this.#model, {
            end: () => this.end(),
            show: (model) => this.#show(model),
            choose: (index) => this.#chooseFrom(index, event),
        });
    }

    /** @param {import('../menu/model.js').MenuModel} model */
    #show(model) {
        if (this.#ended.signal.aborted) return;
        this.#model = model;
        const { translate, now } = this.#surroundings;
        this.#view ??= new MenuView(this.#field, translate, now, {
            onChoose: (index, event) => this.#chooseFrom(index, event),
            onFieldGone: () => this.end(),
        });
        this.#view.show(model);
    }

    /**
     * An entry opens a window that no page can hide, and fills nothing by itself.
     * @param {number} index
     * @param {Event} event
     */
    #chooseFrom(index, event) {
        if (this.#model?.type !== 'choosing') return;
        if (this.#view?.mayAskOutside(event)) this.#choose(this.#model, index);
        else this.end();
    }

    /** @param {import('../menu/model.js').Choosing} model @param {number} index */
    #choose(model, index) {
        const waiting = chosen(model, index);
        if (waiting) void this.#insert(waiting);
        else this.end();
    }

    /** @param {import('../menu/model.js').Waiting} model */
    async #insert(model) {
        if (model.entry.type !== 'list') return this.end();
        this.#show(model);
        const { signal } = this.#ended;
        /** @param {import('../protocol/host.js').FillWaiting} need */
        const onWaiting = (need) => this.#show(needing(model, need));
        try {
            const text = await this.#texts.insert(model.entry.provider.identifier, { signal, onWaiting });
            if (!signal.aborted && mayInsert(this.#field, this.#document, this.#view?.host)) {
                this.#view?.close();
                insertText(this.#field, text);
            }
        } catch (error) {
            const failure = failed(model, named(error));
            if (failure && !signal.aborted) return this.#show(failure);
        }
        return this.end();
    }
}
