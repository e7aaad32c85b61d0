/**
 * What is said of passkeys, from the page's own world to the native host and back. Bytes are base64url without padding;
 * every part of the way reads what it is given with the same parsers.
 *
 * @typedef {{first: string, second?: string}} PRFValues
 * @typedef {{eval?: PRFValues, evalByCredential?: Record<string, PRFValues>}} PRFInput
 * @typedef {{prf?: PRFInput, largeBlob?: {read: true} | {write: string}}} AssertionExtensions
 * @typedef {{credProps?: true, prf?: {eval?: PRFValues}, largeBlob?: {support: 'required' | 'preferred'}}}
 *     RegistrationExtensions
 * @typedef {'required' | 'preferred' | 'discouraged'} UserVerification
 * @typedef {{
 *     challenge: string,
 *     relyingParty?: string,
 *     allowed: string[],
 *     userVerification: UserVerification,
 *     extensions?: AssertionExtensions,
 * }} AssertionRequest `allowed`: empty for any passkey of the relying party
 * @typedef {{
 *     challenge: string,
 *     relyingParty?: string,
 *     user: {id: string, name: string, displayName: string},
 *     algorithms: number[],
 *     excluded: string[],
 *     userVerification: UserVerification,
 *     attestation?: 'indirect' | 'direct' | 'enterprise',
 *     extensions?: RegistrationExtensions,
 * }} RegistrationRequest `attestation`: missing where the site wants none
 * @typedef {{results?: PRFValues}} PRFOutput
 * @typedef {{prf?: PRFOutput, largeBlob?: {blob?: string, written?: boolean}}} AssertionOutputs
 * @typedef {{credProps?: {rk: boolean}, prf?: PRFOutput & {enabled: boolean}, largeBlob?: {supported: boolean}}}
 *     RegistrationOutputs
 * @typedef {{
 *     id: string,
 *     clientDataJSON: string,
 *     authenticatorData: string,
 *     signature: string,
 *     userHandle?: string,
 *     extensions: AssertionOutputs,
 * }} Assertion
 * @typedef {{
 *     id: string,
 *     clientDataJSON: string,
 *     attestationObject: string,
 *     authenticatorData: string,
 *     publicKey?: string,
 *     algorithm: number,
 *     transports: string[],
 *     extensions: RegistrationOutputs,
 * }} Registration
 * @typedef {{isAvailable: boolean, canVerify: boolean, makesInBackground: boolean}} Availability
 * @typedef {{relyingParty?: string, allowed: string[]}} PasskeyFilter
 * @typedef {{kind: 'unknown', relyingParty: string, credential: string}
 *     | {kind: 'accepted', relyingParty: string, user: string, credentials: string[]}
 *     | {kind: 'renamed', relyingParty: string, user: string, name: string}} Report
 */
import { bytes, list, oneOf, record, required, ShapeError, text, truth } from './shape.js';

/** In bytes, as WebAuthn and the broker bound them; a challenge has no bound of its own. */
const challengeBytes = 16_384;
const credentialIDBytes = 1023;
const userHandleBytes = 64;
const blobBytes = 1 << 20;
const inputBytes = 4096;
const answerBytes = 65_536;
const clientDataBytes = 32_768;
const credentials = 1024;
const algorithms = 64;

const preferences = /** @type {const} */ (['required', 'preferred', 'discouraged']);
const attestations = /** @type {const} */ (['indirect', 'direct', 'enterprise']);
const registrationFields = [
    'challenge',
    'relyingParty',
    'user',
    'algorithms',
    'excluded',
    'userVerification',
    'attestation',
    'extensions',
];

// What a page asks.

/** @param {unknown} value @param {string} [place] @returns {AssertionRequest} @throws {ShapeError} */
export function parseAssertionRequest(value, place = 'request') {
    const fields = record(value, place, ['challenge', 'relyingParty', 'allowed', 'userVerification', 'extensions']);
    /** @type {AssertionRequest} */
    const request = {
        challenge: bytes(fields.challenge, `${place}.challenge`, { atMost: challengeBytes }),
        allowed: identifiers(fields.allowed, `${place}.allowed`),
        userVerification: oneOf(fields.userVerification, `${place}.userVerification`, preferences),
    };
    if (fields.relyingParty !== undefined) request.relyingParty = relyingParty(fields.relyingParty, place);
    if (fields.extensions !== undefined) request.extensions = assertionInputs(fields.extensions, `${place}.extensions`);
    return request;
}

