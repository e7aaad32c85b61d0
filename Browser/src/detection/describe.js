/**
 * Reads the form around a field into a description (`facts.js`). Works in the composed tree: fields of one form
 * may stand in different shadow roots.
 *
 * @typedef {import('./facts.js').FieldDescription} FieldDescription
 * @typedef {import('./facts.js').FormDescription} FormDescription
 * @typedef {{fields: HTMLInputElement[], description: FormDescription}} Form
 */
import { composedParent, descendants } from './composed.js';
import { allIn, attributeOf, countAll, elementsAround, isMasked, isMatching, isWide, nameOf, ownerDocumentOf, titleOf } from './dom.js';
import { buttonText, headingBefore, labelText, leadOf, shortText, textBeside, textLimit, trailOf } from './texts.js';
import { fieldWords, formWords, normalise, unglued } from './words.js';

/** Types of `input` that a form may be described by. */
const readTypes = new Set(['text', 'email', 'tel', 'url', 'number', 'password', 'search']);

/** Of a longer form, the part around the field is read: no sign-in form is longer. */
const fieldLimit = 40;
/** A part of a page, or of a form, is read up to this many elements, and as many again in its shadow trees. */
const elementLimit = 2000;
/** How far around a field without a form is looked. */
const heightLimit = 60;
/** More buttons, headings or links say nothing new. */
const partLimit = 60;

const nameAttributes = [
    'name',
    'id',
    'formcontrolname',
    'ng-model',
    'v-model',
    'data-testid',
    'data-test',
    'data-qa',
    'data-cy',
    'itemprop',
];
const labelAttributes = ['placeholder', 'aria-label', 'title', 'data-placeholder', 'alt'];

/** Buttons that help with a field and send nothing. */
const helper = /^(?:show|hide|toggle|clear|reveal|close|dismiss|help|info|anzeigen|afficher|mostrar|mostra|ocultar|×|x)\b/i;

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
    const whole = elementsOf(container, field);
    const block = formOf(field) ? blockOf(container, whole, field) : undefined;
    const elements = block ? elementsOf(block, field) : whole;
    const fields = fieldsAmong(elements, field);
    return { fields, description: describe(block ?? container, elements, fields, formOf(field)) };
}

/**
 * What is in a container, with shadow trees; of one that is too large, what stands around the field.
 * @param {Element} container
 * @param {HTMLInputElement} field
 * @returns {Element[]}
 */
function elementsOf(container, field) {
    if (countAll(container) > elementLimit) {
        const around = elementsAround(container, field, elementLimit / 2);
        if (around.length > 0) return around;
    }
    const elements = [];
    for (const element of descendants(container)) {
        elements.push(element);
        if (elements.length === 2 * elementLimit) break;
    }
    return elements;
}

/** @param {Element[]} elements @param {HTMLInputElement} asked */
function fieldsAmong(elements, asked) {
    const form = formOf(asked);
    /** @type {HTMLInputElement[]} */
    const fields = [];
    for (const element of elements) if (isField(element) && formOf(element) === form) fields.push(element);
    const start = Math.max(0, Math.min(fields.indexOf(asked) - fieldLimit / 2, fields.length - fieldLimit));
    return withoutTraps(fields.slice(start, start + fieldLimit), asked);
}

/**
 * A password field that is not drawn says nothing beside one that is (a trap, or another state of the page), and
 * neither does any field that is neither drawn nor reached with the Tab key. Where a hidden field itself is asked about, the
 * page may be in another state, and all count but the traps.
 *
 * @param {HTMLInputElement[]} fields
 * @param {HTMLInputElement} asked
 */
function withoutTraps(fields, asked) {
    const hidden = new Set(fields.filter(isHidden));
    if (hidden.size === 0) return fields;
    const shown = fields.filter((field) => !hidden.has(field));
    const isShown = (/** @type {boolean} */ isSecret) =>
        shown.some((field) => (typeOf(field) === 'password') === isSecret);
    return fields.filter((field) => {
        if (!hidden.has(field)) return true;
        const isSecret = typeOf(field) === 'password';
        if (!isShown(isSecret)) return true;
        return attributeOf(field, 'tabindex') !== '-1' && (!isSecret || hidden.has(asked));
    });
}

/** @param {HTMLInputElement} field whether it is not drawn, by its style or that of what it stands in */
function isHidden(field) {
    return field.checkVisibility?.() === false;
}

