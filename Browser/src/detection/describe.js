/**
 * Reads the form around a field into a description (`classify.js`). Works in the composed tree: fields of one form may
 * stand in different shadow roots.
 *
 * @typedef {import('./classify.js').FieldDescription} FieldDescription
 * @typedef {import('./classify.js').FormDescription} FormDescription
 * @typedef {{fields: HTMLInputElement[], description: FormDescription}} Form
 */
import { composedParent, descendants } from './composed.js';
import { allIn, attributeOf, nameOf, titleOf } from './dom.js';
import { buttonText, headingBefore, labelText, shortText, textLimit } from './texts.js';
import { normalise } from './words.js';

/** Types of `input` that a form may be described by. */
const readTypes = new Set(['text', 'email', 'tel', 'url', 'number', 'password', 'search']);

/** A longer form is cut: no sign-in form is. */
const fieldLimit = 60;
/** A part of a page without a form is read up to this many elements. */
const elementLimit = 2000;

/** @param {EventTarget | null | undefined} target @returns {target is HTMLInputElement} */
export function isField(target) {
    return (
        target instanceof Element &&
        nameOf(target) === 'input' &&
        readTypes.has(typeOf(/** @type {HTMLInputElement} */ (target)))
    );
}

/** @param {HTMLInputElement} field */
function typeOf(field) {
    return field.type.toLowerCase();
}

/** @param {HTMLInputElement} field @returns {Form} */
export function formAround(field) {
    const container = containerOf(field);
    const fields = fieldsIn(container, field);
    return { fields, description: describe(container, fields) };
}

/** @param {Element} container @param {HTMLInputElement} field */
function fieldsIn(container, field) {
    /** @type {HTMLInputElement[]} */
    const fields = [];
    for (const element of descendants(container)) {
        if (isField(element) && (element.form === field.form || nameOf(container) !== 'form')) fields.push(element);
        if (fields.length === fieldLimit) break;
    }
    return withoutHiddenPasswords(fields);
}

/**
 * A password field that is not drawn says nothing beside one that is (a trap, or another state of the page); where all
 * are hidden, they still tell that the page is about a password.
 * @param {HTMLInputElement[]} fields
 */
function withoutHiddenPasswords(fields) {
    const anyShown = fields.some((field) => typeOf(field) === 'password' && !isHiddenPassword(field));
    return anyShown ? fields.filter((field) => !isHiddenPassword(field)) : fields;
}

/** @param {HTMLInputElement} field */
function isHiddenPassword(field) {
    return typeOf(field) === 'password' && field.checkVisibility?.() === false;
}

/**
 * The form, also one outside the field's shadow root; without any, the smallest part of the page around the field that
 * holds a password field, else the largest part that can be read in a moment.
 * @param {HTMLInputElement} field
 * @returns {Element}
 */
function containerOf(field) {
    if (field.form) return field.form;
    const around = ancestorsOf(field);
    const form = around.find((element) => nameOf(element) === 'form');
    if (form) return form;
    const readable = around.filter((element) => allIn(element, '*').length <= elementLimit);
    return readable.find(holdsOtherFieldAndPassword) ?? readable.at(-1) ?? field;
}

/**
 * @param {Element} element
 * @returns {Element[]} what it stands in, the innermost first
 */
function ancestorsOf(element) {
    const ancestors = [];
    for (let at = composedParent(element); at; at = composedParent(at)) ancestors.push(at);
    return ancestors;
}

/** @param {Element} container */
function holdsOtherFieldAndPassword(container) {
    let fields = 0;
    let passwords = 0;
    for (const element of descendants(container)) {
        if (!isField(element)) continue;
        fields += 1;
        if (typeOf(element) === 'password') passwords += 1;
        if (fields > 1 && passwords > 0) return true;
    }
    return false;
}

/** @param {Element} container @param {HTMLInputElement[]} fields @returns {FormDescription} */
function describe(container, fields) {
    /** @type {string[]} */
    const buttons = [];
    /** @type {string[]} */
    const headings = [];
    /** @type {string[]} */
    const texts = [];
    for (const element of descendants(container)) {
        if (isSubmit(element)) buttons.push(buttonText(element));
        else if (/^(?:h[1-6]|legend)$/.test(nameOf(element))) headings.push(shortText(element));
        else if (nameOf(element) === 'a' || nameOf(element) === 'label') texts.push(shortText(element));
    }
    if (headings.length === 0) headings.push(headingBefore(container));
    const whole = nameOf(container) === 'form';
    const document = /** @type {Document} */ (fields[0]?.ownerDocument);
    return {
        fields: fields.map(describeField),
        buttons: normalise(buttons.join(' ')),
        headings: normalise(headings.join(' ')),
        names: whole
            ? normalise(
                  ['name', 'id', 'class', 'action', 'aria-label'].map((name) => attributeOf(container, name)).join(' '),
              )
            : '',
        text: normalise(texts.join(' ')),
        page: normalise(
            `${titleOf(document).slice(0, textLimit)} ${document.location?.pathname.slice(0, textLimit) ?? ''}`,
        ),
    };
}

/** @param {Element} element */
function isSubmit(element) {
    if (nameOf(element) === 'button') return attributeOf(element, 'type') !== 'reset';
    if (nameOf(element) === 'input')
        return /^(?:submit|button|image)$/.test(/** @type {HTMLInputElement} */ (element).type);
    return (
        attributeOf(element, 'role') === 'button' ||
        (nameOf(element) === 'a' && /(?:^|[\s_-])(?:btn|button|submit)/i.test(attributeOf(element, 'class')))
    );
}

/** @param {HTMLInputElement} field @returns {FieldDescription} */
function describeField(field) {
    const names = ['name', 'id', 'ng-model', 'data-testid', 'formcontrolname'].map((name) => attributeOf(field, name));
    const labels = ['placeholder', 'aria-label', 'title', 'data-placeholder'].map((name) => attributeOf(field, name));
    return {
        type: typeOf(field),
        autocomplete: attributeOf(field, 'autocomplete').toLowerCase().split(/\s+/),
        names: normalise(names.join(' ')),
        labels: normalise([...labels, labelText(field)].join(' ')),
    };
}