/** @param {unknown} value @param {string} [place] @returns {RegistrationRequest} @throws {ShapeError} */
export function parseRegistrationRequest(value, place = 'request') {
    const fields = record(value, place, registrationFields);
    const user = record(fields.user, `${place}.user`, ['id', 'name', 'displayName']);
    /** @type {RegistrationRequest} */
    const request = {
        challenge: bytes(fields.challenge, `${place}.challenge`, { atMost: challengeBytes }),
        user: {
            id: bytes(user.id, `${place}.user.id`, { atLeast: 1, atMost: userHandleBytes }),
            name: text(user.name, `${place}.user.name`, { atMost: 1024 }),
            displayName: text(user.displayName, `${place}.user.displayName`, { atMost: 1024 }),
        },
        algorithms: list(fields.algorithms, `${place}.algorithms`, algorithms, algorithm),
        excluded: identifiers(fields.excluded, `${place}.excluded`),
        userVerification: oneOf(fields.userVerification, `${place}.userVerification`, preferences),
    };
    if (request.algorithms.length === 0) throw new ShapeError(`${place}.algorithms: empty`);
    if (fields.attestation !== undefined) {
        request.attestation = oneOf(fields.attestation, `${place}.attestation`, attestations);
    }
    if (fields.relyingParty !== undefined) request.relyingParty = relyingParty(fields.relyingParty, place);
    if (fields.extensions !== undefined) {
        request.extensions = registrationInputs(fields.extensions, `${place}.extensions`);
    }
    return request;
}

/** @param {unknown} value @param {string} [place] @returns {PasskeyFilter} @throws {ShapeError} */
export function parsePasskeyFilter(value, place = 'passkeys') {
    const fields = record(value, place, ['relyingParty', 'allowed']);
    /** @type {PasskeyFilter} */
    const filter = { allowed: identifiers(fields.allowed, `${place}.allowed`) };
    if (fields.relyingParty !== undefined) filter.relyingParty = relyingParty(fields.relyingParty, place);
    return filter;
}

/** @param {unknown} value @param {string} [place] @returns {Report} @throws {ShapeError} */
export function parseReport(value, place = 'report') {
    const { kind, ...fields } = required(value, place, ['kind', 'relyingParty'], reportFields);
    const party = relyingParty(fields.relyingParty, place);
    if (kind === 'unknown') {
        const { credential } = required(fields, place, ['relyingParty', 'credential']);
        return { kind, relyingParty: party, credential: identifier(credential, `${place}.credential`) };
    }
    const user = bytes(fields.user, `${place}.user`, { atLeast: 1, atMost: userHandleBytes });
    if (kind === 'accepted') {
        const accepted = required(fields, place, ['relyingParty', 'user', 'credentials']);
        return { kind, relyingParty: party, user, credentials: identifiers(accepted.credentials, `${place}.credentials`) };
    }
    if (kind !== 'renamed') throw new ShapeError(`${place}.kind: not one of the choices`);
    const { name } = required(fields, place, ['relyingParty', 'user', 'name']);
    return { kind, relyingParty: party, user, name: text(name, `${place}.name`, { atMost: 1024 }) };
}

const reportFields = ['credential', 'user', 'credentials', 'name'];