/** @param {Element} element @returns {Element | undefined} its form, also one outside its shadow root */
function formOf(element) {
    const { form } = /** @type {HTMLInputElement} */ (element);
    if (form) return form;
    for (let at = composedParent(element); at; at = composedParent(at)) if (nameOf(at) === 'form') return at;
    return undefined;
}

/**
 * The form. Without one, the part of the page around the field that can be sent by itself: the smallest one with a password
 * and another field, or one with a button, if that is smaller and holds what it needs; else as much as can be read in a
 * moment.
 * @param {HTMLInputElement} field
 * @returns {Element}
 */
function containerOf(field) {
    const form = formOf(field);
    if (form) return commonParent(form, field);
    const readable = readableAround(field);
    const outermost = /** @type {Element} */ (readable.at(-1) ?? field);
    const { fields, passwords, buttons } = heightsIn(elementsOf(outermost, field), readable);
    const whole = Math.max(fields[1] ?? Infinity, passwords[0] ?? Infinity);
    const sendable = buttons[0] ?? Infinity;
    if (whole === Infinity) return readable[sendable] ?? outermost;
    if (sendable >= whole) return /** @type {Element} */ (readable[whole]);
    // A button by a lone field of a small form may be that field's own; in a large part of a page it is a form of its own.
    const inWhole = fields.filter((height) => height <= whole).length;
    const inSendable = fields.filter((height) => height <= sendable).length;
    return /** @type {Element} */ (readable[inWhole > 4 || inSendable > 1 ? sendable : whole]);
}

/**
 * @param {Element} form
 * @param {Element} field
 * @returns {Element} the form; if the field is not in it, as with a form between the rows of a table, what both are in
 */
function commonParent(form, field) {
    /** @type {Set<Element>} */
    const around = new Set();
    for (let at = /** @type {Element | null} */ (field); at; at = composedParent(at)) around.add(at);
    for (let at = /** @type {Element | null} */ (form); at; at = composedParent(at)) if (around.has(at)) return at;
    return form;
}

/** What a button can do that makes the part of a form around it something of its own. */
const deeds = /** @type {const} */ (['signIn', 'signUp', 'search', 'letter', 'forgotten', 'change', 'purchase']);

/**
 * Some pages have one form for all that can be sent from them: a search, a sign-in, a sign-up, a newsletter. The part
 * around a field is a form of its own, if it could be sent by itself, and what is left of the form as well.
 * @param {Element} form
 * @param {Element[]} elements in the form
 * @param {HTMLInputElement} field
 * @returns {Element | undefined} the smallest such part
 */
function blockOf(form, elements, field) {
    /** @type {Map<Element, number>} */
    const heights = new Map();
    for (let at = composedParent(field); at && at !== form; at = composedParent(at)) heights.set(at, heights.size);
    /** @type {{element: Element, height: number}[]} */
    const parts = [];
    for (const element of elements) {
        if (!isField(element) && !isButton(element)) continue;
        let at = /** @type {Element | null} */ (element);
        while (at && at !== form && !heights.has(at)) at = composedParent(at);
        parts.push({ element, height: (at && heights.get(at)) ?? Infinity });
    }
    for (const [element, height] of heights) {
        const inside = parts.filter((part) => part.height <= height).map((part) => part.element);
        if (!isSendable(inside)) continue;
        const outside = parts.filter((part) => part.height > height).map((part) => part.element);
        return isSendable(outside) ? element : undefined;
    }
    return undefined;
}

/**
 * @param {Element[]} parts fields and buttons
 * @returns {boolean} whether they are a form of their own: a password with a name and a button, or fields with a button
 *     that says what it does
 */
function isSendable(parts) {
    const types = parts.filter(isField).map(typeOf);
    const buttons = parts.filter((part) => isButton(part) && isSender(part)).map((part) => normalise(buttonText(part)));
    const does = buttons.filter((text) => !formWords.sendCode.test(text));
    if (types.length === 0 || does.length === 0) return false;
    if (types.includes('password') && types.some((type) => type !== 'password')) return true;
    const said = deeds.filter((deed) => does.some((text) => formWords[deed].test(text)));
    return types.length > 1 || types.includes('password')
        ? said.length > 0
        : said.some((deed) => deed === 'search' || deed === 'letter' || deed === 'forgotten');
}

