/**
 * Reads what a page gave to `navigator.credentials`. Whatever is missing, mistyped, contradictory or not for us asks
 * nothing here: then the browser is given what was read, and says itself what is wrong with it.
 *
 * @typedef {import('../protocol/passkeys.js').AssertionRequest} AssertionRequest
 * @typedef {import('../protocol/passkeys.js').RegistrationRequest} RegistrationRequest
 * @typedef {import('../protocol/passkeys.js').PRFValues} PRFValues
 * @typedef {import('./webidl.js').Type} Type
 * @typedef {{type: string, id: BufferSource}} Descriptor
 * @typedef {{first: BufferSource, second?: BufferSource}} Salts
 * @typedef {{isConditional: boolean, signal: AbortSignal | undefined, timeout: number}} Circumstances
 *     `timeout` in milliseconds
 */
import { textOf } from './base64url.js';
import { otherKinds } from './dictionaries.js';
import { fillsIn, hasGesture, isFacet } from './surroundings.js';
import { apply, keys, lengthOf } from './natives.js';
import { Refusal } from './webidl.js';

/** The algorithms that passkeys here may have. */
const algorithms = [-7, -8, -257];
/** In milliseconds: as long as nothing is said, at least, and at most. */
const usualTimeout = 300_000;
const leastTimeout = 10_000;
const mostTimeout = 600_000;
/** What browsers take: descriptors in a list, and bytes of an input of `prf`. */
const mostDescriptors = 64;
const mostInput = 256;

/** How a passkey may be protected (CTAP 2.2, section 12.1). */
const policies = ['userVerificationOptional', 'userVerificationOptionalWithCredentialIDList', 'userVerificationRequired'];

const { includes, push } = Array.prototype;

/**
 * @template T
 * @typedef {{given: unknown, asked?: Circumstances & {request: T}}} Reading `given`: what the page gave, as it was read;
 *     `asked`: missing where it is for the browser alone
 */

/**
 * @template T
 * @param {Type} type
 * @param {unknown} options
 * @param {(given: any) => T | undefined} readRequest
 * @returns {Reading<T>}
 * @throws what the page's own code throws while it is read, and what a value gives that cannot be read
 */
function readOptions(type, options, readRequest) {
    try {
        const given = type.convert(options);
        const circumstances = readCircumstances(given);
        const request = circumstances && readRequest(given);
        return request ? { given, asked: { ...circumstances, request } } : { given };
    } catch (refusal) {
        if (refusal instanceof Refusal) return { given: refusal.shown };
        throw refusal;
    }
}

/**
 * @param {Type} type of the options of `navigator.credentials.get`
 * @param {unknown} options
 * @returns {Reading<AssertionRequest>}
 */
export function readGet(type, options) {
    return readOptions(type, options, ({ publicKey, mediation, password, uiMode }) => {
        const { rpId } = publicKey;
        const allowed = readCredentials(publicKey.allowCredentials);
        if (password || !allowed || rpId === '') return undefined;
        // The browser refuses these, or knows no such mode.
        if (uiMode && (allowed.length > 0 || mediation === 'conditional' || !hasGesture())) return undefined;
        const extensions = readAssertionInputs(publicKey.extensions, allowed);
        if (!extensions) return undefined;
        /** @type {AssertionRequest} */
        const request = {
            challenge: textOf(publicKey.challenge),
            allowed,
            userVerification: readPreference(publicKey.userVerification),
        };
        if (rpId !== undefined) request.relyingParty = rpId;
        if (keys(extensions).length > 0) request.extensions = extensions;
        return request;
    });
}

/**
 * @param {Type} type of the options of `navigator.credentials.create`
 * @param {unknown} options
 * @returns {Reading<RegistrationRequest>}
 */
