/**
 * Codes that a page takes in boxes, a character each.
 */

/** How many boxes a code has, at least: fewer are something else, such as the parts of a date. */
const fewest = 4;

/**
 * @param {{fields: HTMLInputElement[], roles: import('../detection/classify.js').Role[]}} form
 * @param {number} at the place of a field for a code
 * @returns {HTMLInputElement[]} the boxes side by side that it is one of; empty where it is none
 */
export function boxesAround({ fields, roles }, at) {
    /** @param {number} index */
    const isBox = (index) => roles[index] === 'one-time-code' && fields[index]?.maxLength === 1;
    if (!isBox(at)) return [];
    let [start, end] = [at, at + 1];
    while (isBox(start - 1)) start -= 1;
    while (isBox(end)) end += 1;
    return end - start < fewest ? [] : fields.slice(start, end);
}

/**
 * @param {HTMLInputElement} field
 * @param {string} text
 * @returns {boolean} whether the page took it, as it takes what a person pastes
 */
export function paste(field, text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    field.focus({ preventScroll: true });
    // Firefox makes the data of its own from the last two.
    const data = { clipboardData, data: text, dataType: 'text/plain' };
    return !field.dispatchEvent(
        new ClipboardEvent('paste', { ...data, bubbles: true, cancelable: true, composed: true }),
    );
}