/**
 * @param {Element} element
 * @returns {Element[]} what it stands in, the innermost first, up to what is too large
 */
function readableAround(element) {
    const around = [];
    for (let at = composedParent(element); at; at = composedParent(at)) {
        if (around.length > 0 && countAll(at) > elementLimit) break;
        around.push(at);
        if (around.length === heightLimit) break;
    }
    return around;
}

/**
 * The fields and buttons without a form, by how far out around the field one has to go to meet them.
 * @param {Element[]} elements
 * @param {Element[]} around what the field stands in, the innermost first
 */
function heightsIn(elements, around) {
    const heights = new Map(around.map((element, height) => [element, height]));
    /** @type {{fields: number[], passwords: number[], buttons: number[]}} */
    const found = { fields: [], passwords: [], buttons: [] };
    for (const element of elements) {
        const isInput = isField(element);
        if ((!isInput && !isButton(element)) || formOf(element)) continue;
        let at = /** @type {Element | null} */ (element);
        while (at && !heights.has(at)) at = composedParent(at);
        const height = (at && heights.get(at)) ?? Infinity;
        if (!isInput) {
            if (isSender(element)) found.buttons.push(height);
            continue;
        }
        found.fields.push(height);
        if (typeOf(element) === 'password') found.passwords.push(height);
    }
    for (const list of Object.values(found)) list.sort((one, other) => one - other);
    return found;
}

/** @param {Element} element a button */
function isSender(element) {
    const text = buttonText(element).trim();
    return text !== '' && !helper.test(text);
}

/**
 * @param {Element} container
 * @param {Element[]} elements in it
 * @param {HTMLInputElement[]} fields
 * @param {Element | undefined} form the form of the fields; parts of other forms in the container do not count
 * @returns {FormDescription}
 */
function describe(container, elements, fields, form) {
    const parts = partsOf(elements, form, new Set(fields));
    if (parts.headings.length === 0) parts.headings.push(headingBefore(container));
    const isPart = form !== undefined && isIn(container, form);
    const whole = form && !isPart ? form : container;
    const names = form && !isPart ? ['name', 'id', 'class', 'action', 'aria-label'] : ['id', 'class', 'aria-label'];
    const document = ownerDocumentOf(container);
    return {
        fields: fields.map((field) => describeField(field, parts.labels.get(field) ?? [])),
        buttons: parts.buttons,
        headings: normalise(parts.headings.join(' ')),
        names: unglued(normalise(names.map((name) => attributeOf(whole, name).slice(0, textLimit)).join(' '))),
        around: unglued(normalise(namesAround(whole))),
        lead: normalise(leadOf(container)),
        trail: normalise(trailOf(container)),
        text: normalise(`${shortText(container)} ${parts.texts.join(' ')}`),
        page: normalise(
            `${titleOf(document).slice(0, textLimit)} ${document.location?.pathname.slice(0, textLimit) ?? ''}`,
        ),
        isSearch: isMatching(container, '[role=search], [role=search] *'),
        hasMessage: parts.hasMessage,
    };
}

/** @param {Element} element @param {Element} form whether it stands in the form, and is not the form itself */
function isIn(element, form) {
    for (let at = composedParent(element); at; at = composedParent(at)) if (at === form) return true;
    return false;
}

/**
 * @param {Element[]} elements
 * @param {Element | undefined} form
 * @param {Set<Element>} fields
 */
function partsOf(elements, form, fields) {
    /** @type {import('./facts.js').ButtonDescription[]} */
    const buttons = [];
    /** @type {string[]} */
    const headings = [];
    /** @type {string[]} */
    const texts = [];
    /** @type {Map<Element, Element[]>} */
    const labels = new Map();
    let before = 0;
    let hasMessage = false;
    for (const element of elements) {
        if (fields.has(element)) before += 1;
        const name = nameOf(element);
        if (isButton(element)) {
            if (formOf(element) === form) addButton(element, before, buttons, texts);
        } else if (/^(?:h[1-6]|legend|caption)$/.test(name) || attributeOf(element, 'role') === 'heading') {
            if (headings.length < partLimit) headings.push(shortText(element));
        } else if (name === 'a' || name === 'label') {
            if (texts.length < partLimit) texts.push(shortText(element));
            if (name === 'label') addLabel(/** @type {HTMLLabelElement} */ (element), labels);
        } else if (name === 'textarea') hasMessage ||= formOf(element) === form;
    }
    return { buttons, headings, texts, labels, hasMessage };
}

