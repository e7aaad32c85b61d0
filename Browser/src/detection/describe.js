/**
 * Reads the form around a field into a description (`classify.js`). Works in the composed tree: fields of one form may
 * stand in different shadow roots.
 *
 * @typedef {import('./classify.js').FieldDescription} FieldDescription
 * @typedef {import('./classify.js').FormDescription} FormDescription
 * @typedef {{fields: HTMLInputElement[], description: FormDescription}} Form
 */
import { composedParent, descendants, ownerRoot } from './composed.js';
import { normalise } from './words.js';

/** Types of `input` that a form may be described by. */
const readTypes = new Set(['text', 'email', 'tel', 'url', 'number', 'password', 'search']);

/** A longer form is cut: no sign-in form is. */
const fieldLimit = 60;
const textLimit = 400;

/** @param {EventTarget | null | undefined} target @returns {target is HTMLInputElement} */
export function isField(target) {
    return (
        target instanceof Element &&
        target.localName === 'input' &&
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
        if (isField(element) && (element.form === field.form || container.localName !== 'form')) fields.push(element);
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
 * holds a password field, else the whole page.
 * @param {HTMLInputElement} field
 * @returns {Element}
 */
function containerOf(field) {
    if (field.form) return field.form;
    /** @type {Element} */
    let last = field;
    /** @type {Element | undefined} */
    let withPassword;
    for (let at = composedParent(field); at; at = composedParent(at)) {
        if (at.localName === 'form') return at;
        if (!withPassword && holdsOtherFieldAndPassword(at)) withPassword = at;
        last = at;
    }
    return withPassword ?? last;
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
    const document = container.ownerDocument;
    /** @type {string[]} */
    const buttons = [];
    /** @type {string[]} */
    const headings = [];
    /** @type {string[]} */
    const texts = [];
    for (const element of descendants(container)) {
        if (isSubmit(element)) buttons.push(buttonText(element));
        else if (/^(?:h[1-6]|legend)$/.test(element.localName)) headings.push(textOf(element));
        else if (element.localName === 'a' || element.localName === 'label') texts.push(textOf(element));
    }
    if (headings.length === 0) headings.push(headingBefore(container));
    const whole = container.localName === 'form';
    const path = document.location?.pathname ?? '';
    return {
        fields: fields.map(describeField),
        buttons: normalise(buttons.join(' ')),
        headings: normalise(headings.join(' ')),
        names: whole
            ? normalise(
                  ['name', 'id', 'class', 'action', 'aria-label']
                      .map((name) => container.getAttribute(name) ?? '')
                      .join(' '),
              )
            : '',
        text: normalise(texts.join(' ')),
        page: normalise(`${document.title.slice(0, textLimit)} ${path.slice(0, textLimit)}`),
    };
}

/** @param {Element} element */
function isSubmit(element) {
    if (element.localName === 'button') return element.getAttribute('type') !== 'reset';
    if (element.localName === 'input')
        return /^(?:submit|button|image)$/.test(/** @type {HTMLInputElement} */ (element).type);
    return (
        element.getAttribute('role') === 'button' ||
        (element.localName === 'a' && /(?:^|[\s_-])(?:btn|button|submit)/i.test(element.className))
    );
}

/** @param {Element} element */
function buttonText(element) {
    const parts = [textOf(element)];
    for (const name of ['value', 'aria-label', 'title', 'alt', 'name', 'id'])
        parts.push((element.getAttribute(name) ?? '').slice(0, textLimit));
    return parts.join(' ');
}

/**
 * The nearest heading that stands before the form.
 * @param {Element} container
 */
function headingBefore(container) {
    /** @type {Element | null} */
    let at = container;
    for (let height = 0; at && height < 4; height += 1, at = composedParent(at)) {
        for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
            const heading = /^h[1-6]$/.test(before.localName)
                ? before
                : [...before.querySelectorAll('h1,h2,h3,h4,h5,h6')].at(-1);
            if (heading) return textOf(heading);
        }
    }
    return '';
}

/** @param {HTMLInputElement} field @returns {FieldDescription} */
function describeField(field) {
    const names = ['name', 'id', 'ng-model', 'data-testid', 'formcontrolname'].map(
        (name) => field.getAttribute(name) ?? '',
    );
    const labels = ['placeholder', 'aria-label', 'title', 'data-placeholder'].map(
        (name) => field.getAttribute(name) ?? '',
    );
    return {
        type: typeOf(field),
        autocomplete: (field.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/),
        names: normalise(names.join(' ')),
        labels: normalise([...labels, labelText(field)].join(' ')),
    };
}

/** @param {HTMLInputElement} field */
function labelText(field) {
    const texts = [...(field.labels ?? [])].map(textOf);
    const root = ownerRoot(field);
    for (const id of (field.getAttribute('aria-labelledby') ?? '').split(/\s+/)) {
        const label = id && root?.getElementById(id);
        if (label) texts.push(textOf(label));
    }
    return texts.length > 0 ? texts.join(' ') : textBefore(field);
}

/**
 * Text right before a field that has no label, in its own line of the form.
 * @param {HTMLInputElement} field
 */
function textBefore(field) {
    /** @type {Element | null} */
    let at = field;
    for (let height = 0; at && height < 3; height += 1, at = at.parentElement) {
        for (let before = at.previousSibling; before; before = before.previousSibling) {
            if (before instanceof Element && (isField(before) || before.querySelector('input,select,textarea')))
                return '';
            const text = (before.textContent ?? '').trim();
            if (text) return text.slice(0, 80);
        }
    }
    return '';
}

/** @param {Element} element */
function textOf(element) {
    return (element.textContent ?? '').replace(/\s+/g, ' ').slice(0, textLimit);
}
