/**
 * The elements that show a menu model. Texts are put into attributes (`style.js` says why); what a screen reader is to
 * hear stands in names and in one live region that stays, so that its changes are noticed.
 *
 * @typedef {import('./model.js').MenuModel} MenuModel
 * @typedef {(name: string, values?: string[]) => string} Translate
 */
import { createElement } from '../detection/dom.js';
import { entryOf } from './model.js';

export class MenuContent {
    #document;
    #translate;
    #spoken;

    /**
     * @param {Document} document
     * @param {Translate} translate
     */
    constructor(document, translate) {
        this.#document = document;
        this.#translate = translate;
        this.#spoken = this.#text('spoken', '');
        this.#spoken.setAttribute('role', 'status');
        this.#spoken.setAttribute('aria-live', 'polite');
    }

    /** @returns {HTMLElement} the live region; the field keeps the focus, so nothing else is read out */
    get spoken() {
        return this.#spoken;
    }

    /**
     * @param {MenuModel} model
     * @returns {HTMLElement[]} from top to bottom
     */
    partsOf(model) {
        this.#spoken.dataset.t = this.#spokenOf(model);
        if (model.type === 'choosing') return this.#choosing(model);
        if (model.type === 'failed') return [this.#note(this.#failure(model))];
        return [model.need ? this.#need(model.need) : this.#note(this.#filling(model))];
    }

    /** @param {MenuModel} model */
    #spokenOf(model) {
        if (model.type === 'failed') return this.#failure(model);
        if (model.type === 'waiting') {
            return model.need ? this.#needTexts(model.need).join('. ') : this.#filling(model);
        }
        const selected = model.suggestions[model.selected];
        if (selected) return entryOf(selected, this.#translate).spoken;
        return this.#translate('menuOpened', [String(model.suggestions.length)]);
    }

    /** @param {import('./model.js').Choosing} model */
    #choosing(model) {
        const parts = [this.#list(model)];
        if (model.destination) parts.unshift(this.#note(this.#destination(model.destination)));
        if (model.more > 0) parts.push(this.#note(this.#translate('menuMore', [String(model.more)])));
        return parts;
    }

    /** @param {import('./model.js').Choosing} model */
    #list(model) {
        const list = this.#element('div', 'list');
        list.setAttribute('role', 'listbox');
        list.setAttribute('aria-label', this.#translate('menuLabel'));
        list.append(...model.suggestions.map((suggestion, index) => this.#entry(suggestion, index, model.selected)));
        if (model.selected >= 0) list.setAttribute('aria-activedescendant', `entry-${model.selected}`);
        return list;
    }

    /**
     * @param {import('./model.js').Suggestion} suggestion
     * @param {number} index
     * @param {number} selected
     */
    #entry(suggestion, index, selected) {
        const { title, detail, spoken } = entryOf(suggestion, this.#translate);
        const entry = this.#element('div', 'entry');
        entry.id = `entry-${index}`;
        entry.dataset.index = String(index);
        entry.setAttribute('role', 'option');
        entry.setAttribute('aria-label', spoken);
        entry.setAttribute('aria-selected', String(index === selected));
        entry.append(this.#text('title', title), this.#text('detail', detail));
        return entry;
    }

    /** @param {import('../fill/destination.js').Destination} destination */
    #destination({ host, isEncrypted }) {
        return this.#translate(isEncrypted ? 'menuSendsTo' : 'menuSendsUnencrypted', [host]);
    }

    /** @param {import('./model.js').Waiting} model */
    #filling({ suggestion }) {
        return this.#translate('menuFilling', [entryOf(suggestion, this.#translate).title]);
    }

    /** @param {import('./model.js').Failed} model */
    #failure({ suggestion, kind }) {
        const name = kind === 'timedOut' ? 'menuTimedOut' : kind === 'notFound' ? 'menuNotFound' : 'menuFailed';
        return this.#translate(name, [suggestion.provider.name]);
    }

    /** @param {import('./model.js').FillWaiting} need */
    #need(need) {
        const [title, detail, command] = this.#needTexts(need);
        const note = this.#element('div', 'note');
        note.append(this.#text('title', title), this.#text('detail', detail));
        if (command) note.append(this.#text('command', command));
        return note;
    }

    /**
     * @param {import('./model.js').FillWaiting} need
     * @returns {[string, string, string?]}
     */
    #needTexts({ provider, message, command }) {
        const title = this.#translate('menuNeeded', [provider]);
        return command === '' ? [title, message] : [title, this.#translate('menuTypeThis'), command];
    }

    /** @param {string} text */
    #note(text) {
        const note = this.#element('div', 'note');
        note.append(this.#text('detail', text));
        return note;
    }

    /**
     * @param {string} className
     * @param {string} text
     */
    #text(className, text) {
        const span = this.#element('span', className);
        span.dataset.t = text;
        return span;
    }

    /**
     * @param {'div' | 'span'} name
     * @param {string} className
     */
    #element(name, className) {
        const element = createElement(this.#document, name);
        element.className = className;
        return element;
    }
}
