/**
 * What the rules look at: the description of a form with its words looked up, and what the stages before have found.
 *
 * @typedef {'secret' | 'identifier' | 'code' | 'other'} Nature what is typed into a field: a password, something that
 *     tells who the person is, a one-time code, anything else
 * @typedef {'signIn' | 'signUp' | 'change' | 'recovery' | 'verification' | 'checkout' | 'newsletter' | 'search'
 *     | 'contact' | 'other'} Kind what a form is for
 *
 * Descriptions are texts and facts, no element. All texts are normalised (`words.js`).
 *
 * @typedef {object} FieldDescription
 * @property {string} type the input's type; `password` also where a text field hides what is typed and asks for one
 * @property {readonly string[]} autocomplete its tokens, lower case
 * @property {string} names what the page's author calls it: name, id and the like
 * @property {string} labels what the person reads: labels, placeholder, accessible name; without any, the text beside it
 * @property {string} look its classes
 * @property {number | undefined} maxLength in UTF-16 code units
 * @property {boolean} isDigits whether it is made for digits
 * @property {boolean} hasPicture whether a picture stands beside it
 * @property {boolean} isHidden whether it is not drawn
 *
 * @typedef {object} ButtonDescription
 * @property {string} text what it says
 * @property {string} names what the page's author calls it
 * @property {number} before how many fields stand before it
 * @property {boolean} isSubmit whether it is written to send the form
 *
 * @typedef {object} FormDescription
 * @property {readonly FieldDescription[]} fields in the order of the page
 * @property {readonly ButtonDescription[]} buttons in the order of the page
 * @property {string} names the form's own name, id, class and address
 * @property {string} around what the parts of the page around it are called
 * @property {string} headings what stands in it as a heading, or right above it
 * @property {string} lead the text right above it
 * @property {string} text the first words in it, its links and labels
 * @property {string} trail the text right after it
 * @property {string} page title and path of the page
 * @property {boolean} isSearch whether it is marked as a search
 * @property {boolean} hasMessage whether a longer text is asked for
 */
import { fieldWords, formWords, lookWords } from './words.js';

/** Buttons that sign in with an account from elsewhere say what they use, and that is none of these. */
const elsewhere =
    /(?:^|[^\p{L}])(?:with|via|using|mit|con|avec|com|met|med|przez|через|ile) (?!e ?mail|pass|phone|code|your|my |a |sms)\p{L}/u;

/**
 * @template {string} Topic
 * @param {Record<Topic, {test(text: string): boolean}>} words
 * @param {string} text
 * @returns {(topic: Topic) => boolean} whether the text is about it
 */
function reader(words, text) {
    /** @type {Map<Topic, boolean>} */
    const known = new Map();
    return (topic) => {
        let answer = known.get(topic);
        if (answer === undefined) {
            answer = text !== '' && words[topic].test(text);
            known.set(topic, answer);
        }
        return answer;
    };
}

/** One field, and where it stands among the others. */
export class FieldFacts {
    /** @param {FormFacts} form @param {number} index */
    constructor(form, index) {
        this.form = form;
        this.index = index;
        this.description = /** @type {FieldDescription} */ (form.description.fields[index]);
        /** Whether what the person reads there is about a topic. */
        this.label = reader(fieldWords, this.description.labels);
        /** Whether what the author calls it is about a topic. */
        this.name = reader(fieldWords, this.description.names);
        /** Whether its classes are about a topic. */
        this.look = reader(lookWords, this.description.look);
        /** @type {Nature} found by the rules about fields */
        this.nature = 'other';
    }

    /** @param {keyof typeof fieldWords} topic */
    told(topic) {
        return this.label(topic) || this.name(topic);
    }

    get isPassword() {
        return this.description.type === 'password';
    }

    /** @returns {string} the token of `autocomplete` that says what it is for (HTML, 4.10.18.7.1) */
    get purpose() {
        const { autocomplete } = this.description;
        return autocomplete.findLast((word) => word !== 'webauthn') ?? '';
    }

    /** Whether it is one of four or more neighbours that take one character each. */
    get isBox() {
        return this.form.boxes.has(this.index);
    }

    /** The password fields of the form, in their order. */
    get secrets() {
        return this.form.secrets;
    }

