/**
 * The requests of a page, one at a time as the browser has it: what ends each, and under which name.
 *
 * @typedef {import('./options.js').Circumstances} Circumstances
 * @typedef {(onStart: (withdraw: () => void) => void) => Promise<any>} Question
 * @typedef {{setTimer: (body: () => void, milliseconds: number) => unknown, clearTimer: (timer: any) => void}} Timers
 */
import { apply } from './natives.js';

const Exception = DOMException;
const { addEventListener, removeEventListener } = EventTarget.prototype;
const isAborted = /** @type {() => boolean} */ (Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')?.get);
const abortReason = /** @type {() => unknown} */ (Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'reason')?.get);

/** Stands for "the browser is to be asked". */
export const elsewhere = Object.freeze({});

/**
 * Where the browser itself is to be asked after a registration that nobody was to notice: nobody here was concerned, or
 * it is not for this page to ask, whatever there is.
 */
const unconcerned = /** @type {Record<string, boolean>} */ (
    /** @type {unknown} */ ({
        __proto__: null,
        elsewhere: true,
        refused: true,
        noProvider: true,
        brokerUnreachable: true,
        hostMissing: true,
        hostForbidden: true,
        hostExited: true,
        disconnected: true,
    })
);

/** The failures that a page learns of, by kind; after every other one the browser is asked. */
const exceptions = {
    __proto__: null,
    cancelled: 'NotAllowedError',
    timedOut: 'NotAllowedError',
    notVerified: 'NotAllowedError',
    notFound: 'NotAllowedError',
    providerFailed: 'NotAllowedError',
    exists: 'InvalidStateError',
};

const texts = {
    AbortError: 'The operation was aborted.',
    InvalidStateError: 'The user attempted to register an authenticator that contains one of the credentials already '
        + 'registered with the relying party.',
    NotAllowedError: 'The operation either timed out or was not allowed. See: '
        + 'https://www.w3.org/TR/webauthn-2/#sctn-privacy-considerations-client.',
    NotSupportedError: 'A credential of this type is not stored this way.',
    OperationError: 'A request is already pending.',
    SecurityError: 'The relying party ID is not for this page.',
};

function nothing() {}

/** @param {keyof typeof texts} name */
export function exception(name) {
    return new Exception(texts[name], name);
}

export class Requests {
    /** @type {{isConditional: boolean, end: (reason: unknown) => void} | undefined} */
    #open;
    #refusesSecond;
    #timers;

    /**
     * @param {boolean} refusesSecond what this browser does while a request is open that is not conditional: refuses
     *     the next one, or ends the open one
     * @param {Timers} timers
     */
    constructor(refusesSecond, timers) {
        this.#refusesSecond = refusesSecond;
        this.#timers = timers;
    }

    /**
     * Runs one request to its end.
     * @param {Circumstances} circumstances
     * @param {Question} question
     * @param {boolean} [isUnnoticed] a registration that asks nobody: why there is none is told to nobody
     * @returns {Promise<any>} the answer, or `elsewhere`; rejects with what the page is to get
     */
    async run({ isConditional, signal, timeout }, question, isUnnoticed = false) {
        // The browser says of it what it always says.
        if (signal && apply(isAborted, signal, [])) return elsewhere;
        if (this.#open) {
            if (this.#refusesSecond && !this.#open.isConditional) throw exception('OperationError');
            this.#open.end(exception('AbortError'));
        }
        /** @type {unknown} */
        let reason;
        let withdraw = nothing;
        const open = {
            isConditional,
            end: (/** @type {unknown} */ why) => {
                reason = why;
                withdraw();
            },
        };
        const abort = () => open.end(apply(abortReason, /** @type {AbortSignal} */ (signal), []));
        if (signal) apply(addEventListener, signal, ['abort', abort]);
        const timer = isConditional
            ? undefined
            : this.#timers.setTimer(() => open.end(exception('NotAllowedError')), timeout);
        this.#open = open;
        try {
            return await question((body) => {
                withdraw = body;
            });
        } catch (failure) {
            if (reason !== undefined) throw reason;
            return this.#afterFailure(failure, isUnnoticed);
        } finally {
            if (this.#open === open) this.#open = undefined;
            if (signal) apply(removeEventListener, signal, ['abort', abort]);
            if (timer !== undefined) this.#timers.clearTimer(timer);
        }
    }

    /** @param {any} failure @param {boolean} isUnnoticed */
    #afterFailure(failure, isUnnoticed) {
        if (isUnnoticed) {
            if (unconcerned[failure?.kind]) return elsewhere;
            throw exception('NotAllowedError');
        }
        const kind = /** @type {keyof typeof exceptions} */ (failure?.kind);
        const name = /** @type {keyof typeof texts | undefined} */ (exceptions[kind]);
        if (name) throw exception(name);
        return elsewhere;
    }
}
