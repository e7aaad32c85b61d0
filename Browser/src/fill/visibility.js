/**
 * Whether a person can see a field, right now. A stored value goes into no other: hidden, transparent, tiny, covered
 * and off-screen fields are traps, or belong to something that the person does not look at.
 */
import { drawnParent, shadowRootOf } from '../detection/composed.js';
import { elementsAt } from '../detection/dom.js';

/** Smaller boxes in CSS pixels are no field that a person types into. */
const leastWidth = 20;
const leastHeight = 8;
/** Less than this is not seen; fields of forms that fade in are above it when a person can choose. */
const leastOpacity = 0.3;

/**
 * @param {HTMLInputElement} field
 * @param {Element} [menu] what hangs over the form because the person is choosing
 */
export function isSeen(field, menu) {
    if (!field.isConnected || !isDrawn(field)) return false;
    const box = field.getBoundingClientRect();
    if (box.width < leastWidth || box.height < leastHeight) return false;
    return isHit(field, box, menu);
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
 * @param {HTMLInputElement} field
 * @param {DOMRect} box
 * @param {Element} [menu]
 */
function isHit(field, box, menu) {
    const y = box.top + box.height / 2;
    return [0.5, 0.3, 0.7, 0.1, 0.9].some((part) => {
        const hit = elementAt(field.ownerDocument, box.left + box.width * part, y, menu);
        return hit === field || (hit !== undefined && isLabelOf(hit, field));
    });
}

/**
 * @param {Document} document
 * @param {number} x
 * @param {number} y
 * @param {Element} [menu]
 * @returns {Element | undefined} through all shadow roots
 */
function elementAt(document, x, y, menu) {
    /** @type {Element | undefined} */
    let hit;
    for (
        let root = /** @type {Document | ShadowRoot | null} */ (document);
        root;
        root = hit ? shadowRootOf(hit) : null
    ) {
        const inner = elementsAt(root, x, y).find((element) => element !== menu);
        if (!inner || inner === hit) break;
        hit = inner;
    }
    return hit;
}

/**
 * @param {Element} hit
 * @param {HTMLInputElement} field
 */
function isLabelOf(hit, field) {
    return [...(field.labels ?? [])].some((label) => label.contains(hit));
}
