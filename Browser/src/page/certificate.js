/**
 * Whether the browser itself refuses passkeys on this page because of its certificate, which it shows no extension. A
 * request of our own asks for it, which comes to nothing on every page, and shows nothing.
 *
 * @typedef {'fine' | 'refused' | 'occupied' | 'busy' | 'unknown'} Verdict `occupied`: another request of this document is in
 *     the way, which it may have made for that; `busy`: one of another frame
 */
import { isFrameOfThePage } from './frame.js';

/** Nobody's, so that Chromium says no to it as soon as it has looked at the certificate. */
const nobodys = 'https://keyway.invalid/';
/** Nobody's either, and no name that any list could be fetched from. */
const nameless = '.';
/** How often it is asked while others are in the way. */
const attempts = 4;
/** Between two of them, in milliseconds. */
const pause = 50;
/** How many pauses a browser may take that says nothing. */
const patience = 20;

const conditional = /** @type {CredentialMediationRequirement} */ ('conditional');

export class Certificate {
    #window;
    #isFine = false;
    /** @type {Promise<boolean> | undefined} */
    #asking;

    /** @param {Window & typeof globalThis} window the content script's */
    constructor(window) {
        this.#window = window;
    }

    /** @returns {Promise<boolean>} false wherever the browser does not say so */
    async isRefused() {
        if (this.#isFine || !this.#window.origin.startsWith('https:')) return false;
        // Two at once would be in each other's way.
        this.#asking ??= this.#ask();
        try {
            return await this.#asking;
        } catch {
            return false;
        } finally {
            this.#asking = undefined;
        }
    }

    async #ask() {
        for (let left = attempts; ; left -= 1) {
            const verdict = await this.#judge();
            this.#isFine = verdict === 'fine';
            const isInTheWay = verdict === 'occupied' || verdict === 'busy';
            // Of two requests of one document, the browser refuses one, or ends it.
            if (!isInTheWay || left === 1) return verdict === 'refused' || verdict === 'occupied';
            await this.#sleep();
        }
    }

    #judge() {
        // Chromium alone says what a page allows its frames.
        /** @type {{allowsFeature: (name: string) => boolean} | undefined} */
        const policies = Reflect.get(this.#window.Document.prototype, 'featurePolicy', this.#window.document);
        return policies ? this.#judgeByRefusal(policies) : this.#judgeBySilence();
    }

    /**
     * Chromium looks at the certificate first, and then at whose the request is.
     * @param {{allowsFeature: (name: string) => boolean}} policies
     * @returns {Promise<Verdict>}
     */
    async #judgeByRefusal(policies) {
        // To make one takes the person's gesture away from a frame of another origin.
        const makes = !policies.allowsFeature('publickey-credentials-get') && isFrameOfThePage(this.#window);
        const { name, message } = await this.#refusal((signal) =>
            makes ? this.#make(signal) : this.#get(signal, { extensions: { appid: nobodys } }),
        );
        if (name === 'SecurityError') return 'fine';
        if (name === 'NotAllowedError' && message.includes('TLS certificate')) return 'refused';
        if (name !== 'OperationError') return 'unknown';
        // What another frame waits for comes into view only where the relying party is this page's.
        const other = await this.#refusal((signal) => this.#get(signal, { rpId: nameless }));
        return other.name === 'OperationError' ? 'occupied' : 'busy';
    }

    /** @param {(signal: AbortSignal) => Promise<unknown>} request taken back where the browser has nothing against it */
    #refusal(request) {
        const controller = new AbortController();
        void this.#lose().then(() => controller.abort());
        return failureOf(request(controller.signal));
    }

    /**
     * Firefox names both the same; where the certificate is fine, a request waits for the person. The other question
     * goes the same way after it, so its answer comes later than a refusal.
     * @returns {Promise<Verdict>}
     */
    async #judgeBySilence() {
        const controller = new AbortController();
        const failure = failureOf(this.#get(controller.signal));
        const { PublicKeyCredential } = this.#window;
        const other = failureOf(PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
        const first = await Promise.race([
            failure,
            other.then(() => ({ name: 'waits', message: '' })),
            this.#lose().then(() => ({ name: '', message: '' })),
        ]);
        controller.abort();
        if (first.name === 'waits') return 'fine';
        if (first.name === 'SecurityError') return 'refused';
        // A frame that may get none: nothing is known there, and Firefox tells only so whether it may.
        if (first.message.startsWith('CredentialsContainer')) return 'refused';
        if (first.name === 'AbortError') return 'occupied';
        return first.name === 'NotAllowedError' ? 'busy' : 'unknown';
    }

    /**
     * Conditional, so that no window could open whatever becomes of it.
     * @param {AbortSignal} signal
     * @param {Partial<PublicKeyCredentialRequestOptions>} [more]
     */
    #get(signal, more = {}) {
        const publicKey = { challenge: new Uint8Array(16), ...more };
        return this.#window.navigator.credentials.get({ mediation: conditional, signal, publicKey });
    }

    /** @param {AbortSignal} signal */
    #make(signal) {
        /** @type {CredentialCreationOptions & {mediation: string}} */
        const options = {
            mediation: conditional,
            signal,
            publicKey: {
                challenge: new Uint8Array(16),
                rp: { name: 'Keyway' },
                user: { id: new Uint8Array(16), name: 'Keyway', displayName: 'Keyway' },
                pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
                extensions: { appidExclude: nobodys },
            },
        };
        return this.#window.navigator.credentials.create(options);
    }

    /** The browser took too long. A page that held it up does not count: what was answered meanwhile comes between. */
    async #lose() {
        for (let left = patience; left > 0; left -= 1) await this.#sleep();
    }

    /** @returns {Promise<void>} */
    #sleep() {
        return new Promise((resolve) => {
            this.#window.setTimeout(resolve, pause);
        });
    }
}

/** @param {Promise<unknown>} request @returns {Promise<{name: string, message: string}>} */
async function failureOf(request) {
    try {
        await request;
        return { name: '', message: '' };
    } catch (failure) {
        return /** @type {DOMException} */ (failure);
    }
}
