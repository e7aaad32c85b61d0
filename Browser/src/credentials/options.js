/**
 * Reads what a page gave to `navigator.credentials`. Whatever is missing, mistyped, contradictory or not for us gives
 * nothing: then the browser is asked, with what the page gave, and says itself what is wrong with it.
 *
 * @typedef {import('../protocol/passkeys.js').AssertionRequest} AssertionRequest
 * @typedef {import('../protocol/passkeys.js').RegistrationRequest} RegistrationRequest
 * @typedef {import('../protocol/passkeys.js').PRFValues} PRFValues
 * @typedef {{isConditional: boolean, signal: AbortSignal | undefined, timeout: number}} Circumstances
 *     `timeout` in milliseconds
 */
import { textOf } from './base64url.js';
import { apply, entries, isArray, keys } from './natives.js';

/** What else a page may ask for with the same call; then it is not for us. */
const otherKinds = ['password', 'federated', 'otp', 'identity', 'digital'];
/** The algorithms that passkeys here may have. */
const algorithms = [-7, -8, -257];
/** In milliseconds: as long as nothing is said, at least, and at most. */
const usualTimeout = 300_000;
const leastTimeout = 10_000;
const mostTimeout = 600_000;

const { includes, push } = Array.prototype;
const Signal = AbortSignal;

/**
 * @param {unknown} options of `navigator.credentials.get`
 * @returns {(Circumstances & {request: AssertionRequest}) | undefined}
 */
export function readGet(options) {
    const circumstances = readCircumstances(options);
    const publicKey = member(options, 'publicKey');
    if (!circumstances || !isObject(publicKey)) return undefined;
    const challenge = textOf(member(publicKey, 'challenge'));
    const allowed = readCredentials(member(publicKey, 'allowCredentials'));
    const relyingParty = member(publicKey, 'rpId');
    if (challenge === undefined || !allowed || !isOptionalText(relyingParty)) return undefined;
    const extensions = readAssertionInputs(member(publicKey, 'extensions'), allowed);
    if (!extensions) return undefined;
    /** @type {AssertionRequest} */
    const request = { challenge, allowed, userVerification: readPreference(member(publicKey, 'userVerification')) };
    if (relyingParty !== undefined) request.relyingParty = relyingParty;
    if (keys(extensions).length > 0) request.extensions = extensions;
    return { ...circumstances, timeout: readTimeout(publicKey), request };
}

/**
 * @param {unknown} options of `navigator.credentials.create`
 * @returns {(Circumstances & {request: RegistrationRequest}) | undefined}
 */
export function readCreate(options) {
    const circumstances = readCircumstances(options);
    const publicKey = member(options, 'publicKey');
    if (!circumstances || !isObject(publicKey)) return undefined;
    const challenge = textOf(member(publicKey, 'challenge'));
    const user = readUser(member(publicKey, 'user'));
    const party = member(publicKey, 'rp');
    const wanted = readAlgorithms(member(publicKey, 'pubKeyCredParams'));
    const excluded = readCredentials(member(publicKey, 'excludeCredentials'));
    const selection = member(publicKey, 'authenticatorSelection') ?? {};
    if (challenge === undefined || !user || !isObject(party) || !wanted || !excluded) return undefined;
    const relyingParty = member(party, 'id');
    if (typeof member(party, 'name') !== 'string' || !isOptionalText(relyingParty)) return undefined;
    if (!isObject(selection) || wantsSecurityKey(selection, member(publicKey, 'hints'))) return undefined;
    const extensions = readRegistrationInputs(member(publicKey, 'extensions'));
    if (!extensions) return undefined;
    const userVerification = readPreference(member(selection, 'userVerification'));
    /** @type {RegistrationRequest} */
    const request = { challenge, user, algorithms: wanted, excluded, userVerification };
    if (relyingParty !== undefined) request.relyingParty = relyingParty;
    const attestation = member(publicKey, 'attestation');
    // Every other word counts as `none` (section 5.4).
    if (attestation === 'indirect' || attestation === 'direct' || attestation === 'enterprise') {
        request.attestation = attestation;
    }
    if (keys(extensions).length > 0) request.extensions = extensions;
    return { ...circumstances, timeout: readTimeout(publicKey), request };
}

/** @param {unknown} options @returns {Circumstances | undefined} */
function readCircumstances(options) {
    if (!isObject(options)) return undefined;
    for (const kind of otherKinds) if (member(options, kind) !== undefined) return undefined;
    const mediation = member(options, 'mediation');
    const isConditional = mediation === 'conditional';
    if (!isConditional && mediation !== undefined && mediation !== 'optional' && mediation !== 'required') {
        return undefined;
    }
    const signal = member(options, 'signal');
    if (signal !== undefined && !(signal instanceof Signal)) return undefined;
    return { isConditional, signal, timeout: usualTimeout };
}

/** @param {object} publicKey */
function readTimeout(publicKey) {
    const timeout = member(publicKey, 'timeout');
    if (typeof timeout !== 'number' || !(timeout > 0)) return usualTimeout;
    if (timeout < leastTimeout) return leastTimeout;
    return timeout > mostTimeout ? mostTimeout : timeout;
}

/** @param {unknown} value @returns {'required' | 'preferred' | 'discouraged'} an unknown word counts as none */
function readPreference(value) {
    return value === 'required' || value === 'discouraged' ? value : 'preferred';
}

/**
 * @param {unknown} value
 * @returns {string[] | undefined} the credential IDs; those of unknown types are left out, as long as others are there
 */
