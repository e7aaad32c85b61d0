/**
 * The frame's end of a choice in the extension's own window: says which of its fields take an account, and fills them.
 * It listens in every frame, also where no menu is shown, and reads the page only when it is called.
 *
 * @typedef {import('../protocol/frame.js').FrameReport} FrameReport
 * @typedef {{fields: HTMLInputElement[], roles: import('../detection/classify.js').Role[]}} Form
 * @typedef {{field: HTMLInputElement, form: Form, destination: import('../fill/destination.js').Destination | undefined}}
 *     Found
 * @typedef {{
 *     focused: () => HTMLInputElement | undefined,
 *     filling: (during: () => void) => void,
 *     openMenu: () => void,
 *     corrections: Corrections,
 * }} Surroundings
 * @typedef {Pick<import('../corrections/page.js').PageCorrections, 'isKnown' | 'load' | 'rolesIn'>} Corrections
 */
import { descendants } from '../detection/composed.js';
import { formAround, isField } from '../detection/describe.js';
import { foreignDestination, isSameDestination } from '../fill/destination.js';
import { fillTargets, takesAnything, targetsOf } from '../fill/fill.js';
import { isSeen, isSeenHere } from '../fill/visibility.js';
import { AnsweringEnd } from '../protocol/answering-end.js';
import { AutoFillError } from '../protocol/errors.js';
import { framePortName, lookMessage, menuMessage, parsePut } from '../protocol/frame.js';
import { credentialFields } from '../protocol/host.js';
import { record } from '../protocol/shape.js';
import { isFrameOfThePage, isKeptApart } from './frame.js';

/** How much of a page is read, in elements and in forms. */
const mostElements = 20_000;
const mostForms = 30;
/** The most frames that are counted. */
const mostFrames = 100;

/**
 * Answers whenever the extension calls.
 * @param {Window} window
 * @param {Surroundings} surroundings
 */
export function listenForChoices(window, surroundings) {
    chrome.runtime.onMessage.addListener((message, sender) => {
        // A content script has a tab; the background has none.
        if (sender.id !== chrome.runtime.id || sender.tab) return;
        if (message === menuMessage) surroundings.openMenu();
        if (message !== lookMessage) return;
        serve(chrome.runtime.connect({ name: framePortName }), new ChoiceDesk(window, surroundings));
    });
}

/** @param {chrome.Port} port @param {ChoiceDesk} desk */
function serve(port, desk) {
    return new AnsweringEnd(port, (_, method, params) => desk.perform(method, params));
}

export class ChoiceDesk {
    /** @type {Found | undefined} */
    #found;
    #window;
    #surroundings;
    #standing;
    #sees;

    /**
     * @param {Window} window
     * @param {Pick<Surroundings, 'focused' | 'filling' | 'corrections'>} surroundings
     */
    constructor(window, surroundings) {
        this.#window = window;
        this.#surroundings = surroundings;
        this.#standing = standingOf(window);
        // Nobody can look through a frame of another origin: there, the person has read both names.
        this.#sees = this.#standing === 'page' ? isSeen : isSeenHere;
    }

    /** @param {string} method @param {unknown} params */
    async perform(method, params) {
        if (method === 'look') {
            record(params, 'look', []);
            const { corrections } = this.#surroundings;
            if (!corrections.isKnown) await corrections.load();
            return this.#look();
        }
        if (method === 'put') return this.#put(parsePut(params));
        throw new AutoFillError('invalid', 'unknown method');
    }

    /** @returns {FrameReport} */
    #look() {
        const { document } = this.#window;
        const forms = [...formsIn(document, this.#surroundings)];
        const shown = forms.map((form) => ({ ...form, targets: this.#targets(form) }));
        const fitting = shown.filter(({ targets }) => Object.keys(targets).length > 0);
        const found = fitting.find(({ targets }) => targets.password ?? targets.oneTimeCode) ?? fitting[0];
        const first = fitting.find(({ isFocused }) => isFocused) ?? found;
        const destination = first && foreignDestination(first.field, this.#window.origin);
        this.#found = first && { field: first.field, form: first.form, destination };
        return {
            standing: this.#standing,
            form: first ? 'shown' : forms.length > 0 ? 'hidden' : 'none',
            fields: first ? fieldsOf(first.targets) : [],
            isFocused: first?.isFocused === true,
            frames: this.#window === this.#window.parent ? countFrames(this.#window) : 0,
            ...(destination ? { destination } : {}),
        };
    }

    /** @param {import('../protocol/host.js').FillResult} values */
    #put(values) {
        const found = this.#found;
        if (!found || this.#standing === 'opaque') throw new AutoFillError('refused', 'there is nothing to fill');
        const destination = foreignDestination(found.field, this.#window.origin);
        if (!isSameDestination(found.destination, destination)) {
            throw new AutoFillError('refused', 'the form sends elsewhere than it did');
        }
        const targets = this.#targets(found);
        /** @type {import('../protocol/host.js').CredentialField[]} */
        let filled = [];
        this.#surroundings.filling(() => {
            filled = fillTargets(targets, values, this.#sees);
        });
        return { filled };
    }

    /** @param {{form: Form, field: HTMLInputElement}} found */
    #targets({ form, field }) {
        return targetsOf(form, field, undefined, this.#sees);
    }
}

/** @param {import('../fill/fill.js').Targets} targets */
function fieldsOf(targets) {
    return credentialFields.filter((name) => targets[name]);
}

/**
 * The forms of a page that take something: that of the focused field first.
 * @param {Document} document
 * @param {Pick<Surroundings, 'focused' | 'corrections'>} surroundings
 * @returns {Generator<{field: HTMLInputElement, form: Form, isFocused: boolean}>}
 */
function* formsIn(document, surroundings) {
    const focused = surroundings.focused();
    const read = new Set();
    let count = 0;
    for (const field of [...(focused ? [focused] : []), ...fieldsIn(document)]) {
        if (read.has(field)) continue;
        count += 1;
        if (count > mostForms) return;
        const form = formAround(field);
        const { fields } = form;
        const roles = surroundings.corrections.rolesIn(form);
        for (const each of [field, ...fields]) read.add(each);
        const isFocused = field === focused && takesAnything(roles[fields.indexOf(field)]);
        const first = isFocused ? field : fields.find((_, index) => takesAnything(roles[index]));
        if (first) yield { field: first, form: { fields, roles }, isFocused };
    }
}

/** @param {Document} document @returns {HTMLInputElement[]} */
function fieldsIn(document) {
    const fields = [];
    let count = 0;
    for (const element of descendants(document)) {
        if (isField(element)) fields.push(element);
        count += 1;
        if (count > mostElements) break;
    }
    return fields;
}

/** @param {Window} window @returns {import('../protocol/frame.js').Standing} */
function standingOf(window) {
    if (isKeptApart(window)) return 'opaque';
    return isFrameOfThePage(window) ? 'page' : 'foreign';
}

/** @param {Window} window @returns {number} how many frames are in it, and in those */
function countFrames(window) {
    let count = 0;
    for (let index = 0; index < window.length && count < mostFrames; index += 1) count += 1 + countFrames(window[index]);
    return count;
}