export function readCreate(type, options) {
    return readOptions(type, options, ({ publicKey, password }) => {
        if (password !== undefined) return undefined;
        const { rp, attestation, authenticatorSelection: selection } = publicKey;
        const user = readUser(publicKey.user);
        const wanted = readAlgorithms(publicKey.pubKeyCredParams);
        const excluded = readCredentials(publicKey.excludeCredentials);
        const extensions = readRegistrationInputs(publicKey.extensions, selection);
        if (!user || !wanted || !excluded || !extensions || rp.id === '') return undefined;
        if (wantsSecurityKey(selection, publicKey.hints)) return undefined;
        const userVerification = readPreference(selection?.userVerification);
        const challenge = textOf(publicKey.challenge);
        /** @type {RegistrationRequest} */
        const request = { challenge, user, algorithms: wanted, excluded, userVerification };
        if (rp.id !== undefined) request.relyingParty = rp.id;
        // Every other word counts as `none` (section 5.4).
        if (attestation === 'indirect' || attestation === 'direct' || attestation === 'enterprise') {
            request.attestation = attestation;
        }
        if (keys(extensions).length > 0) request.extensions = extensions;
        return request;
    });
}

/** @param {any} given @returns {Circumstances | undefined} nothing where the page may mean another kind of credential */
function readCircumstances({ publicKey, mediation, signal, ...others }) {
    if (!publicKey || mediation === 'silent') return undefined;
    for (let at = 0; at < otherKinds.length; at += 1) if (others[otherKinds[at]] !== undefined) return undefined;
    return { isConditional: mediation === 'conditional', signal, timeout: readTimeout(publicKey.timeout) };
}

/** @param {number | undefined} timeout */
function readTimeout(timeout) {
    if (timeout === undefined) return usualTimeout;
    if (timeout < leastTimeout) return leastTimeout;
    return timeout > mostTimeout ? mostTimeout : timeout;
}

/** @param {unknown} value @returns {'required' | 'preferred' | 'discouraged'} an unknown word counts as none */
function readPreference(value) {
    return value === 'required' || value === 'discouraged' ? value : 'preferred';
}

/**
 * @param {Descriptor[] | undefined} descriptors
 * @returns {string[] | undefined} the credential IDs; those of unknown types are left out, as long as others are there
 */
function readCredentials(descriptors = []) {
    if (descriptors.length > mostDescriptors) return undefined;
    /** @type {string[]} */
    const found = [];
    for (let at = 0; at < descriptors.length; at += 1) {
        const { type, id } = descriptors[at];
        const identifier = textOf(id);
        if (identifier === '') return undefined;
        if (type === 'public-key') apply(push, found, [identifier]);
    }
    return descriptors.length > 0 && found.length === 0 ? undefined : found;
}

/** @param {{id: BufferSource, name: string, displayName: string}} user */
function readUser({ id, name, displayName }) {
    const identifier = textOf(id);
    return identifier === '' || identifier.length > 86 ? undefined : { id: identifier, name, displayName };
}

/** @param {{type: string, alg: number}[]} parameters @returns {number[] | undefined} what may be used, the preferred first */
function readAlgorithms(parameters) {
    // WebAuthn Level 3, section 5.1.3, step 10.
    if (parameters.length === 0) return [-7, -257];
    /** @type {number[]} */
    const found = [];
    for (let at = 0; at < parameters.length; at += 1) {
        const { type, alg } = parameters[at];
        if (type === 'public-key' && apply(includes, algorithms, [alg])) apply(push, found, [alg]);
    }
    return found.length > 0 ? found : undefined;
}

/**
 * A key that is plugged in, or another device: ours is neither.
 * @param {{authenticatorAttachment?: string} | undefined} selection
 * @param {string[] | undefined} hints
 */
function wantsSecurityKey(selection, hints) {
    if (selection?.authenticatorAttachment === 'cross-platform') return true;
    return hints?.[0] === 'security-key' || hints?.[0] === 'hybrid';
}

/** @param {any} given whether the browser is to say what is wrong, or does what we do not */
function isForBrowser({ appid, appidExclude, ...others }) {
    if (appid !== undefined || (appidExclude !== undefined && !isFacet(appidExclude))) return true;
    return others.payment !== undefined || others.remoteDesktopClientOverride !== undefined;
}

/** @param {string | undefined} policy @returns {boolean} Firefox refuses other words, also where they are for nothing */
function isPolicy(policy) {
    return policy === undefined || apply(includes, policies, [policy]);
}

/**
 * Ours protects every passkey alike, and promises nothing; a browser refuses what no key could keep.
 * @param {any} extensions
 * @param {any} selection
 */