function readCredentials(value) {
    if (value === undefined) return [];
    if (!isArray(value)) return undefined;
    /** @type {string[]} */
    const found = [];
    for (let at = 0; at < value.length; at += 1) {
        const type = member(value[at], 'type');
        const id = textOf(member(value[at], 'id'));
        if (typeof type !== 'string' || !id) return undefined;
        if (type === 'public-key') apply(push, found, [id]);
    }
    return value.length > 0 && found.length === 0 ? undefined : found;
}

/** @param {unknown} value @returns {{id: string, name: string, displayName: string} | undefined} */
function readUser(value) {
    const id = textOf(member(value, 'id'));
    const name = member(value, 'name');
    const displayName = member(value, 'displayName');
    if (!id || id.length > 86 || typeof name !== 'string' || typeof displayName !== 'string') return undefined;
    return { id, name, displayName };
}

/** @param {unknown} value @returns {number[] | undefined} what may be used, the preferred first */
function readAlgorithms(value) {
    if (!isArray(value)) return undefined;
    // WebAuthn Level 3, section 5.1.3, step 10.
    if (value.length === 0) return [-7, -257];
    /** @type {number[]} */
    const found = [];
    for (let at = 0; at < value.length; at += 1) {
        const algorithm = member(value[at], 'alg');
        if (typeof member(value[at], 'type') !== 'string' || typeof algorithm !== 'number') return undefined;
        const isOurs = member(value[at], 'type') === 'public-key' && apply(includes, algorithms, [algorithm]);
        if (isOurs) apply(push, found, [algorithm]);
    }
    return found.length > 0 ? found : undefined;
}

/**
 * A key that is plugged in, or another device: ours is neither.
 * @param {object} selection
 * @param {unknown} hints
 */
function wantsSecurityKey(selection, hints) {
    if (member(selection, 'authenticatorAttachment') === 'cross-platform') return true;
    return isArray(hints) && (hints[0] === 'security-key' || hints[0] === 'hybrid');
}

/** @param {unknown} value @param {string[]} allowed */
function readAssertionInputs(value, allowed) {
    /** @type {import('../protocol/passkeys.js').AssertionExtensions} */
    const inputs = {};
    if (value === undefined) return inputs;
    if (!isObject(value)) return undefined;
    const prf = member(value, 'prf');
    const blob = member(value, 'largeBlob');
    if (prf !== undefined) {
        const read = readPRF(prf, allowed);
        if (!read) return undefined;
        inputs.prf = read;
    }
    if (blob !== undefined) {
        const [reads, writes] = [member(blob, 'read'), member(blob, 'write')];
        if (!isObject(blob) || member(blob, 'support') !== undefined) return undefined;
        if (writes !== undefined) {
            const write = textOf(writes);
            if (write === undefined || reads !== undefined || allowed.length !== 1) return undefined;
            inputs.largeBlob = { write };
        } else if (reads === true) {
            inputs.largeBlob = { read: true };
        }
    }
    return inputs;
}

/** @param {unknown} value @param {string[]} allowed @returns {import('../protocol/passkeys.js').PRFInput | undefined} */
function readPRF(value, allowed) {
    if (!isObject(value)) return undefined;
    /** @type {import('../protocol/passkeys.js').PRFInput} */
    const input = {};
    const general = member(value, 'eval');
    const single = member(value, 'evalByCredential');
    if (general !== undefined) {
        const values = readPRFValues(general);
        if (!values) return undefined;
        input.eval = values;
    }
    if (single !== undefined) {
        if (!isObject(single) || allowed.length === 0) return undefined;
        /** @type {Record<string, PRFValues>} */
        const byCredential = {};
        for (const [id, element] of entries(single)) {
            const values = readPRFValues(element);
            if (!values || !apply(includes, allowed, [id])) return undefined;
            byCredential[id] = values;
        }
        input.evalByCredential = byCredential;
    }
    return input;
}

/** @param {unknown} value */
function readRegistrationInputs(value) {
    /** @type {import('../protocol/passkeys.js').RegistrationExtensions} */
    const inputs = {};
    if (value === undefined) return inputs;
    if (!isObject(value)) return undefined;
    const prf = member(value, 'prf');
    const blob = member(value, 'largeBlob');
    if (member(value, 'credProps') === true) inputs.credProps = true;
    if (prf !== undefined) {
        const general = member(prf, 'eval');
        if (!isObject(prf) || member(prf, 'evalByCredential') !== undefined) return undefined;
        inputs.prf = {};
        if (general !== undefined) {
            const values = readPRFValues(general);
            if (!values) return undefined;
            inputs.prf.eval = values;
        }
    }
    if (blob !== undefined) {
        if (!isObject(blob) || member(blob, 'read') !== undefined || member(blob, 'write') !== undefined) {
            return undefined;
        }
        inputs.largeBlob = { support: member(blob, 'support') === 'required' ? 'required' : 'preferred' };
    }
    return inputs;
}

/** @param {unknown} value @returns {PRFValues | undefined} */
function readPRFValues(value) {
    const first = textOf(member(value, 'first'));
    const second = member(value, 'second');
    if (first === undefined) return undefined;
    if (second === undefined) return { first };
    const text = textOf(second);
    return text === undefined ? undefined : { first, second: text };
}

/** @param {unknown} value @returns {value is object} */
function isObject(value) {
    return typeof value === 'object' && value !== null;
}

/** @param {unknown} value @returns {value is string | undefined} */
function isOptionalText(value) {
    return value === undefined || (typeof value === 'string' && value !== '');
}

/** @param {unknown} value @param {string} name @returns {unknown} as a dictionary of WebIDL is read: null is nothing */
function member(value, name) {
    const found = isObject(value) ? /** @type {Record<string, unknown>} */ (value)[name] : undefined;
    return found === null ? undefined : found;
}
