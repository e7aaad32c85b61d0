/**
 * Whether a person can see a field, right now. A stored value goes into no other: hidden, transparent, tiny, covered
 * and off-screen fields are traps, or belong to something that the person does not look at.
 */
import { drawnParent, elementAt } from '../detection/composed.js';
import { ownerDocumentOf } from '../detection/dom.js';
import { framesAround, movedOut, placeOf } from '../detection/frames.js';

/** Smaller boxes in CSS pixels are no field that a person types into. */
const leastWidth = 20;
const leastHeight = 8;
/** Less than this is not seen; fields of forms that fade in are above it when a person can choose. */
const leastOpacity = 0.3;

/**
 * @param {HTMLElement} field
 * @param {Element} [menu] what hangs over the form because the person is choosing
 */
export function isSeen(field, menu) {
    return seenPoints(field, menu).some((point) => isThroughFrames(point, menu));
}

/**
 * Whether a person can see a field as far as its own frame goes: what stands around a frame of another origin cannot be
 * looked at.
 * @param {HTMLInputElement} field
 */
export function isSeenHere(field) {
    return seenPoints(field).length > 0;
}

/**
 * @param {HTMLElement} field
 * @param {Element} [menu]
 * @returns {import('../detection/frames.js').Point[]} where its own frame shows it
 */
function seenPoints(field, menu) {
    if (!field.isConnected || !isDrawn(field)) return [];
    const box = field.getBoundingClientRect();
    if (box.width < leastWidth || box.height < leastHeight) return [];
    return pointsOn(box).filter((point) => isHit(field, point, menu));
}

/**
 * @param {Element} element
 * @param {Element} [menu]
 * @returns {boolean} whether the pages around this frame show it there
 */
export function isSeenThroughFrames(element, menu) {
    return pointsOn(element.getBoundingClientRect()).some((point) => isThroughFrames(point, menu));
}

/**
 * Whether each page around this frame draws the frame, and has it uppermost, at a point of it.
 * @param {import('../detection/frames.js').Point} point
 * @param {Element} [menu]
 */
function isThroughFrames(point, menu) {
    const frames = framesAround(window);
    let at = point;
    return (
        frames !== undefined &&
        frames.every(({ frame }) => {
            at = movedOut(at, placeOf(frame));
            return isDrawn(frame) && elementAt(ownerDocumentOf(frame), at, menu) === frame;
        })
    );
}

/**
 * @param {Element} element
 * @returns {boolean} whether its style, and that of everything around it, lets it be seen
 */
export function isDrawn(element) {
    const options = { visibilityProperty: true, checkVisibilityCSS: true, contentVisibilityAuto: true };
    if (!element.checkVisibility(options)) return false;
    let opacity = 1;
    for (let at = /** @type {Element | null} */ (element); at; at = drawnParent(at)) {
        const style = getComputedStyle(at);
        opacity *= Number(style.opacity) * filterOpacity(style.filter);
        if (opacity < leastOpacity) return false;
    }
    return true;
}

/**
 * @param {string} filter
 * @returns {number} what `opacity()` in a filter leaves
 */
function filterOpacity(filter) {
    const found = /opacity\(([\d.]+)(%?)\)/.exec(filter ?? '');
    return found ? Number(found[1]) / (found[2] ? 100 : 1) : 1;
}

/**
 * The points are spread over the middle line: a button may stand in a field, and a label may float over its start.
 * @param {DOMRect} box
 * @returns {import('../detection/frames.js').Point[]}
 */
function pointsOn({ left, top, width, height }) {
    return [0.5, 0.3, 0.7, 0.1, 0.9].map((part) => ({ left: left + width * part, top: top + height / 2 }));
}

/**
 * @param {HTMLElement} field
 * @param {import('../detection/frames.js').Point} point
 * @param {Element} [menu]
 */
function isHit(field, point, menu) {
    const hit = elementAt(field.ownerDocument, point, menu);
    // What is edited in place has elements in it.
    return hit !== undefined && (Node.prototype.contains.call(field, hit) || isLabelOf(hit, field));
}

/**
 * @param {Element} hit
 * @param {HTMLElement} field
 */
function isLabelOf(hit, field) {
    const { labels } = /** @type {HTMLInputElement} */ (field);
    return [...(labels ?? [])].some((label) => label.contains(hit));
}
