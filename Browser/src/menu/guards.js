/**
 * Whether what the person chooses from is what the person sees. A page cannot reach into the menu, but it can paint
 * over it, make it transparent or move things under the pointer; so every choice is checked at its moment.
 *
 * @typedef {'quick' | 'thorough'} Care `thorough` looks into every shadow root, which takes long on a large page: for
 *     the moment of the choice
 */
import { drawnParent, elementAt, shadowRootsIn } from '../detection/composed.js';
import { allIn, isMatching, ownerDocumentOf, rootElementOf } from '../detection/dom.js';

/** How long the menu must have stood where it stands before a choice counts, in milliseconds. */
const settlingTime = 500;

/** How far the field may have moved from where the menu was put, or the menu while it settles, in CSS pixels. */
const drift = 4;

/**
 * The properties that hide, move or blend what an element shows, with the values that do nothing.
 * @type {[string, string[]][]}
 */
const harmless = [
    ['opacity', ['1']],
    ['filter', ['none']],
    ['transform', ['none']],
    ['rotate', ['none']],
    ['scale', ['none']],
    ['translate', ['none']],
    ['clip', ['auto']],
    ['clip-path', ['none']],
    ['mask-image', ['none']],
    ['mix-blend-mode', ['normal']],
    ['zoom', ['1']],
    ['perspective', ['none']],
    ['visibility', ['visible']],
    ['content-visibility', ['visible']],
    ['display', []],
];

/**
 * @param {Element} element
 * @returns {boolean} whether its style leaves what it shows as it is; `display` is only asked not to be `none`
 */
export function hasHarmlessStyle(element) {
    const style = getComputedStyle(element);
    return harmless.every(([property, values]) => {
        const value = style.getPropertyValue(property);
        if (property === 'display') return value !== 'none';
        return value === '' || values.includes(value);
    });
}

/** What is drawn above the page. */
const topLayer = ':popover-open, :modal, :fullscreen';

/**
 * @param {Document} document
 * @param {Element} popover
 * @param {Element} field elements around it may be in the top layer too: a form in a dialog
 * @param {Care} care
 * @returns {boolean} whether anything else is drawn above the page
 */
function hasTopLayerRival(document, popover, field, care) {
    const around = new Set(drawnAncestors(field));
    const roots = care === 'thorough' ? [document, ...shadowRootsIn(document)] : [document];
    return roots.some((root) =>
        allIn(root, topLayer).some((above) => above !== popover && !around.has(above)),
    );
}

/**
 * @param {Element} element
 * @returns {Element[]} the element and all that it stands in, through shadow roots
 */
function drawnAncestors(element) {
    const ancestors = [];
    for (let at = /** @type {Element | null} */ (element); at; at = drawnParent(at)) ancestors.push(at);
    return ancestors;
}

/**
 * @param {Element} field or the frame that it stands in
 * @returns {Element[]} what of the top layer it stands in, innermost first
 */
export function topLayerAround(field) {
    return drawnAncestors(field).filter((each) => isMatching(each, topLayer));
}

/**
 * Which of two is uppermost in the top layer, no browser tells, and a page can keep its events from us; but where the
 * menu covers something that can be hit, it is seen.
 * @param {Element} around that the field stands in
 * @param {import('../detection/frames.js').Point[]} points where it may be hit
 * @param {Element} popover
 * @param {(point: import('../detection/frames.js').Point) => void} cover puts the menu there
 */
export function isBelow(around, points, popover, cover) {
    const document = ownerDocumentOf(popover);
    const point = points.find((each) => {
        const hit = elementAt(document, each, popover);
        return hit && topLayerAround(hit)[0] === around;
    });
    if (!point) return false;
    cover(point);
    return elementAt(document, point) === popover;
}

/**
 * Pictures stand in the place of what is in a transition, and the page styles them. Each element can have a transition of
 * its own (Chromium 147), the menu's among them.
 * @param {Element[]} elements
 */
function areInViewTransition(elements) {
    try {
        return elements.some((each) => isMatching(each, ':active-view-transition'));
    } catch {
        return false; // A browser without view transitions does not know the selector.
    }
}

/**
 * @param {import('../detection/frames.js').Surrounding[]} frames
 * @param {Element} popover the menu, in the outermost page
 * @param {Care} care
 * @returns {boolean} whether each page around a frame shows it as it is
 */
export function isShownByFrames(frames, popover, care) {
    return frames.every(
        ({ frame }) =>
            drawnAncestors(frame).every(hasHarmlessStyle) &&
            isPlainDocument(ownerDocumentOf(frame), popover, frame, care),
    );
}

/**
 * @param {Document} document
 * @param {Element} popover
 * @param {Element} field or the frame that it stands in
 * @param {Care} care
 */
export function isPlainDocument(document, popover, field, care) {
    const elements = [rootElementOf(document), ...drawnAncestors(popover), ...drawnAncestors(field)];
    const isStill = hasHarmlessStyle(rootElementOf(document)) && !areInViewTransition(elements);
    return isStill && !hasTopLayerRival(document, popover, field, care);
}

/**
 * @param {import('../detection/frames.js').Box} field
 * @param {import('../detection/frames.js').Box} menu
 * @param {{left: number, top: number}} placed where the field was when the menu was put at it
 */
export function isStillThere(field, menu, placed) {
    const touches = menu.top <= field.bottom + 2 * drift && menu.bottom >= field.top - 2 * drift;
    return isNear(field, placed) && touches && menu.left < field.right && menu.right > field.left;
}

/**
 * @param {{left: number, top: number}} one
 * @param {{left: number, top: number}} other
 */
function isNear(one, other) {
    return Math.max(Math.abs(one.left - other.left), Math.abs(one.top - other.top)) <= drift;
}

/** Whether the menu has stood in its place long enough; many small steps away from there count like a large one. */
export class Settling {
    #now;
    #from = 0;
    /** @type {{left: number, top: number} | undefined} */
    #at;

    /** @param {() => number} now a monotonic clock, in milliseconds */
    constructor(now) {
        this.#now = now;
    }

    get isOver() {
        return this.#at !== undefined && this.#now() - this.#from >= settlingTime;
    }

    /** Something else stands there now: the time begins anew where the menu is put next. */
    restart() {
        this.#at = undefined;
    }

    /** @param {{left: number, top: number}} menu where it has been put */
    put({ left, top }) {
        if (this.#at && isNear({ left, top }, this.#at)) return;
        this.#at = { left, top };
        this.#from = this.#now();
    }
}

/** Whether the menu is painted and nothing over it, as the browser sees it: IntersectionObserver v2, Chromium only. */
export class PaintWatch {
    /** @type {boolean | undefined} */
    #visible;
    #observer;

    /** @param {Element} element */
    constructor(element) {
        this.#observer = new IntersectionObserver((entries) => this.#note(entries), {
            threshold: [0, 0.9, 1],
            trackVisibility: true,
            delay: 100,
        });
        this.#observer.observe(element);
    }

    /** What has been measured up to now; `true` where the browser does not tell. */
    get isVisible() {
        this.#note(this.#observer.takeRecords());
        return this.#visible ?? !('isVisible' in IntersectionObserverEntry.prototype);
    }

    stop() {
        this.#observer.disconnect();
    }

    /** @param {IntersectionObserverEntry[]} entries */
    #note(entries) {
        const last = entries.at(-1);
        if (last?.isVisible !== undefined) this.#visible = last.isVisible;
    }
}
