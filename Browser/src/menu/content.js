/**
 * The elements that show a menu model. Texts are put into attributes (`style.js` says why); what a screen reader is to
 * hear stands in names and in one live region that stays, so that its changes are noticed.
 *
 * @typedef {import('./model.js').MenuModel} MenuModel
 * @typedef {(name: string, values?: string[]) => string} Translate
 */
import { createElement } from '../detection/dom.js';
import { lifeOf, timeText } from './countdown.js';
import { entryOf, providerOf } from './model.js';

/** What hinders, and what to do about it. */
const hindranceTexts = {
    waiting: ['menuUnanswered', 'menuUnansweredAdvice'],
    notApproved: ['menuNotApproved', 'menuNotApprovedAdvice'],
    forbidden: ['menuForbidden', 'menuForbiddenAdvice'],
    rateLimited: ['menuRateLimited', 'menuRateLimitedAdvice'],
    noTexts: ['menuNoTexts', 'menuNoTextsAdvice'],
};

export class MenuContent {
    #document;
    #translate;
    #spoken;
    /** @type {{period: number, life: HTMLElement, text: HTMLElement, rest: HTMLElement}[]} what counts down */
    #lives = [];

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

    /** Whether something in it changes with the seconds. */
    get isCounting() {
        return this.#lives.length > 0;
    }

    /**
     * Shows how long the codes are good for. A screen reader hears that of an entry once, when it is selected.
     * @param {number} now in milliseconds since 1970
     */
    tick(now) {
        for (const { period, life, text, rest } of this.#lives) {
            const { seconds, share, isShort } = lifeOf(period, now);
            text.dataset.t = timeText(seconds, this.#translate('language'), 'narrow');
            rest.style.width = `${share * 100}%`;
            life.className = isShort ? 'life short' : 'life';
        }
    }

    /**
     * @param {MenuModel} model
     * @returns {HTMLElement[]} from top to bottom
     */
    partsOf(model) {
        this.#lives = [];
        this.#spoken.dataset.t = this.#spokenOf(model);
        if (model.type === 'choosing') return this.#choosing(model);
        if (model.type === 'waiting') {
            return [model.need ? this.#need(model.need) : this.#note(this.#filling(model))];
        }
        if (model.type === 'failed') return [this.#note(this.#failure(model))];
        return [this.#titledNote(this.#hindrance(model))];
    }

    /** @param {MenuModel} model */
    #spokenOf(model) {
        if (model.type === 'failed') return this.#failure(model);
        if (model.type === 'waiting') {
            return model.need ? this.#needTexts(model.need).join('. ') : this.#filling(model);
        }
        if (model.type === 'hindered') return this.#hindrance(model).join('. ');
        const selected = model.entries[model.selected];
        if (selected) return this.#selected(entryOf(selected, this.#translate));
        if (model.isOutside) return this.#translate('menuOutside');
        if (model.entries[0]?.type === 'generate') return this.#translate('menuOpenedNew');
        const accounts = model.entries.filter(({ type }) => type === 'account').length;
        return accounts > 0 ? this.#translate('menuOpened', [String(accounts)]) : this.#translate('menuOpenedWithout');
    }

    /** @param {import('./model.js').Entry} entry */
    #selected({ spoken, period }) {
        if (period === undefined) return spoken;
        const time = timeText(lifeOf(period, Date.now()).seconds, this.#translate('language'), 'long');
        return `${spoken}. ${this.#translate('menuTimeLeft', [time])}`;
    }

    /** @param {import('./model.js').Choosing} model */
    #choosing(model) {
        const parts = [this.#list(model)];
        if (model.isOutside) parts.unshift(this.#note(this.#translate('menuOutside')));
        if (model.destination) parts.unshift(this.#note(this.#destination(model.destination)));
        return parts;
    }

    /** @param {import('./model.js').Choosing} model */
    #list(model) {
        const list = this.#element('div', 'list');
        list.setAttribute('role', 'listbox');
        list.setAttribute('aria-label', this.#translate('menuLabel'));
        const entries = model.entries.map((entry, index) => this.#entry(entry, index, model.selected));
        list.append(...entries);
        if (model.more > 0) {
            const more = this.#note(this.#translate('menuMore', [String(model.more)]));
            more.setAttribute('aria-hidden', 'true'); // A list box holds options; what they leave out is in their lists.
            list.insertBefore(more, entries.find(({ className }) => className !== 'entry') ?? null);
        }
        if (model.selected >= 0) list.setAttribute('aria-activedescendant', `entry-${model.selected}`);
        return list;
    }

    /**
     * @param {import('./model.js').MenuEntry} shown
     * @param {number} index
     * @param {number} selected
     */
    #entry(shown, index, selected) {
        const { title, detail, spoken, period } = entryOf(shown, this.#translate);
        const entry = this.#element('div', shown.type === 'list' ? 'entry all' : 'entry');
        entry.id = `entry-${index}`;
        entry.dataset.index = String(index);
        entry.setAttribute('role', 'option');
        entry.setAttribute('aria-label', spoken);
        entry.setAttribute('aria-selected', String(index === selected));
        entry.append(this.#text('title', title));
        if (detail !== '') entry.append(this.#text('detail', detail));
        if (period !== undefined) this.#count(period, entry);
        return entry;
    }

    /**
     * @param {number} period
     * @param {HTMLElement} entry
     */
    #count(period, entry) {
        const [life, bar, rest] = [this.#element('span', 'life'), this.#element('span', 'bar'), this.#element('span', 'rest')];
        const text = this.#text('left', '');
        bar.append(rest);
        life.append(text, bar);
        entry.append(life);
        this.#lives.push({ period, life, text, rest });
    }

    /** @param {import('../fill/destination.js').Destination} destination */
    #destination({ host, isEncrypted }) {
        return this.#translate(isEncrypted ? 'menuSendsTo' : 'menuSendsUnencrypted', [host]);
    }

    /** @param {import('./model.js').Waiting} model */
    #filling({ entry }) {
        if (entry.type === 'list') return this.#translate('menuChoosing', [entry.provider.name]);
        if (entry.type === 'generate') return this.#translate('menuGenerating');
        if (entry.type === 'setUp') return this.#translate('menuSettingUp');
        return this.#translate('menuFilling', [entryOf(entry, this.#translate).title]);
    }

    /** @param {import('./model.js').Failed} model */
    #failure({ entry, kind, message }) {
        if (message !== '') return message;
        if (entry.type === 'generate') return this.#translate('menuNotGenerated');
        if (entry.type === 'setUp') return this.#translate('menuNotSetUp');
        const name = kind === 'timedOut' ? 'menuTimedOut' : kind === 'notFound' ? 'menuNotFound' : 'menuFailed';
        return this.#translate(name, [providerOf(entry).name]);
    }

    /**
     * @param {import('./model.js').Hindered} model
     * @returns {[string, string]} what hinders, and what to do about it
     */
    #hindrance({ kind, message }) {
        const [title, advice] = hindranceTexts[kind];
        return [this.#translate(title), message !== '' ? message : this.#translate(advice)];
    }

    /** @param {import('./model.js').FillWaiting} need */
    #need(need) {
        return this.#titledNote(this.#needTexts(need));
    }

    /** @param {[string, string, string?]} texts a command last */
    #titledNote([title, detail, command]) {
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
