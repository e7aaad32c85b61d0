/**
 * Whether a person can see a field, right now. A stored value goes into no other: hidden, transparent, tiny, covered and
 * off-screen fields are traps, or belong to something that the person does not look at.
 */
import { composedParent, shadowRootOf } from '../detection/composed.js';

/** Smaller boxes in CSS pixels are no field that a person types into. */
const leastWidth = 20;
const leastHeight = 8;
/** Less than this is not seen; fields of forms that fade in are above it when a person can choose. */
const leastOpacity = 0.3;

/** @param {HTMLInputElement} field */
export function isSeen(field) {
    if (!field.isConnected || !isDrawn(field)) return false;
    const box = field.getBoundingClientRect();
    if (box.width < leastWidth || box.height < leastHeight) return false;
    return isHit(field, box);
}

/** @param {HTMLInputElement} field */
function isDrawn(field) {
    const options = { visibilityProperty: true, checkVisibilityCSS: true, contentVisibilityAuto: true };
    if (!field.checkVisibility(options)) return false;
    let opacity = 1;
    for (let at = /** @type {Element | null} */ (field); at; at = composedParent(at)) {
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
 * The points are spread over the middle line, because a button may stand in a field and a label may float over its start.
 * @param {HTMLInputElement} field
 * @param {DOMRect} box
 */
function isHit(field, box) {
    const y = box.top + box.height / 2;
    return [0.5, 0.3, 0.7, 0.1, 0.9].some((part) => {
        const hit = elementAt(field.ownerDocument, box.left + box.width * part, y);
        return hit === field || (hit !== null && isLabelOf(hit, field));
    });
}

/**
 * @param {Document} document
 * @param {number} x
 * @param {number} y
 * @returns {Element | null} through all shadow roots
 */
function elementAt(document, x, y) {
    let hit = document.elementFromPoint(x, y);
    for (let root = hit && shadowRootOf(hit); root; root = hit && shadowRootOf(hit)) {
        const inner = root.elementFromPoint(x, y);
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
