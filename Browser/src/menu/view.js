/**
 * Draws a menu model under a field: a popover with a closed shadow root, which the page can neither reach nor style, in
 * the top layer, which the page's own elements do not cover. Nothing in the shadow root is ever under the pointer: Firefox
 * hands whatever is there to the page (`originalTarget`, `rangeParent` of its events), and with it all of the root. So
 * clicks are the popover's own, and which entry is meant is told by where it is.
 *
 * The menu of a field in a frame is drawn in the page of the tab all the same: what is drawn in a frame, the page around it
 * can cover, cut off and move. Says when a choice is made and whether it may count.
 *
 * @typedef {import('./model.js').MenuModel} MenuModel
 * @typedef {import('./content.js').Translate} Translate
 * @typedef {{onChoose: (index: number, event: Event) => void, onFieldGone: () => void}} ViewEvents
 */
import { drawnParent, elementAt } from '../detection/composed.js';
import { attributeOf, createElement, isMatching, ownerDocumentOf, rootElementOf } from '../detection/dom.js';
import { boxThrough, framesAround, placeOf } from '../detection/frames.js';
import { isSeenThroughFrames } from '../fill/visibility.js';
import { MenuContent } from './content.js';
import { Beat } from './countdown.js';
import {
    hasHarmlessStyle,
    isBelow,
    isPlainDocument,
    isShownByFrames,
    isStillThere,
    PaintWatch,
    Settling,
    topLayerAround,
} from './guards.js';
import { intersection, isMostlyIn, screenPartOf, viewportOf } from './share.js';
import { placeText, styleText } from './style.js';

/** The menu is never narrower, in CSS pixels. */
const leastWidth = 220;
const gap = 2;
/** How far a line scrolls, where the wheel tells lines. */
const line = 20;

export class MenuView {
    /** The popover, as the page sees it. */
    #host;
    /** What it shows. */
    #shown;
    #field;
    #frames;
    #stage;
    #document;
    #menu;
    #content;
    #settling;
    #paint;
    #fieldWatch;
    #place;
    /** @type {import('../detection/frames.js').Point | undefined} */
    #pointer;
    #anchor;
    #placed = { left: 0, top: 0 };
    #at = { left: 0, top: 0, width: 0 };
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
        this.#host.popover = 'manual';
        const root = this.#host.attachShadow({ mode: 'closed' });
        this.#place = new this.#stage.CSSStyleSheet();
        root.adoptedStyleSheets = [menuSheet(this.#stage), this.#place];
        this.#shown = createElement(this.#document, 'div');
        this.#shown.className = 'menu';
        // Also where the page takes the style sheets away.
        this.#shown.style.pointerEvents = 'none';
        // The page's own direction is not that of these texts.
        this.#shown.dir = translate('direction');
        this.#shown.append(this.#content, this.#menu.spoken);
        root.append(this.#shown);
        this.#listen(events);
        this.#anchor.append(this.#host);
        this.#host.showPopover();
        this.#paint = new PaintWatch(this.#host);
        this.#fieldWatch = new IntersectionObserver((entries) => {
            if (entries.at(-1)?.isIntersecting === false) events.onFieldGone();
        });
        this.#fieldWatch.observe(field);
    }