function isProtectionInOrder({ credentialProtectionPolicy: policy, enforceCredentialProtectionPolicy }, selection) {
    if (enforceCredentialProtectionPolicy || !isPolicy(policy)) return false;
    if (policy === undefined) return true;
    const key = selection?.residentKey ?? (selection?.requireResidentKey ? 'required' : 'discouraged');
    if (key !== 'required' && key !== 'preferred') return false;
    return policy !== 'userVerificationRequired' || selection.userVerification === 'required';
}

/** @param {string} name @param {boolean | undefined} value Firefox refuses a `false` too, Chromium gives pages one */
function isThere(name, value) {
    return value === true || (value === false && !fillsIn(name));
}

/** @param {any} given @param {string[]} allowed */
function readAssertionInputs(given, allowed) {
    /** @type {import('../protocol/passkeys.js').AssertionExtensions} */
    const inputs = {};
    if (!given) return inputs;
    const { appid, credProps, minPinLength, prf, largeBlob } = given;
    // For registrations alone.
    if (isThere('credProps', credProps) || isThere('minPinLength', minPinLength)) return undefined;
    if (!isPolicy(given.credentialProtectionPolicy)) return undefined;
    if ((appid !== undefined && !isFacet(appid)) || given.payment !== undefined) return undefined;
    if (given.remoteDesktopClientOverride !== undefined) return undefined;
    if (prf) {
        inputs.prf = readPRF(prf, allowed);
        if (!inputs.prf) return undefined;
    }
    if (largeBlob) {
        const { support, read, write } = largeBlob;
        if (support !== undefined) return undefined;
        if (write !== undefined) {
            if (read !== undefined || allowed.length !== 1) return undefined;
            inputs.largeBlob = { write: textOf(write) };
        } else if (read) {
            inputs.largeBlob = { read: true };
        }
    }
    return inputs;
}

/**
 * @param {{eval?: Salts, evalByCredential?: Record<string, Salts>}} prf
 * @param {string[]} allowed
 * @returns {import('../protocol/passkeys.js').PRFInput | undefined}
 */
function readPRF({ eval: general, evalByCredential }, allowed) {
    /** @type {import('../protocol/passkeys.js').PRFInput} */
    const input = {};
    if (general) {
        const values = readSalts(general);
        if (!values) return undefined;
        input.eval = values;
    }
    if (evalByCredential) {
        const ids = keys(evalByCredential);
        if (ids.length > 0 && allowed.length === 0) return undefined;
        /** @type {Record<string, PRFValues>} */
        const byCredential = {};
        for (let at = 0; at < ids.length; at += 1) {
            const values = readSalts(evalByCredential[ids[at]]);
            if (!values || !apply(includes, allowed, [ids[at]])) return undefined;
            byCredential[ids[at]] = values;
        }
        if (ids.length > 0) input.evalByCredential = byCredential;
    }
    return input;
}

/** @param {any} given @param {any} selection */
function readRegistrationInputs(given, selection) {
    /** @type {import('../protocol/passkeys.js').RegistrationExtensions} */
    const inputs = {};
    if (!given) return inputs;
    const { credProps, prf, largeBlob } = given;
    if (isForBrowser(given) || !isProtectionInOrder(given, selection)) return undefined;
    if (credProps) inputs.credProps = true;
    if (prf) {
        if (prf.evalByCredential) return undefined;
        inputs.prf = {};
        if (prf.eval) {
            const values = readSalts(prf.eval);
            if (!values) return undefined;
            inputs.prf.eval = values;
        }
    }
    if (largeBlob) {
        const { support, read, write } = largeBlob;
        if (read !== undefined || write !== undefined) return undefined;
        inputs.largeBlob = { support: support === 'required' ? 'required' : 'preferred' };
    }
    return inputs;
}

/** @param {Salts} salts @returns {PRFValues | undefined} */
function readSalts({ first, second }) {
    if (lengthOf(first) > mostInput || (second && lengthOf(second) > mostInput)) return undefined;
    return second ? { first: textOf(first), second: textOf(second) } : { first: textOf(first) };
}
