/**
 * The person's corrections in one frame: read when the first field has the focus, and put over what the detection says.
 *
 * @typedef {import('../detection/classify.js').Role} Role
 * @typedef {import('../detection/describe.js').Form} Form
 * @typedef {import('./store.js').Use} Use
 * @typedef {{read: () => Promise<import('./store.js').SiteCorrections>}} Kept what is kept for the site of the frame
 */
import { classify } from '../detection/classify.js';
import { marksOf } from './marks.js';

/** @type {Record<Use, Role>} */
const roles = { nothing: 'none', username: 'username', password: 'current-password', code: 'one-time-code' };

export class PageCorrections {
    /** @type {import('./store.js').SiteCorrections | undefined} */
    #known;
    #kept;

    /** @param {Kept} kept */
    constructor(kept) {
        this.#kept = kept;
    }

    /** Whether they were read; until then no role is final. */
    get isKnown() {
        return this.#known !== undefined;
    }

    /** Reads them. Where that fails, as in a page whose extension was updated, there are none. */
    async load() {
        const read = await this.#kept.read().catch(() => ({}));
        // What the person said meanwhile counts.
        this.#known = { ...read, ...this.#known };
    }

    /** What is kept has changed elsewhere. */
    forget() {
        this.#known = undefined;
    }

    /**
     * @param {Form} form
     * @returns {Role[]} one for each field. A password goes into password fields alone, whatever the person said.
     */
    rolesIn({ description }) {
        const found = classify(description);
        const known = this.#known ?? {};
        if (Object.keys(known).length === 0) return found;
        const marks = marksOf(description);
        return found.map((role, index) => {
            const use = known[marks[index] ?? ''];
            return use && isPossible(use, description.fields[index]?.type === 'password') ? roles[use] : role;
        });
    }

    /**
     * @param {Form} form
     * @param {HTMLInputElement} field
     * @param {Use | undefined} use nothing where Keyway decides again
     * @returns {string | undefined} the mark of the field; nothing where it cannot be used so
     */
    correct({ fields, description }, field, use) {
        const mark = marksOf(description)[fields.indexOf(field)];
        if (mark === undefined || (use && !isPossible(use, field.type === 'password'))) return undefined;
        const { [mark]: _, ...others } = this.#known ?? {};
        this.#known = use ? { ...others, [mark]: use } : others;
        return mark;
    }
}

/** @param {Use} use @param {boolean} isPassword whether the field hides what is typed */
function isPossible(use, isPassword) {
    return use === 'password' ? isPassword : use !== 'username' || !isPassword;
}
