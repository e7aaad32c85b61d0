/**
 * Draws a menu model under a field: a popover inside a closed shadow root, which the page can neither reach nor style,
 * in the top layer, which the page's own elements do not cover. Says when a choice is made and whether it may count.
 *
 * @typedef {import('./model.js').MenuModel} MenuModel
 * @typedef {import('./content.js').Translate} Translate
 * @typedef {{onChoose: (index: number, event: Event) => void, onFieldGone: () => void}} ViewEvents
 */
import { drawnParent } from '../detection/composed.js';
import { createElement, isMatching, rootElementOf } from '../detection/dom.js';
import { MenuContent } from './content.js';
import {
    hasHarmlessStyle,
    isPlainDocument,
    isShownByParents,
    isStillThere,
    PaintWatch,
    Settling,
} from './guards.js';
import { styleText } from './style.js';

/** The menu is never narrower, in CSS pixels. */
const leastWidth = 220;
const gap = 2;

export class MenuView {
    #host;
    #popover;
    #field;
    #document;
    #menu;
    #content;
    #settling;
    #paint;
    #fieldWatch;
    #anchor;
    #placed = { left: 0, top: 0 };
    #hasChoices = false;

    /**
     * @param {HTMLInputElement} field
     * @param {Translate} translate
     * @param {() => number} now a monotonic clock, in milliseconds
     * @param {ViewEvents} events
     */
    constructor(field, translate, now, events) {
        this.#field = field;
        this.#document = field.ownerDocument;
        this.#menu = new MenuContent(this.#document, translate);
        this.#content = createElement(this.#document, 'div');
        this.#settling = new Settling(now);
        this.#anchor = anchorOf(field);
        this.#host = createElement(this.#document, 'div');
        const root = this.#host.attachShadow({ mode: 'closed' });
        root.adoptedStyleSheets = [menuSheet()];
        this.#popover = createElement(this.#document, 'div');
        this.#popover.className = 'menu';
        this.#popover.popover = 'manual';
        this.#popover.append(this.#content, this.#menu.spoken);
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
        // What came in the place of a note, under the pointer, is to be seen before it can be chosen.
        if (model.type === 'choosing' && !this.#hasChoices) this.#settling.restart();
        this.#hasChoices = model.type === 'choosing';
        this.#content.replaceChildren(...this.#menu.partsOf(model));
        this.#content.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
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
        this.#settling.put(this.#popover.getBoundingClientRect());
        this.#placed = { left: field.left, top: field.top };
    }

    /**
     * The guards of the moment of a choice.
     * @param {Event} event
     */
    mayChoose(event) {
        return (
            event.isTrusted &&
            this.#settling.isOver &&
            this.isPlain('thorough') &&
            this.#paint.isVisible
        );
    }

    /**
     * Whether the menu stands where it was put, open, with nothing over it.
     * @param {import('./guards.js').Care} care
     */
    isPlain(care) {
        return (
            this.#host.parentNode === this.#anchor &&
            this.#popover.matches(':popover-open') &&
            hasHarmlessStyle(this.#popover) &&
            hasHarmlessStyle(this.#host) &&
            isStillThere(this.#field.getBoundingClientRect(), this.#popover.getBoundingClientRect(), this.#placed) &&
            isPlainDocument(this.#document, this.#popover, this.#field, care) &&
            isShownByParents(window, care)
        );
    }

    close() {
        this.#paint.stop();
        this.#fieldWatch.disconnect();
        this.#popover.replaceChildren();
        this.#host.remove();
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
