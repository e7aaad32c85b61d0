/** What stands at and around the parts of a form, as the person reads it. */
import { composedParent, ownerRoot } from './composed.js';
import { allIn, attributeOf, elementById, isElement, isMatching, previousSiblingOf, textOf } from './dom.js';

/** Longer texts are cut, in UTF-16 code units: what a form is for, its first words say. */
export const textLimit = 400;
/** Text before a field is its label only if it is short. */
const nearLimit = 80;

const headings = 'h1, h2, h3, h4, h5, h6';

/**
 * @param {Node} node
 * @returns {string}
 */
export function shortText(node) {
    return textOf(node).replace(/\s+/g, ' ').slice(0, textLimit);
}

/**
 * @param {Element} element
 * @returns {string}
 */
export function buttonText(element) {
    const attributes = ['value', 'aria-label', 'title', 'alt', 'name', 'id'];
    return [shortText(element), ...attributes.map((name) => attributeOf(element, name).slice(0, textLimit))].join(' ');
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
        for (let before = previousSiblingOf(at); before; before = previousSiblingOf(before)) {
            if (!isElement(before)) continue;
            const heading = isMatching(before, headings) ? before : allIn(before, headings).at(-1);
            if (heading) return shortText(heading);
        }
    }
    return '';
}

/**
 * @param {HTMLInputElement} field
 * @returns {string} its labels; without any, the text right before it
 */
export function labelText(field) {
    const texts = [...(field.labels ?? [])].map(shortText);
    const root = ownerRoot(field);
    for (const id of attributeOf(field, 'aria-labelledby').split(/\s+/)) {
        const label = id && root ? elementById(root, id) : null;
        if (label) texts.push(shortText(label));
    }
    return texts.length > 0 ? texts.join(' ') : textBefore(field);
}

/**
 * Text right before a field that has no label, as long as no other field stands between.
 * @param {HTMLInputElement} field
 */
function textBefore(field) {
    /** @type {Element | null} */
    let at = field;
    for (let height = 0; at && height < 3; height += 1, at = composedParent(at)) {
        for (let before = previousSiblingOf(at); before; before = previousSiblingOf(before)) {
            if (isElement(before) && holdsControl(before)) return '';
            const text = textOf(before).trim();
            if (text) return text.slice(0, nearLimit);
        }
    }
    return '';
}

/** @param {Element} element */
function holdsControl(element) {
    const controls = 'input, select, textarea';
    return isMatching(element, controls) || allIn(element, controls).length > 0;
}