    /** @param {ViewEvents} events */
    #listen({ onChoose }) {
        // The field keeps the focus, and with it the person's place in the form.
        this.#host.addEventListener('mousedown', ofPerson((event) => event.preventDefault()));
        this.#host.addEventListener('click', ofPerson((event) => {
            const index = this.#indexAt({ left: event.clientX, top: event.clientY });
            if (index !== undefined) onChoose(index, event);
        }));
        this.#host.addEventListener('mousemove', ofPerson((event) => {
            this.#pointer = { left: event.clientX, top: event.clientY };
            this.#hover();
        }));
        this.#host.addEventListener('mouseleave', ofPerson(() => {
            this.#pointer = undefined;
            this.#hover();
        }));
        this.#host.addEventListener('wheel', ofPerson((event) => {
            const { deltaY, deltaMode } = /** @type {WheelEvent} */ (event);
            this.#shown.scrollTop += deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * line;
            event.preventDefault();
            this.#hover();
        }), { passive: false });
    }

    /** Marks the entry under the pointer. */
    #hover() {
        const index = this.#pointer && this.#indexAt(this.#pointer);
        for (const entry of this.#entries()) entry.toggleAttribute('data-hovered', indexOf(entry) === index);
    }

    /** @returns {HTMLElement[]} */
    #entries() {
        return [...this.#content.querySelectorAll('[data-index]')].map((entry) => /** @type {HTMLElement} */ (entry));
    }

    /**
     * @param {import('../detection/frames.js').Point} point
     * @returns {number | undefined} which entry is shown there
     */
    #indexAt(point) {
        const menu = this.#shown.getBoundingClientRect();
        const entry = this.#entries().find((each) => isIn(point, intersection(each.getBoundingClientRect(), menu)));
        return entry && indexOf(entry);
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
        this.#hover();
    }

    /** Puts the menu at its field again; where that moved it, the person gets time to see so. */
    place() {
        const field = this.#fieldBox();
        const { clientWidth } = rootElementOf(this.#document);
        const width = Math.min(Math.max(field.right - field.left, leastWidth), clientWidth);
        const left = Math.max(0, Math.min(field.left, clientWidth - width));
        this.#put({ left, top: 0, width });
        const height = this.#shown.getBoundingClientRect().height;
        const below = field.bottom + gap;
        const fitsBelow = below + height <= this.#stage.innerHeight || field.top < height;
        const top = fitsBelow ? below : field.top - gap - height;
        this.#put({ left, top, width });
        this.#settle();
        this.#placed = { left: field.left, top: field.top };
    }

    /** @param {{left: number, top: number, width: number}} place */
    #put(place) {
        this.#at = place;
        this.#place.replaceSync(placeText(place));
    }

    /** Where the field is in the page that the menu is in. */
    #fieldBox() {
        const places = this.#frames.map(({ frame }) => placeOf(frame));
        return boxThrough(this.#field.getBoundingClientRect(), places);
    }

    /** Its window may have been moved under the pointer, too; nobody is told of that. */
    #settle() {
        const { left, top } = this.#shown.getBoundingClientRect();
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
            this.#isUppermost() &&
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
            isMatching(this.#host, ':popover-open') &&
            hasHarmlessStyle(this.#shown) &&
            hasHarmlessStyle(this.#host) &&
            isStillThere(this.#fieldBox(), this.#shown.getBoundingClientRect(), this.#placed) &&
            isPlainDocument(this.#field.ownerDocument, this.#host, this.#field, care) &&
            isShownByFrames(this.#frames, this.#host, care) &&
            isSeenThroughFrames(this.#field, this.#host)
        );
    }

    /** Whether nothing that the field stands in has come above the menu; looked at without anybody seeing it. */
    #isUppermost() {
        const { left, top, width } = this.#at;
        /** @param {import('../detection/frames.js').Point} point */
        const cover = (point) => this.#put({ left: point.left - 2, top: point.top - 2, width });
        try {
            return topLayerAround(this.#frames.at(-1)?.frame ?? this.#field).every((around) => {
                const boxes = [this.#fieldBox(), around.getBoundingClientRect()];
                return isBelow(around, boxes.flatMap(pointsIn), this.#host, cover);
            });
        } finally {
            this.#put({ left, top, width });
        }
    }

    /** @param {number} index */
    #isEntrySeen(index) {
        const entry = this.#content.querySelector(`[data-index="${index}"]`);
        if (!entry) return false;
        const box = entry.getBoundingClientRect();
        const visible = [this.#shown.getBoundingClientRect(), viewportOf(this.#stage), screenPartOf(this.#stage)];
        if (!isMostlyIn(box, visible)) return false;
        return pointsIn(visible.reduce(intersection, box)).every((point) => elementAt(this.#document, point) === this.#host);
    }

    close() {
        this.#paint.stop();
        this.#beat.run(false);
        this.#fieldWatch.disconnect();
        this.#shown.replaceChildren();
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
 * @param {(event: MouseEvent) => void} body
 * @returns {(event: Event) => void} what a script does counts nothing
 */
function ofPerson(body) {
    return (event) => {
        if (event.isTrusted) body(/** @type {MouseEvent} */ (event));
    };
}

/** @param {Element} entry */
function indexOf(entry) {
    return Number(attributeOf(entry, 'data-index'));
}

/**
 * @param {import('../detection/frames.js').Point} point
 * @param {import('../detection/frames.js').Box} box
 */
function isIn({ left, top }, box) {
    return left >= box.left && left < box.right && top >= box.top && top < box.bottom;
}
