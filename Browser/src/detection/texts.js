/** What stands at and around the parts of a form, as the person reads it. */
import { composedParent, ownerRoot } from './composed.js';
import {
    allIn,
    attributeOf,
    elementById,
    isElement,
    isMatching,
    isWide,
    nextSiblingOf,
    previousSiblingOf,
    textOf,
    textsUnder,
} from './dom.js';

/** Longer texts are cut, in UTF-16 code units: what a form is for, its first words say. */
export const textLimit = 400;
/** Text beside a field is its label only if it is short; a longer one is a sentence about something else. */
const nearLimit = 80;

/** How many neighbours are looked at. */
const siblingLimit = 60;

const headings = 'h1, h2, h3, h4, h5, h6, [role=heading]';
const controls = 'input:not([type=hidden]), select, textarea';

/**
 * @param {Node} node
 * @returns {string}
 */
export function shortText(node) {
    let text = '';
    for (const part of textsUnder(node)) {
        text += `${part} `;
        if (text.length > textLimit * 2) break;
    }
    return tidy(text).slice(0, textLimit);
}

/** @param {string} text */
function tidy(text) {
    return text.replace(/\s+/g, ' ').trim();
}

/**
 * @param {Element} element
 * @returns {string}
 */
export function buttonText(element) {
    const attributes = ['value', 'aria-label', 'title', 'alt'].map((name) => attributeOf(element, name));
    const read = [shortText(element), ...attributes].filter((text) => text !== '');
    return read.join(' ').slice(0, textLimit);
}

/**
 * The nearest heading that stands before the form.
 * @param {Element} container
 * @returns {string}
 */
export function headingBefore(container) {
    /** @type {Element | null} */
    let at = container;
    for (let height = 0; at && height < 4; height += 1, at = composedParent(at)) {
        let seen = 0;
        for (let before = previousSiblingOf(at); before && seen < siblingLimit; before = previousSiblingOf(before)) {
            seen += 1;
            if (!isElement(before)) continue;
            const heading = isMatching(before, headings) ? before : allIn(before, headings).at(-1);
            if (heading) return shortText(heading);
        }
    }
    return '';
}

/**
 * What the person reads right before a form: the end of the text above it, up to the next control.
 * @param {Element} container
 * @returns {string}
 */
export function leadOf(container) {
    return textAlong(container, previousSiblingOf, (part, text) => `${part} ${text}`).slice(-textLimit / 2);
}

/**
 * What the person reads right after a form: the start of the text below it, up to the next control.
 * @param {Element} container
 * @returns {string}
 */
export function trailOf(container) {
    return textAlong(container, nextSiblingOf, (part, text) => `${text} ${part}`).slice(0, textLimit / 2);
}

/**
 * The text of the neighbours on one side, and of those of what stands around, up to the next control.
 * @param {Element} container
 * @param {(node: Node) => Node | null} next
 * @param {(part: string, text: string) => string} joined
 */
function textAlong(container, next, joined) {
    let text = '';
    /** @type {Element | null} */
    let at = container;
    for (let height = 0; at && height < 3 && text.length < textLimit / 2; height += 1, at = composedParent(at)) {
        let seen = 0;
        for (let beside = next(at); beside && seen < siblingLimit; beside = next(beside)) {
            seen += 1;
            if (isElement(beside) && holdsControl(beside)) return text;
            text = tidy(joined(isElement(beside) ? shortText(beside) : textOf(beside), text));
            if (text.length > textLimit / 2) break;
        }
    }
    return text;
}

/**
 * @param {HTMLInputElement} field
 * @param {Element[]} labels that are its own
 * @returns {string} what labels it; empty without any
 */
export function labelText(field, labels) {
    const texts = labels.map(shortText);
    const root = ownerRoot(field);
    for (const id of attributeOf(field, 'aria-labelledby').split(/\s+/)) {
        const label = id && root ? elementById(root, id) : null;
        if (label) texts.push(shortText(label));
    }
    return tidy(texts.join(' '));
}

/**
 * The text beside a field that has no label: before it, or, as floating labels stand, after it in a box of its own.
 * @param {HTMLInputElement} field
 */
export function textBeside(field) {
    /** @type {Element | null} */
    let at = field;
    for (let height = 0; at && height < 3; height += 1, at = composedParent(at)) {
        const before = textOnSide(at, previousSiblingOf);
        if (before) return before;
        const parent = composedParent(at);
        if (parent && height < 2 && !isWide(parent) && controlsIn(parent) === 1) {
            const after = textOnSide(at, nextSiblingOf);
            if (after) return after;
        }
        if (before === undefined) return '';
    }
    return '';
}

/**
 * @param {Element} element
 * @param {(node: Node) => Node | null} next
 * @returns {string | undefined} nothing where another control comes first
 */
function textOnSide(element, next) {
    let seen = 0;
    for (let at = next(element); at && seen < siblingLimit; at = next(at)) {
        seen += 1;
        if (isElement(at) && (holdsControl(at) || isMatching(at, 'a, button, script, style'))) {
            if (holdsControl(at)) return undefined;
            continue;
        }
        const text = tidy(isElement(at) ? shortText(at) : textOf(at));
        if (/\p{L}/u.test(text)) return text.length > nearLimit ? '' : text;
    }
    return '';
}

/** @param {Element} element */
function holdsControl(element) {
    return isMatching(element, controls) || allIn(element, controls).length > 0;
}

/** @param {Element} element */
function controlsIn(element) {
    return allIn(element, controls).length;
}
