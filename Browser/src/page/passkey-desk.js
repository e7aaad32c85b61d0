/**
 * What the page asks of passkeys, as the content script sees to it: whether this frame may, and the conditional request
 * that waits until the person chooses in a menu.
 *
 * @typedef {import('../protocol/passkeys.js').Assertion} Assertion
 * @typedef {import('../protocol/passkeys.js').AssertionRequest} AssertionRequest
 * @typedef {import('./frame.js').Surroundings} FrameSurroundings
 * @typedef {{request: AssertionRequest, answer: (assertion: Assertion) => void}} Waiting
 * @typedef {Pick<import('./background.js').Background, 'suggest' | 'available' | 'getPasskey' | 'createPasskey' | 'report'>}
 *     Passkeys
 */
import { AutoFillError } from '../protocol/errors.js';
import { parsePageAvailable, parsePageReport } from '../protocol/page.js';
import { parseAssertionRequest, parseRegistrationRequest } from '../protocol/passkeys.js';
import { required, truth } from '../protocol/shape.js';

export class PasskeyDesk {
    /** @type {Waiting | undefined} */
    #waiting;
    #passkeys;
    #frame;
    #certificate;
    #onChange;

    /**
     * @param {Passkeys} passkeys
     * @param {FrameSurroundings} frame
     * @param {Pick<import('./certificate.js').Certificate, 'isRefused'>} certificate
     * @param {(isWaiting: boolean) => void} onChange a conditional request began to wait, or ended
     */
    constructor(passkeys, frame, certificate, onChange) {
        this.#passkeys = passkeys;
        this.#frame = frame;
        this.#certificate = certificate;
        this.#onChange = onChange;
    }

    /** The conditional request that waits for the person, if one does. */
    get waiting() {
        return this.#waiting;
    }

    /**
     * @param {string} method
     * @param {unknown} params of the page, or of whoever speaks there
     * @param {AbortSignal} signal
     * @returns {Promise<unknown>}
     */
    async perform(method, params, signal) {
        switch (method) {
            case 'available':
                parsePageAvailable(params);
                return this.#passkeys.available(signal);
            case 'get': {
                const { request, isConditional } = asked(params, parseAssertionRequest);
                const isCrossOrigin = this.#mayAsk('publickey-credentials-get');
                if (isConditional) return this.#wait(request, isCrossOrigin, signal);
                this.#mustBeSeen();
                await this.#mustBeTrusted(signal);
                return this.#passkeys.getPasskey({ request, isCrossOrigin }, signal);
            }
            case 'create': {
                const { request, isConditional } = asked(params, parseRegistrationRequest);
                const isCrossOrigin = this.#mayAsk('publickey-credentials-create');
                if (!isConditional) this.#mustBeSeen();
                else if (isCrossOrigin) throw new AutoFillError('elsewhere');
                if (isCrossOrigin) this.#mustHaveGesture();
                await this.#mustBeTrusted(signal);
                return this.#passkeys.createPasskey({ request, isConditional, isCrossOrigin }, signal);
            }
            case 'report': {
                const report = parsePageReport(params);
                await this.#passkeys.report(report, signal);
                return {};
            }
            default:
                throw new AutoFillError('invalid', 'unknown method');
        }
    }

    /**
     * @param {string} policy
     * @returns {boolean} whether it is a frame in another origin's
     * @throws {AutoFillError} `elsewhere` where the browser is to say so itself
     */
    #mayAsk(policy) {
        const standing = this.#frame.standing(policy);
        if (standing === 'excluded') throw new AutoFillError('elsewhere');
        return standing === 'crossOrigin';
    }

    /** A window for a page that nobody looks at would come from nowhere. */
    #mustBeSeen() {
        if (!this.#frame.isVisible()) throw new AutoFillError('elsewhere');
    }

    /** A frame of another origin makes passkeys only where the person did something in it (WebAuthn 3, 5.1.3). */
    #mustHaveGesture() {
        if (!this.#frame.hasGesture()) throw new AutoFillError('elsewhere');
    }

    /**
     * What the browser refuses because of the page's certificate, it is to refuse itself.
     * @param {AbortSignal} signal
     */
    async #mustBeTrusted(signal) {
        if (await this.#certificate.isRefused()) throw new AutoFillError('elsewhere');
        if (signal.aborted) throw new AutoFillError('cancelled');
    }

    /**
     * @param {AssertionRequest} request
     * @param {boolean} isCrossOrigin a frame of another origin has no menu
     * @param {AbortSignal} signal
     * @returns {Promise<Assertion>}
     */
    async #wait(request, isCrossOrigin, signal) {
        if (isCrossOrigin) throw new AutoFillError('elsewhere');
        await this.#mustBeTrusted(signal);
        const { suggestions, providers } = await this.#passkeys.suggest({ passkeys: filterOf(request) }, signal);
        const hasMatch = suggestions.some(({ kind }) => kind === 'passkey');
        const mayHave = providers.some(({ lists, isSilent }) => isSilent && lists.includes('passkey'));
        if (!hasMatch && !mayHave) throw new AutoFillError('elsewhere');
        if (signal.aborted) throw new AutoFillError('cancelled');
        return new Promise((resolve, reject) => {
            /** @type {Waiting} */
            const waiting = {
                request,
                answer: (assertion) => {
                    this.#leave(waiting);
                    resolve(assertion);
                },
            };
            this.#waiting = waiting;
            signal.addEventListener('abort', () => {
                this.#leave(waiting);
                reject(new AutoFillError('cancelled'));
            });
            this.#onChange(true);
        });
    }

    /** @param {Waiting} waiting */
    #leave(waiting) {
        if (this.#waiting !== waiting) return;
        this.#waiting = undefined;
        this.#onChange(false);
    }
}

/** @param {AssertionRequest} request @returns {import('../protocol/passkeys.js').PasskeyFilter} */
export function filterOf({ relyingParty, allowed }) {
    return relyingParty === undefined ? { allowed } : { relyingParty, allowed };
}

/**
 * @template T
 * @param {unknown} params
 * @param {(value: unknown) => T} parse
 */
function asked(params, parse) {
    const { request, isConditional } = required(params, 'asked', ['request', 'isConditional']);
    return { request: parse(request), isConditional: truth(isConditional, 'asked.isConditional') };
}
