/**
 * Puts itself before `navigator.credentials`: what is not for us, or not ours in the end, goes on to the browser's own
 * function with what was read of the page's options.
 *
 * @typedef {typeof globalThis} Scope
 * @typedef {import('../protocol/passkeys.js').Availability} Availability
 * @typedef {(withdraw: () => void) => void} OnStart
 */
import { isMadeHere, makeAssertion, makeRegistration, teachPrototypes, wrap } from './objects.js';
import { apply, defineProperty, entries, getOwnPropertyDescriptor, keys } from './natives.js';
import { creationOptions, requestOptions } from './dictionaries.js';
import { readCreate, readGet } from './options.js';
import { installSignals } from './signals.js';
import { elsewhere, exception } from './requests.js';
import { asReadBy } from './webidl.js';

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

    replaceReader('get', requestOptions, readGet, (asked) => {
        const { request, isConditional } = asked;
        const question = (/** @type {OnStart} */ onStart) => channel.ask('get', { request, isConditional }, onStart);
        return { run: () => requests.run(asked, question), make: makeAssertion };
    });

    replaceReader('create', creationOptions, readCreate, (asked, native) => {
        const { request, isConditional } = asked;
        let isOfThisPage = true;
        /** @param {OnStart} onStart */
        const question = (onStart) =>
            channel.ask('create', { request, isConditional }, onStart).catch((failure) => {
                isOfThisPage = failure?.kind !== 'refused';
                throw failure;
            });
        const browser = isConditional ? quiet(native, () => isOfThisPage) : native;
        return { run: () => requests.run(asked, question, isConditional), make: makeRegistration, browser };
    });

    replace(container, 'store', (native, self, values) => {
        if (self !== credentials || !isMadeHere(values[0])) return apply(native, self, values);
        return Promise.reject(exception('NotSupportedError'));
    });

    /**
     * What the page gives is read once; whoever answers, gets what was read.
     * @template T
     * @param {'get' | 'create'} name
     * @param {import('./webidl.js').Type} options
     * @param {(type: import('./webidl.js').Type, options: unknown) => import('./options.js').Reading<T>} read
     * @param {(asked: NonNullable<import('./options.js').Reading<T>['asked']>, native: Function) =>
     *     {run: () => Promise<any>, make: (scope: Scope, answer: any) => object, browser?: Function}} answer
     */
    function replaceReader(name, options, read, answer) {
        /** @type {import('./webidl.js').Type | undefined} */
        let dictionary;
        replace(container, name, async (native, self, values) => {
            if (self !== credentials || values.length === 0) return apply(native, self, values);
            dictionary ??= asReadBy(options, (sample) => apply(native, self, [sample]).catch(() => {}));
            const { given, asked } = read(dictionary, values[0]);
            if (!asked) return apply(native, self, [given]);
            const { run, make, browser = native } = answer(asked, native);
            const found = await run();
            return found === elsewhere ? apply(browser, self, [given]) : make(scope, found);
        });
    }

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
