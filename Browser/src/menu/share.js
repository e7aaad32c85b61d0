/**
 * How much of an entry the person can see: what the menu scrolled away, what lies outside of the visible part of the page
 * and what lies off the screen does not count.
 *
 * @typedef {import('../detection/frames.js').Box} Box
 * @typedef {Pick<Window, 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight' | 'innerWidth' | 'innerHeight'> & {
 *     screen: Pick<Screen, 'availWidth' | 'availHeight'> & {availLeft?: number, availTop?: number}
 * }} WindowOnScreen
 */

/** The part of an entry that has to be seen before it can be chosen. */
const leastShare = 0.9;

/**
 * @param {Box} entry
 * @param {Box[]} visible what can be seen is in all of these
 */
export function isMostlyIn(entry, visible) {
    return areaOf(visible.reduce(intersection, entry)) >= leastShare * areaOf(entry) && areaOf(entry) > 0;
}

/** @param {Box} one @param {Box} other @returns {Box} */
export function intersection(one, other) {
    return {
        left: Math.max(one.left, other.left),
        top: Math.max(one.top, other.top),
        right: Math.min(one.right, other.right),
        bottom: Math.min(one.bottom, other.bottom),
    };
}

/** @param {Box} box */
function areaOf({ left, top, right, bottom }) {
    return Math.max(0, right - left) * Math.max(0, bottom - top);
}

/**
 * @param {Window} window
 * @returns {Box} what of the page the window shows, also where the person zoomed in with two fingers
 */
export function viewportOf({ innerWidth, innerHeight, visualViewport }) {
    const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    if (!visualViewport) return whole;
    const { offsetLeft: left, offsetTop: top, width, height } = visualViewport;
    return intersection(whole, { left, top, right: left + width, bottom: top + height });
}

/**
 * The page is taken to reach to every edge of its window, so that rather too much counts as off the screen.
 * @param {WindowOnScreen} window
 * @returns {Box} what of the page is on the screen
 */
export function screenPartOf({ screenX, screenY, outerWidth, outerHeight, innerWidth, innerHeight, screen }) {
    // Where programs are not told where their windows are (Wayland), every window is at 0, 0, on whatever screen.
    const isPlaced = screenX !== 0 || screenY !== 0;
    const left = isPlaced ? (screen.availLeft ?? 0) : 0;
    const top = isPlaced ? (screen.availTop ?? 0) : 0;
    // A page that is zoomed out has more pixels than its window.
    const across = Math.max(1, innerWidth / outerWidth);
    const down = Math.max(1, innerHeight / outerHeight);
    return {
        left: Math.max(0, left - screenX) * across,
        top: Math.max(0, top - screenY) * down,
        right: innerWidth - Math.max(0, screenX + outerWidth - left - screen.availWidth) * across,
        bottom: innerHeight - Math.max(0, screenY + outerHeight - top - screen.availHeight) * down,
    };
}