/** @param {unknown} value @param {string} place @returns {AssertionExtensions} */
function assertionInputs(value, place) {
    const fields = record(value, place, ['prf', 'largeBlob']);
    /** @type {AssertionExtensions} */
    const inputs = {};
    if (fields.prf !== undefined) {
        const prf = record(fields.prf, `${place}.prf`, ['eval', 'evalByCredential']);
        inputs.prf = {};
        if (prf.eval !== undefined) inputs.prf.eval = prfValues(prf.eval, `${place}.prf.eval`, inputBytes);
        if (prf.evalByCredential !== undefined) {
            inputs.prf.evalByCredential = prfByCredential(prf.evalByCredential, `${place}.prf.evalByCredential`);
        }
    }
    if (fields.largeBlob !== undefined) {
        const blob = record(fields.largeBlob, `${place}.largeBlob`, ['read', 'write']);
        if ('read' in blob === 'write' in blob) throw new ShapeError(`${place}.largeBlob: neither or both`);
        if ('read' in blob && blob.read !== true) throw new ShapeError(`${place}.largeBlob.read: not true`);
        inputs.largeBlob =
            'read' in blob
                ? { read: true }
                : { write: bytes(blob.write, `${place}.largeBlob.write`, { atMost: blobBytes }) };
    }
    return inputs;
}

/** @param {unknown} value @param {string} place @returns {RegistrationExtensions} */
function registrationInputs(value, place) {
    const fields = record(value, place, ['credProps', 'prf', 'largeBlob']);
    /** @type {RegistrationExtensions} */
    const inputs = {};
    if (fields.credProps !== undefined) {
        if (fields.credProps !== true) throw new ShapeError(`${place}.credProps: not true`);
        inputs.credProps = true;
    }
    if (fields.prf !== undefined) {
        const prf = record(fields.prf, `${place}.prf`, ['eval']);
        inputs.prf = {};
        if (prf.eval !== undefined) inputs.prf.eval = prfValues(prf.eval, `${place}.prf.eval`, inputBytes);
    }
    if (fields.largeBlob !== undefined) {
        const blob = required(fields.largeBlob, `${place}.largeBlob`, ['support']);
        const supports = /** @type {const} */ (['required', 'preferred']);
        inputs.largeBlob = { support: oneOf(blob.support, `${place}.largeBlob.support`, supports) };
    }
    return inputs;
}

/** @param {unknown} value @param {string} place @returns {Record<string, PRFValues>} */
function prfByCredential(value, place) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(`${place}: no object`);
    const entries = Object.entries(value);
    if (entries.length > credentials) throw new ShapeError(`${place}: too long`);
    return Object.fromEntries(
        entries.map(([id, values]) => [identifier(id, place), prfValues(values, place, inputBytes)]),
    );
}

// What comes back.

/** @param {unknown} value @param {string} [place] @returns {Assertion} @throws {ShapeError} */
export function parseAssertion(value, place = 'assertion') {
    const needed = ['id', 'clientDataJSON', 'authenticatorData', 'signature', 'extensions'];
    const fields = required(value, place, needed, ['userHandle']);
    const outputs = record(fields.extensions, `${place}.extensions`, ['prf', 'largeBlob']);
    /** @type {Assertion} */
    const assertion = {
        id: identifier(fields.id, `${place}.id`),
        clientDataJSON: bytes(fields.clientDataJSON, `${place}.clientDataJSON`, { atLeast: 1, atMost: clientDataBytes }),
        authenticatorData: answer(fields.authenticatorData, `${place}.authenticatorData`),
        signature: answer(fields.signature, `${place}.signature`),
        extensions: {},
    };
    if (fields.userHandle !== undefined) {
        const limits = { atLeast: 1, atMost: userHandleBytes };
        assertion.userHandle = bytes(fields.userHandle, `${place}.userHandle`, limits);
    }
    if (outputs.prf !== undefined) {
        assertion.extensions.prf = prfOutput(record(outputs.prf, `${place}.prf`, ['results']), `${place}.prf`);
    }
    if (outputs.largeBlob !== undefined) {
        const blob = record(outputs.largeBlob, `${place}.largeBlob`, ['blob', 'written']);
        assertion.extensions.largeBlob = {};
        if (blob.blob !== undefined) {
            assertion.extensions.largeBlob.blob = bytes(blob.blob, `${place}.largeBlob.blob`, { atMost: blobBytes });
        }
        if (blob.written !== undefined) {
            assertion.extensions.largeBlob.written = truth(blob.written, `${place}.largeBlob.written`);
        }
    }
    return assertion;
}

