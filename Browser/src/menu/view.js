/**
 * Draws a menu model under a field: a popover inside a closed shadow root, which the page can neither reach nor style,
 * in the top layer, which the page's own elements do not cover. The menu of a field in a frame is drawn in the page of
 * the tab all the same: what is drawn in a frame, the page around it can cover, cut off and move. Says when a choice is
 * made and whether it may count.
 *
 * @typedef {import('./model.js').MenuModel} MenuModel
 * @typedef {import('./content.js').Translate} Translate
 * @typedef {{onChoose: (index: number, event: Event) => void, onFieldGone: () => void}} ViewEvents
 */
import { drawnParent, elementAt } from '../detection/composed.js';
import { attributeOf, createElement, isElement, isMatching, ownerDocumentOf, rootElementOf } from '../detection/dom.js';
import { boxThrough, framesAround, placeOf } from '../detection/frames.js';
import { isSeenThroughFrames } from '../fill/visibility.js';
import { MenuContent } from './content.js';
import { Beat } from './countdown.js';
import {
    hasHarmlessStyle,
    isPlainDocument,
    isShownByFrames,
    isStillThere,
    PaintWatch,
    Settling,
} from './guards.js';
import { intersection, isMostlyIn, screenPartOf, viewportOf } from './share.js';
import { styleText } from './style.js';

/** The menu is never narrower, in CSS pixels. */
const leastWidth = 220;
const gap = 2;

export class MenuView {
    #host;
    #popover;
    #field;
    #frames;
    #stage;
    #document;
    #menu;
    #content;
    #settling;
    #paint;
    #fieldWatch;
    #anchor;
    #placed = { left: 0, top: 0 };
    #hasChoices = false;
    #beat = new Beat((now) => this.#menu.tick(now));

    /**
     * @param {HTMLElement} field
     * @param {Translate} translate
     * @param {() => number} now a monotonic clock, in milliseconds
     * @param {ViewEvents} events
     */
    constructor(field, translate, now, events) {
        this.#field = field;
        this.#frames = framesAround(window) ?? [];
        const outermost = this.#frames.at(-1);
        this.#stage = outermost?.view ?? window;
        this.#document = this.#stage.document;
        this.#menu = new MenuContent(this.#document, translate);
        this.#content = createElement(this.#document, 'div');
        this.#settling = new Settling(now);
        this.#anchor = anchorOf(outermost?.frame ?? field);
        this.#host = createElement(this.#document, 'div');
        const root = this.#host.attachShadow({ mode: 'closed' });
        root.adoptedStyleSheets = [menuSheet(this.#stage)];
        this.#popover = createElement(this.#document, 'div');
        this.#popover.className = 'menu';
        this.#popover.popover = 'manual';
        // The page's own direction is not that of these texts.
        this.#popover.dir = translate('direction');
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
        this.#menu.tick(Date.now());
        this.#beat.run(this.#menu.isCounting);
        this.#content.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
        this.place();
    }

    /** Puts the menu at its field again; where that moved it, the person gets time to see so. */
    place() {
        const field = this.#fieldBox();
        const { clientWidth } = rootElementOf(this.#document);
        const width = Math.min(Math.max(field.right - field.left, leastWidth), clientWidth);
        const style = this.#popover.style;
        style.width = `${width}px`;
        style.left = `${Math.max(0, Math.min(field.left, clientWidth - width))}px`;
        const height = this.#popover.getBoundingClientRect().height;
        const below = field.bottom + gap;
        const fitsBelow = below + height <= this.#stage.innerHeight || field.top < height;
        style.top = `${fitsBelow ? below : field.top - gap - height}px`;
        this.#settle();
        this.#placed = { left: field.left, top: field.top };
    }

    /** Where the field is in the page that the menu is in. */
    #fieldBox() {
        const places = this.#frames.map(({ frame }) => placeOf(frame));
        return boxThrough(this.#field.getBoundingClientRect(), places);
    }

    /** Its window may have been moved under the pointer, too; nobody is told of that. */
    #settle() {
        const { left, top } = this.#popover.getBoundingClientRect();
        this.#settling.put({ left: left + this.#stage.screenX, top: top + this.#stage.screenY });
    }

    /**
     * The guards of the moment of a choice that fills.
     * @param {number} index
     * @param {Event} event
     */
    mayChoose(index, event) {
        return (
            this.mayAskOutside(event) &&
            this.isFit(index, 'thorough') &&
            this.#paint.isVisible
        );
    }

    /**
     * The guards of a choice that only opens a window of the system's.
     * @param {Event} event
     */
    mayAskOutside(event) {
        this.#settle();
        return event.isTrusted && this.#settling.isOver;
    }

    /**
     * Whether the entry can be chosen from where the menu stands.
     * @param {number} index
     * @param {import('./guards.js').Care} care
     */
    isFit(index, care) {
        return this.isPlain(care) && this.#isEntrySeen(index);
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
            isStillThere(this.#fieldBox(), this.#popover.getBoundingClientRect(), this.#placed) &&
            isPlainDocument(this.#field.ownerDocument, this.#popover, this.#field, care) &&
            isShownByFrames(this.#frames, this.#popover, care) &&
            isSeenThroughFrames(this.#field, this.#host)
        );
    }

    /** @param {number} index */
    #isEntrySeen(index) {
        const entry = this.#content.querySelector(`[data-index="${index}"]`);
        if (!entry) return false;
        const box = entry.getBoundingClientRect();
        const visible = [this.#popover.getBoundingClientRect(), viewportOf(this.#stage), screenPartOf(this.#stage)];
        if (!isMostlyIn(box, visible)) return false;
        return pointsIn(visible.reduce(intersection, box)).every((point) => {
            const hit = elementAt(this.#document, point);
            return hit !== undefined && this.#popover.contains(hit);
        });
    }

    close() {
        this.#paint.stop();
        this.#beat.run(false);
        this.#fieldWatch.disconnect();
        this.#popover.replaceChildren();
        this.#host.remove();
    }
}

/**
 * What is outside a modal dialog is inert, so the menu of a field in one stands in it too.
 * @param {Element} field or the frame that it stands in
 * @returns {Element}
 */
function anchorOf(field) {
    for (let at = drawnParent(field); at; at = drawnParent(at)) {
        if (isMatching(at, ':modal')) return at;
    }
    return rootElementOf(ownerDocumentOf(field));
}

/**
 * @param {import('../detection/frames.js').Box} box
 * @returns {import('../detection/frames.js').Point[]} spread over all of it
 */
function pointsIn({ left, top, right, bottom }) {
    return [0.1, 0.5, 0.9].flatMap((down) =>
        [0.02, 0.25, 0.5, 0.75, 0.98].map((across) => ({
            left: left + (right - left) * across,
            top: top + (bottom - top) * down,
        })),
    );
}

/** @param {typeof globalThis} stage a page adopts only sheets that were made in it */
function menuSheet(stage) {
    const sheet = new stage.CSSStyleSheet();
    sheet.replaceSync(styleText);
    return sheet;
}

/**
 * @param {EventTarget | null} target
 * @returns {number | undefined}
 */
function indexOf(target) {
    const node = /** @type {Node | null} */ (target);
    const entry = isElement(node) ? node.closest('.entry') : null;
    const index = entry ? Number(attributeOf(entry, 'data-index') || NaN) : NaN;
    return Number.isInteger(index) ? index : undefined;
}