    /** The next password field. */
    get nextSecret() {
        return this.secrets[this.secrets.indexOf(this) + 1];
    }

    /** Whether it asks for the same again as the password field before it. */
    get isRepetition() {
        if (!this.isPassword || this.told('current')) return false;
        const before = this.secrets[this.secrets.indexOf(this) - 1];
        if (!before || before.told('current')) return false;
        if (this.told('repeat')) return true;
        const [mine, other] = [this.description.names, before.description.names];
        return mine !== '' && mine !== other && countless(mine) === countless(other) && firstWords(mine).endsWith('2');
    }

    /** Whether the next field is a password field; what is not drawn does not count. */
    get isBeforeSecret() {
        const next = this.form.fields.find(
            ({ index, description, nature }) => index > this.index && (nature === 'secret' || !description.isHidden),
        );
        return next?.nature === 'secret';
    }
}

/** @param {string} names normalised */
function countless(names) {
    return names.replace(/\d+/g, '');
}

/** @param {string} names normalised */
function firstWords(names) {
    return /^\P{N}*\d*/u.exec(names)?.[0].trim() ?? '';
}

/** A form: the words at its places, and its shape. */
export class FormFacts {
    /** @param {FormDescription} description */
    constructor(description) {
        this.description = description;
        this.fields = description.fields.map((_, index) => new FieldFacts(this, index));
        const { main, others } = mainButton(description);
        this.button = reader(formWords, main.map(({ text }) => text).join(' , '));
        this.buttonName = reader(formWords, main.map(({ names }) => names).join(' , '));
        this.otherButtons = reader(formWords, others.map(({ text }) => text).join(' , '));
        this.heading = reader(formWords, description.headings);
        this.name = reader(formWords, description.names);
        this.around = reader(formWords, description.around);
        this.lead = reader(formWords, description.lead);
        this.text = reader(formWords, description.text);
        this.trail = reader(formWords, description.trail);
        this.page = reader(formWords, description.page);
        this.boxes = boxesAmong(description.fields);
        /** @type {Kind} found by the rules about forms */
        this.kind = 'other';
        /** @type {readonly FieldFacts[]} */
        this.secrets = [];
    }

    /** Called once the nature of each field is known. */
    settle() {
        this.secrets = this.having('secret');
    }

    /** @param {Nature} nature */
    having(nature) {
        return this.fields.filter((field) => field.nature === nature);
    }

    /** Whether one of the places that a person looks at first is about a topic. */
    announces(/** @type {keyof typeof formWords} */ topic) {
        return [this.button, this.heading, this.lead, this.page].some((says) => says(topic));
    }

    /** Whether it, or the text after it, is about a topic: links for people who are stuck stand outside many forms. */
    offers(/** @type {keyof typeof formWords} */ topic) {
        return this.text(topic) || this.trail(topic);
    }

    get hasSecret() {
        return this.secrets.length > 0;
    }

    /** Whether a person cannot see any of its password fields. */
    get hidesSecrets() {
        return this.hasSecret && this.secrets.every(({ description }) => description.isHidden);
    }
}

/**
 * The button that sends the form: the first one after its last password field that is written to do so; without one, all
 * buttons after its first field.
 * @param {FormDescription} form
 */
function mainButton({ fields, buttons }) {
    const own = buttons.filter(({ text, before }) => before > 0 && !elsewhere.test(text));
    const lastSecret = fields.map(({ type }) => type).lastIndexOf('password');
    const after = own.filter(({ before }) => before > lastSecret);
    const one = after.find(({ isSubmit }) => isSubmit) ?? after[0];
    const main = lastSecret >= 0 && one ? [one] : own;
    return { main, others: buttons.filter((button) => !main.includes(button)) };
}

/**
 * @param {readonly FieldDescription[]} fields
 * @returns {Set<number>} where four or more fields of one character follow one another
 */
function boxesAmong(fields) {
    /** @type {Set<number>} */
    const boxes = new Set();
    /** @type {number[]} */
    let row = [];
    for (const [index, field] of [...fields, undefined].entries()) {
        if (field?.maxLength === 1) {
            row.push(index);
            continue;
        }
        if (row.length >= 4) for (const at of row) boxes.add(at);
        row = [];
    }
    return boxes;
}