/** @param {unknown} value @param {string} [place] @returns {Registration} @throws {ShapeError} */
export function parseRegistration(value, place = 'registration') {
    const needed = ['id', 'clientDataJSON', 'attestationObject', 'authenticatorData', 'algorithm', 'transports'];
    const fields = required(value, place, [...needed, 'extensions'], ['publicKey']);
    const outputs = record(fields.extensions, `${place}.extensions`, ['credProps', 'prf', 'largeBlob']);
    /** @type {Registration} */
    const registration = {
        id: identifier(fields.id, `${place}.id`),
        clientDataJSON: bytes(fields.clientDataJSON, `${place}.clientDataJSON`, { atLeast: 1, atMost: clientDataBytes }),
        attestationObject: answer(fields.attestationObject, `${place}.attestationObject`),
        authenticatorData: answer(fields.authenticatorData, `${place}.authenticatorData`),
        algorithm: algorithm(fields.algorithm, `${place}.algorithm`),
        transports: list(fields.transports, `${place}.transports`, 8, (element, at) => text(element, at, { atMost: 32 })),
        extensions: {},
    };
    if (fields.publicKey !== undefined) registration.publicKey = answer(fields.publicKey, `${place}.publicKey`);
    if (outputs.credProps !== undefined) {
        const { rk } = required(outputs.credProps, `${place}.credProps`, ['rk']);
        registration.extensions.credProps = { rk: truth(rk, `${place}.credProps.rk`) };
    }
    if (outputs.prf !== undefined) {
        const { enabled, ...rest } = required(outputs.prf, `${place}.prf`, ['enabled'], ['results']);
        registration.extensions.prf = {
            enabled: truth(enabled, `${place}.prf.enabled`),
            ...prfOutput(rest, `${place}.prf`),
        };
    }
    if (outputs.largeBlob !== undefined) {
        const { supported } = required(outputs.largeBlob, `${place}.largeBlob`, ['supported']);
        registration.extensions.largeBlob = { supported: truth(supported, `${place}.largeBlob.supported`) };
    }
    return registration;
}

/** @param {unknown} value @returns {Availability} @throws {ShapeError} */
export function parseAvailability(value) {
    const fields = required(value, 'available', ['isAvailable', 'canVerify', 'makesInBackground']);
    return {
        isAvailable: truth(fields.isAvailable, 'available.isAvailable'),
        canVerify: truth(fields.canVerify, 'available.canVerify'),
        makesInBackground: truth(fields.makesInBackground, 'available.makesInBackground'),
    };
}

/** @param {Record<string, unknown>} fields @param {string} place @returns {PRFOutput} */
function prfOutput(fields, place) {
    return fields.results === undefined ? {} : { results: prfValues(fields.results, `${place}.results`, 32) };
}

// Parts.

/** @param {unknown} value @param {string} place @param {number} atMost @returns {PRFValues} */
function prfValues(value, place, atMost) {
    const { first, second } = required(value, place, ['first'], ['second']);
    /** @type {PRFValues} */
    const values = { first: bytes(first, `${place}.first`, { atMost }) };
    if (second !== undefined) values.second = bytes(second, `${place}.second`, { atMost });
    return values;
}

/** @param {unknown} value @param {string} place */
function relyingParty(value, place) {
    return text(value, `${place}.relyingParty`, { atLeast: 1, atMost: 253 });
}

/** @param {unknown} value @param {string} place */
function identifier(value, place) {
    return bytes(value, place, { atLeast: 1, atMost: credentialIDBytes });
}

/** @param {unknown} value @param {string} place */
function identifiers(value, place) {
    return list(value, place, credentials, identifier);
}

/** @param {unknown} value @param {string} place */
function answer(value, place) {
    return bytes(value, place, { atLeast: 1, atMost: answerBytes });
}

/** @param {unknown} value @param {string} place */
function algorithm(value, place) {
    if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 65_535) {
        throw new ShapeError(`${place}: not a number of COSE`);
    }
    return value;
}
