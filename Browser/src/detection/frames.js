/**
 * The pages around a frame: what stands in a frame is drawn where the frame is, and the menu of its fields is drawn in
 * the page that the tab shows.
 *
 * @typedef {{left: number, top: number}} Point
 * @typedef {Point & {right: number, bottom: number}} Box in CSS pixels, from the corner of the page's viewport
 * @typedef {Point & {scale: number}} Place where a frame's own corner is in the page around it, and how large one of its
 *     pixels is there
 * @typedef {{frame: Element, view: Window & typeof globalThis}} Surrounding `frame` holds the page, `view` is around it
 */
import { ownerDocumentOf } from './dom.js';

/**
 * @param {Window} window
 * @returns {Surrounding[] | undefined} the innermost first, none in the page of the tab; undefined where one of them
 *     cannot be looked at
 */
export function framesAround(window) {
    const frames = [];
    for (let at = window; at !== at.parent; at = at.parent) {
        const frame = frameOf(at);
        if (!frame || ownerDocumentOf(frame) !== at.parent.document) return undefined;
        frames.push({ frame, view: /** @type {Window & typeof globalThis} */ (at.parent) });
    }
    return frames;
}

/** @param {Window} window @returns {Element | null} */
function frameOf(window) {
    try {
        return window.frameElement;
    } catch {
        return null;
    }
}

/** @param {Element} frame @returns {Place} */
export function placeOf(frame) {
    const style = getComputedStyle(frame);
    /** @param {string} name */
    const pixels = (name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
    const box = frame.getBoundingClientRect();
    const { offsetWidth } = /** @type {HTMLElement} */ (frame);
    const scale = offsetWidth > 0 ? box.width / offsetWidth : 1;
    return {
        left: box.left + scale * (pixels('border-left-width') + pixels('padding-left')),
        top: box.top + scale * (pixels('border-top-width') + pixels('padding-top')),
        scale,
    };
}

/**
 * @param {Point} point in a frame
 * @param {Place} place of that frame
 * @returns {Point} where it is in the page around it
 */
export function movedOut({ left, top }, place) {
    return { left: place.left + left * place.scale, top: place.top + top * place.scale };
}

/**
 * @param {Box} box
 * @param {Place[]} places the innermost first
 * @returns {Box} the same box in the outermost page
 */
export function boxThrough({ left, top, right, bottom }, places) {
    const from = places.reduce(movedOut, { left, top });
    const to = places.reduce(movedOut, { left: right, top: bottom });
    return { left: from.left, top: from.top, right: to.left, bottom: to.top };
}
