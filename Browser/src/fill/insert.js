/** Puts a text into a field that the person chose, where they would go on typing. */
import { isMatching, nameOf, parentNodeOf } from '../detection/dom.js';

/** @typedef {HTMLElement} Editable an input, a text area, or an element whose content is edited */

const textTypes = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);

/**
 * @param {unknown} target
 * @returns {target is Editable} whether a person could type there now
 */
export function takesText(target) {
    if (!(target instanceof HTMLElement)) return false;
    const name = nameOf(target);
    if (name === 'input' || name === 'textarea') {
        const field = /** @type {HTMLInputElement} */ (target);
        return !field.readOnly && !isMatching(field, ':disabled') && (name === 'textarea' || textTypes.has(field.type));
    }
    if (!target.isContentEditable) return false;
    const parent = parentNodeOf(target);
    return !(parent instanceof HTMLElement && parent.isContentEditable);
}

/**
 * As typing does it: over what is selected, and noticed by the page like any other input.
 * @param {Editable} field has the focus
 * @param {string} text
 */
export function insertText(field, text) {
    const name = nameOf(field);
    if (name !== 'input' && name !== 'textarea') {
        // Whoever edits content keeps their own record of it, and takes what the browser itself types.
        Document.prototype.execCommand.call(field.ownerDocument, 'insertText', false, text);
        return;
    }
    const input = /** @type {HTMLInputElement} */ (field);
    const { selectionStart, selectionEnd } = input;
    // Fields for numbers and addresses do not say where the caret is.
    if (selectionStart === null || selectionEnd === null) input.value = text;
    else input.setRangeText(text, selectionStart, selectionEnd, 'end');
    field.dispatchEvent(new InputEvent('input', { inputType: 'insertText', data: text, bubbles: true, composed: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
}