/** @param {HTMLLabelElement} label @param {Map<Element, Element[]>} labels by what they label */
function addLabel(label, labels) {
    const { control } = label;
    if (control) labels.set(control, [...(labels.get(control) ?? []), label]);
}

/**
 * A button about a forgotten password is a link, as long as there is another to send the form with; a button that signs
 * in with somebody else's account says nothing about this form.
 *
 * @param {Element} element
 * @param {number} before
 * @param {import('./facts.js').ButtonDescription[]} buttons
 * @param {string[]} texts
 */
function addButton(element, before, buttons, texts) {
    const read = buttonText(element);
    const text = normalise(read);
    const names = unglued(normalise(['name', 'id', 'class'].map((name) => attributeOf(element, name).slice(0, 100)).join(' ')));
    if (buttons.length >= partLimit || (text === '' && names === '') || helper.test(read.trim())) return;
    const isSubmit = isSubmitting(element);
    if (!isSubmit && formWords.forgotten.test(text)) texts.push(read);
    else buttons.push({ text, names, before, isSubmit });
}

/** @param {Element} element a button: whether it is written to send its form */
function isSubmitting(element) {
    const type = attributeOf(element, 'type').toLowerCase();
    if (nameOf(element) === 'input') return type === 'submit' || type === 'image';
    return nameOf(element) === 'button' && type !== 'button' && formOf(element) !== undefined;
}

/** @param {Element} container what the author calls the parts of the page around it */
function namesAround(container) {
    let names = '';
    let at = composedParent(container);
    for (let height = 0; at && height < 3; height += 1, at = composedParent(at)) {
        names += ` ${attributeOf(at, 'id')} ${attributeOf(at, 'class')}`.slice(0, 200);
    }
    return names;
}

/** @param {Element} element */
function isButton(element) {
    const name = nameOf(element);
    if (name === 'button') return attributeOf(element, 'type') !== 'reset';
    if (name === 'input') return /^(?:submit|button|image)$/.test(/** @type {HTMLInputElement} */ (element).type);
    return (
        attributeOf(element, 'role') === 'button' ||
        (name === 'a' && /(?:^|[\s_-])(?:btn|button|submit)/i.test(attributeOf(element, 'class')))
    );
}

/** @param {HTMLInputElement} field @param {Element[]} ownLabels @returns {FieldDescription} */
function describeField(field, ownLabels) {
    /** @param {string[]} attributes */
    const read = (attributes) => attributes.map((name) => attributeOf(field, name).slice(0, textLimit)).join(' ');
    const labels = normalise(`${read(labelAttributes)} ${labelText(field, ownLabels)}`);
    const names = unglued(normalise(read(nameAttributes)));
    const maxLength = Number.parseInt(attributeOf(field, 'maxlength'), 10);
    return {
        type: isSecretAsText(field, `${labels} ${names}`) ? 'password' : typeOf(field),
        autocomplete: attributeOf(field, 'autocomplete').toLowerCase().trim().split(/\s+/),
        names,
        labels: /\p{L}/u.test(labels) ? labels : normalise(`${labels} ${textBeside(field)}`),
        look: unglued(normalise(read(['class']))),
        maxLength: maxLength > 0 ? maxLength : undefined,
        isDigits:
            /^(?:tel|number)$/.test(typeOf(field)) ||
            attributeOf(field, 'inputmode') === 'numeric' ||
            /^\W*(?:\\d|\[0-9\])/.test(attributeOf(field, 'pattern')),
        hasPicture: hasPicture(field),
        isHidden: isHidden(field),
    };
}

/** @param {HTMLInputElement} field @param {string} words whether it is a text field that hides what is typed and asks for a password */
function isSecretAsText(field, words) {
    return typeOf(field) !== 'password' && fieldWords.password.test(words) && isMasked(field);
}

/** @param {HTMLInputElement} field whether a picture stands beside it, with no other field between */
function hasPicture(field) {
    const parent = composedParent(field);
    for (const around of [parent, parent && composedParent(parent)]) {
        if (!around || isWide(around) || allIn(around, 'input:not([type=hidden])').length > 1) return false;
        if (allIn(around, 'img, canvas').length > 0) return true;
    }
    return false;
}
