/**
 * Puts itself before `navigator.credentials`: what is not for us, or not ours in the end, goes on to the browser's own
 * function with what the page gave.
 *
 * @typedef {typeof globalThis} Scope
 * @typedef {import('../protocol/passkeys.js').Availability} Availability
 */
import { makeAssertion, makeRegistration, teachPrototypes, wrap } from './objects.js';
import { apply, defineProperty, entries, getOwnPropertyDescriptor, keys } from './natives.js';
import { readCreate, readGet } from './options.js';
import { installSignals } from './signals.js';
import { elsewhere, exception } from './requests.js';

/** How long a page waits for what it can count on, in milliseconds: it may show nothing before it knows. */
const patience = 1000;

/**
 * @param {Scope} scope the page's world
 * @param {{ask: (method: string, params: object, onStart?: (withdraw: () => void) => void) => Promise<any>}} channel
 * @param {import('./requests.js').Requests} requests
 * @param {import('./requests.js').Timers} timers
 */
export function install(scope, channel, requests, timers) {
    const { credentials } = scope.navigator;
    const { PublicKeyCredential } = scope;
    const known = getOwnPropertyDescriptor(PublicKeyCredential, 'getClientCapabilities')?.value;
    const capabilities = known && (() => apply(known, PublicKeyCredential, []));
    const container = scope.CredentialsContainer.prototype;

    replace(container, 'get', (native, self, values) => {
        const asked = self === credentials ? readGet(values[0]) : undefined;
        if (!asked) return apply(native, self, values);
        const { request, isConditional } = asked;
        return answered(native, self, values, makeAssertion, () =>
            requests.run(asked, (onStart) => channel.ask('get', { request, isConditional }, onStart)),
        );
    });

    replace(container, 'create', (native, self, values) => {
        const asked = self === credentials ? readCreate(values[0]) : undefined;
        if (!asked) return apply(native, self, values);
        const { request, isConditional } = asked;
        let isOfThisPage = true;
        /** @param {(withdraw: () => void) => void} onStart */
        const question = (onStart) =>
            channel.ask('create', { request, isConditional }, onStart).catch((failure) => {
                isOfThisPage = failure?.kind !== 'refused';
                throw failure;
            });
        const run = () => requests.run(asked, question, isConditional);
        const browser = isConditional ? quiet(native, () => isOfThisPage) : native;
        return answered(browser, self, values, makeRegistration, run);
    });

    /**
     * A browser that does not know the word would open a window for what nobody is to notice.
     * @param {Function} native
     * @param {() => boolean} isOfThisPage whether the page may use the relying party
     */
    function quiet(native, isOfThisPage) {
        return wrap(native, async (_, self, values) => {
            const { conditionalCreate } = (await capabilities?.()) ?? {};
            if (conditionalCreate !== true) throw exception(isOfThisPage() ? 'NotAllowedError' : 'SecurityError');
            return apply(native, self, values);
        });
    }

    /**
     * @template T
     * @param {Function} native
     * @param {unknown} self
     * @param {unknown[]} values
     * @param {(scope: Scope, answer: T) => object} make
     * @param {() => Promise<T>} run
     */
    async function answered(native, self, values, make, run) {
        const answer = await run();
        return answer === elsewhere ? apply(native, self, values) : make(scope, answer);
    }

    /** @returns {Promise<Availability>} */
    const availability = async () => {
        /** @type {(() => void) | undefined} */
        let withdraw;
        const timer = timers.setTimer(() => withdraw?.(), patience);
        try {
            return await channel.ask('available', {}, (body) => {
                withdraw = body;
            });
        } catch {
            return { isAvailable: false, canVerify: false, makesInBackground: false };
        } finally {
            timers.clearTimer(timer);
        }
    };

    installAvailability(PublicKeyCredential, availability);
    installSignals(scope, channel);
    teachPrototypes(scope);
}

/**
 * What the page can count on: ours, and what the browser has besides.
 * @param {any} PublicKeyCredential
 * @param {() => Promise<Availability>} availability
 */
function installAvailability(PublicKeyCredential, availability) {
    /** @param {string} name @param {(ours: Availability) => boolean} isOurs */
    const either = (name, isOurs) =>
        replace(PublicKeyCredential, name, async (native, self, values) => {
            const ours = await availability();
            return isOurs(ours) || apply(native, self, values);
        });
    either('isConditionalMediationAvailable', ({ isAvailable }) => isAvailable);
    either('isUserVerifyingPlatformAuthenticatorAvailable', ({ isAvailable, canVerify }) => isAvailable && canVerify);
    replace(PublicKeyCredential, 'getClientCapabilities', async (native, self, values) => {
        const [ours, capabilities] = await Promise.all([availability(), apply(native, self, values)]);
        return ours.isAvailable ? merged(capabilities, ours) : capabilities;
    });
}

/** @param {Record<string, boolean>} capabilities the browser's @param {Availability} ours */
function merged(capabilities, { canVerify, makesInBackground }) {
    const added = {
        conditionalCreate: makesInBackground,
        conditionalGet: true,
        passkeyPlatformAuthenticator: canVerify,
        userVerifyingPlatformAuthenticator: canVerify,
        relatedOrigins: true,
        signalAllAcceptedCredentials: true,
        signalCurrentUserDetails: true,
        signalUnknownCredential: true,
        'extension:credProps': true,
        'extension:largeBlob': true,
        'extension:prf': true,
    };
    /** @type {Record<string, boolean>} */
    const all = { ...capabilities };
    for (const [name, isThere] of entries(added)) all[name] = all[name] === true || isThere;
    /** @type {Record<string, boolean>} */
    const ordered = {};
    // The browser's own come in the order of their names.
    const names = keys(all);
    names.sort();
    for (const name of names) ordered[name] = all[name];
    return ordered;
}

/**
 * @param {object} owner
 * @param {string} name
 * @param {(native: Function, self: unknown, values: unknown[]) => unknown} body
 */
export function replace(owner, name, body) {
    const property = getOwnPropertyDescriptor(owner, name);
    if (typeof property?.value !== 'function') return;
    defineProperty(owner, name, { ...property, value: wrap(property.value, body) });
}
