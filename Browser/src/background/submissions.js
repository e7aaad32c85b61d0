/**
 * Forms that were sent and whose sign-in has not come to an end: one for each tab, for a few minutes. The password is
 * the native host's from the moment a form is sent; here is only who asks, and where.
 *
 * @typedef {import('../protocol/saving.js').SubmittedForm} SubmittedForm
 * @typedef {import('../protocol/saving.js').FormKind} FormKind
 * @typedef {import('../protocol/saving.js').PageLook} PageLook
 * @typedef {{tab: number, frame: number}} Place
 * @typedef {{session: string, place: Place, origin: string, kind: FormKind, since: number}} Submission
 * @typedef {Pick<import('./native-host.js').NativeHost, 'submitPassword' | 'settlePassword' | 'keepPassword'>} SavingHost
 * @typedef {{
 *     makeIdentifier: () => string,
 *     now: () => number,
 *     look: (place: Place) => Promise<PageLook>,
 *     follow: (isWanted: boolean) => void,
 *     trouble: (error: unknown) => void,
 *     wait: (milliseconds: number) => Promise<void>,
 * }} Surroundings `look`: how the page in a frame looks; `follow`: whether to be told of pages that come and tabs that go
 */
import { AutoFillError } from '../protocol/errors.js';

/** As long as the native host holds a password, in milliseconds. */
const longest = 300_000;
/** How long a user name of a page of its own counts for the page after it. */
const namedFor = 600_000;

/** How often a frame is looked at for the page after its form, and in what steps, in milliseconds. */
const frameLooks = 40;
const frameStep = 250;
/** After so many looks at a frame in which nobody answers, it is gone, and the page around it tells. */
const looksUntilGone = 8;

export class Submissions {
    /** @type {Map<number, Submission>} by tab */
    #open = new Map();
    /** @type {Map<number, {user: string, origin: string, since: number}>} by tab */
    #named = new Map();
    #host;
    #surroundings;

    /** @param {SavingHost} host @param {Surroundings} surroundings */
    constructor(host, surroundings) {
        this.#host = host;
        this.#surroundings = surroundings;
    }

    /**
     * A form without a password was sent: its user name is that of the page after it.
     * @param {Place} place
     * @param {import('./requester.js').Requester} requester
     * @param {string} user
     */
    name({ tab }, requester, user) {
        if (requester.private || user === '') return;
        this.#named.set(tab, { user, origin: originOf(requester), since: this.#surroundings.now() });
        this.#surroundings.follow(true);
    }

    /**
     * @param {Place} place
     * @param {import('./requester.js').Requester} requester
     * @param {SubmittedForm} form
     * @param {FormKind} kind
     */
    async submit(place, requester, form, kind) {
        if (requester.private) throw new AutoFillError('notAllowed', 'nothing of a private window is saved');
        const before = this.#open.get(place.tab);
        const isSame = before?.place.frame === place.frame && before.origin === originOf(requester);
        if (before && !isSame) this.#forget(before);
        const session = isSame && before ? before.session : this.#surroundings.makeIdentifier();
        const since = this.#surroundings.now();
        this.#open.set(place.tab, { session, place, origin: originOf(requester), kind, since });
        this.#surroundings.follow(true);
        const user = form.user || this.#nameFor(place, requester);
        await this.#host.submitPassword({ ...requester, ...form, user, session });
    }

    /**
     * A generated password that the person chose, before its form is sent.
     * @param {import('./requester.js').Requester} requester
     * @param {SubmittedForm} form
     */
    async keep(requester, form) {
        if (requester.private) throw new AutoFillError('notAllowed', 'nothing of a private window is saved');
        await this.#host.keepPassword({ ...requester, ...form, session: this.#surroundings.makeIdentifier() });
    }

    /**
     * The page that sent the form says what became of it.
     * @param {Place} place
     * @param {boolean} worked
     */
    async settle({ tab, frame }, worked) {
        const submission = this.#open.get(tab);
        if (submission?.place.frame === frame) await this.#end(submission, worked);
    }

    /**
     * Another page has come in a tab.
     * @param {number} tab
     */
    async arrived(tab) {
        const submission = this.#open.get(tab);
        if (!submission) return;
        try {
            const look = await this.#surroundings.look(submission.place);
            if (this.#open.get(tab) === submission) await this.#end(submission, hasWorked(look, submission.kind));
        } catch {
            // A page that nobody may look into says nothing; the next one may.
        }
    }

    /**
     * The page in a frame has gone, which the browser tells nobody: the next one there is looked at once it is whole, and
     * the page around it where there is none.
     * @param {Place} place
     */
    async departed({ tab, frame }) {
        const submission = this.#open.get(tab);
        if (frame === 0 || submission?.place.frame !== frame) return;
        for (let count = 0; count < frameLooks; count++) {
            await this.#surroundings.wait(frameStep);
            if (this.#open.get(tab) !== submission) return;
            try {
                const look = await this.#surroundings.look({ tab, frame: count < looksUntilGone ? frame : 0 });
                if (this.#open.get(tab) === submission) await this.#end(submission, hasWorked(look, submission.kind));
                return;
            } catch {
                // It is not there yet, or not whole.
            }
        }
    }

    /** @param {number} tab that is gone */
    gone(tab) {
        const submission = this.#open.get(tab);
        if (submission) this.#forget(submission);
        this.#named.delete(tab);
        this.#rest();
    }

    /** @param {Submission} submission @param {boolean} worked */
    async #end(submission, worked) {
        this.#open.delete(submission.place.tab);
        this.#named.delete(submission.place.tab);
        this.#rest();
        const isOld = this.#surroundings.now() - submission.since > longest;
        try {
            await this.#host.settlePassword({ session: submission.session, worked: worked && !isOld });
        } catch (error) {
            this.#surroundings.trouble(error);
        }
    }

    /** @param {Submission} submission */
    #forget(submission) {
        void this.#end(submission, false);
    }

    /** @param {Place} place @param {import('./requester.js').Requester} requester */
    #nameFor({ tab }, requester) {
        const named = this.#named.get(tab);
        const isFresh = named && this.#surroundings.now() - named.since < namedFor;
        return isFresh && named.origin === originOf(requester) ? named.user : '';
    }

    #rest() {
        if (this.#open.size === 0 && this.#named.size === 0) this.#surroundings.follow(false);
    }
}

/**
 * @param {PageLook} look at the page that came after the form
 * @param {FormKind} kind
 * @returns {boolean} a page that asks for a password again has not taken the one before; one on which passwords are
 *     changed may show its form again, and says what was wrong
 */
export function hasWorked({ status, hasPassword, isComplaining }, kind) {
    if (status >= 400) return false;
    return kind === 'change' ? !isComplaining : !hasPassword;
}

/** @param {import('./requester.js').Requester} requester */
function originOf({ url }) {
    return new URL(url).origin;
}
