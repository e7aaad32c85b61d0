/**
 * Draws a menu model under a field: a popover inside a closed shadow root, which the page can neither reach nor style,
 * in the top layer, which the page's own elements do not cover. Says when a choice is made and whether it may count.
 *
 * @typedef {import('./model.js').MenuModel} MenuModel
 * @typedef {(name: string, values?: string[]) => string} Translate
 * @typedef {{onChoose: (index: number, event: Event) => void, onFieldGone: () => void}} ViewEvents
 */
import { drawnParent } from '../detection/composed.js';
import { createElement, isMatching, rootElementOf } from '../detection/dom.js';
import {
    hasHarmlessStyle,
    isPlainDocument,
    isShownByParents,
    isStillThere,
    PaintWatch,
    settlingTime,
} from './guards.js';
import { entryOf } from './model.js';
import { styleText } from './style.js';

/** The menu is never narrower, in CSS pixels. */
const leastWidth = 220;
const gap = 2;

export class MenuView {
    #host;
    #popover;
    #field;
    #document;
    #translate;
    #now;
    #paint;
    #fieldWatch;
    #anchor;
    #placed = { left: 0, top: 0 };
    #settledFrom = 0;

    /**
     * @param {HTMLInputElement} field
     * @param {Translate} translate
     * @param {() => number} now a monotonic clock, in milliseconds
     * @param {ViewEvents} events
     */
    constructor(field, translate, now, events) {
        this.#field = field;
        this.#document = field.ownerDocument;
        this.#translate = translate;
        this.#now = now;
        this.#anchor = anchorOf(field);
        this.#host = createElement(this.#document, 'div');
        const root = this.#host.attachShadow({ mode: 'closed' });
        root.adoptedStyleSheets = [menuSheet()];
        this.#popover = createElement(this.#document, 'div');
        this.#popover.className = 'menu';
        this.#popover.popover = 'manual';
        root.append(this.#popover);
        // The field keeps the focus, and with it the person's place in the form.
        this.#popover.addEventListener('mousedown', (event) => event.preventDefault());
        this.#popover.addEventListener('click', (event) => {
            const index = indexOf(event.target);
            if (index !== undefined) events.onChoose(index, event);
        });
        this.#anchor.append(this.#host);
        this.#popover.showPopover();
        this.#paint = new PaintWatch(this.#popover);
        this.#fieldWatch = new IntersectionObserver((entries) => {
            if (entries.at(-1)?.isIntersecting === false) events.onFieldGone();
        });
        this.#fieldWatch.observe(field);
    }

    /** The element that the page sees; what is in it, it does not. */
    get host() {
        return this.#host;
    }

    /** @param {MenuModel} model */
    show(model) {
        const content = model.type === 'choosing' ? this.#choices(model) : this.#waiting(model);
        this.#popover.replaceChildren(...content);
        this.place();
    }

    /** Puts the menu at its field again; where that moved it, the person gets time to see so. */
    place() {
        const field = this.#field.getBoundingClientRect();
        const { clientWidth } = rootElementOf(this.#document);
        const width = Math.min(Math.max(field.width, leastWidth), clientWidth);
        const style = this.#popover.style;
        style.width = `${width}px`;
        style.left = `${Math.max(0, Math.min(field.left, clientWidth - width))}px`;
        const height = this.#popover.getBoundingClientRect().height;
        const below = field.bottom + gap;
        const fitsBelow = below + height <= window.innerHeight || field.top < height;
        style.top = `${fitsBelow ? below : field.top - gap - height}px`;
        if (this.#settledFrom === 0 || !isStillThere(field, this.#popover.getBoundingClientRect(), this.#placed)) {
            this.#settledFrom = this.#now();
        }
        this.#placed = { left: field.left, top: field.top };
    }

    /**
     * The guards of the moment of a choice.
     * @param {Event} event
     */
    mayChoose(event) {
        return (
            event.isTrusted &&
            this.#now() - this.#settledFrom >= settlingTime &&
            this.isPlain() &&
            this.#paint.isVisible
        );
    }

    /** Whether the menu stands where it was put, open, with nothing over it. */
    isPlain() {
        return (
            this.#host.parentNode === this.#anchor &&
            this.#popover.matches(':popover-open') &&
            hasHarmlessStyle(this.#popover) &&
            hasHarmlessStyle(this.#host) &&
            isStillThere(this.#field.getBoundingClientRect(), this.#popover.getBoundingClientRect(), this.#placed) &&
            isPlainDocument(this.#document, this.#popover, this.#field) &&
            isShownByParents(window)
        );
    }

    close() {
        this.#paint.stop();
        this.#fieldWatch.disconnect();
        this.#popover.replaceChildren();
        this.#host.remove();
    }

    /** @param {import('./model.js').Choosing} model */
    #choices(model) {
        const list = this.#element('div', 'list');
        list.role = 'listbox';
        list.ariaLabel = this.#translate('menuLabel');
        list.append(
            ...model.suggestions.map((suggestion, index) => {
                const { title, detail, spoken } = entryOf(suggestion, this.#translate);
                const entry = this.#element('div', 'entry');
                entry.id = `entry-${index}`;
                entry.role = 'option';
                entry.ariaLabel = spoken;
                entry.ariaSelected = String(index === model.selected);
                entry.dataset.index = String(index);
                entry.append(this.#text('title', title), this.#text('detail', detail));
                return entry;
            }),
        );
        if (model.selected >= 0) list.setAttribute('aria-activedescendant', `entry-${model.selected}`);
        list.children[model.selected]?.scrollIntoView({ block: 'nearest' });
        const parts = [list, this.#announcement(model)];
        if (model.more > 0) parts.push(this.#note('menuMore', [String(model.more)]));
        if (model.destination) {
            const { host, isEncrypted } = model.destination;
            parts.unshift(this.#note(isEncrypted ? 'menuSendsTo' : 'menuSendsUnencrypted', [host]));
        }
        return parts;
    }

    /** @param {import('./model.js').Waiting} model */
    #waiting({ suggestion, need }) {
        const note = this.#element('div', 'note');
        note.role = 'status';
        const { title } = entryOf(suggestion, this.#translate);
        if (!need) return [this.#note('menuFilling', [title])];
        note.append(this.#text('title', this.#translate('menuNeeded', [need.provider])));
        if (need.command === '') note.append(this.#text('detail', need.message));
        else note.append(this.#text('detail', this.#translate('menuTypeThis')), this.#text('command', need.command));
        return [note];
    }

    /**
     * The field keeps the focus, and no attribute of the page's field can point into this tree; a live region tells
     * a screen reader what is there and what is selected.
     * @param {import('./model.js').Choosing} model
     */
    #announcement(model) {
        const spoken = this.#element('div', 'spoken');
        spoken.role = 'status';
        spoken.ariaLive = 'polite';
        const selected = model.suggestions[model.selected];
        const text = selected
            ? entryOf(selected, this.#translate).spoken
            : this.#translate('menuOpened', [String(model.suggestions.length)]);
        spoken.append(this.#text('title', text));
        return spoken;
    }

    /**
     * @param {string} name
     * @param {string[]} values
     */
    #note(name, values) {
        const note = this.#element('div', 'note');
        note.append(this.#text('detail', this.#translate(name, values)));
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
     * @returns {HTMLElement & {role: string}}
     */
    #element(name, className) {
        const element = /** @type {HTMLElement & {role: string}} */ (createElement(this.#document, name));
        element.className = className;
        return element;
    }
}

/**
 * What is outside a modal dialog is inert, so the menu of a field in one stands in it too.
 * @param {HTMLInputElement} field
 * @returns {Element}
 */
function anchorOf(field) {
    for (let at = drawnParent(field); at; at = drawnParent(at)) {
        if (isMatching(at, ':modal')) return at;
    }
    return rootElementOf(field.ownerDocument);
}

function menuSheet() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styleText);
    return sheet;
}

/**
 * @param {EventTarget | null} target
 * @returns {number | undefined}
 */
function indexOf(target) {
    const entry = target instanceof Element ? target.closest('.entry') : null;
    const index = entry instanceof HTMLElement ? Number(entry.dataset.index) : NaN;
    return Number.isInteger(index) ? index : undefined;
}
