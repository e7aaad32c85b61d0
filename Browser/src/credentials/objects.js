/**
 * Credentials as the browser's own: objects with its prototypes and nothing of their own, whose values lie where only
 * the prototypes' getters find them. Those of the browser's objects go on as they were.
 *
 * @typedef {import('../protocol/passkeys.js').Assertion} Assertion
 * @typedef {import('../protocol/passkeys.js').Registration} Registration
 * @typedef {Record<string, unknown>} Values
 * @typedef {Record<string, (value: Values) => unknown>} Methods
 */
import { bufferFrom } from './base64url.js';
import { apply, create, defineProperty, getOwnPropertyDescriptor } from './natives.js';

const { get, set } = WeakMap.prototype;
const { slice } = Array.prototype;

/** @type {WeakMap<object, Values>} what each of our objects holds, by the name of the property */
const held = new WeakMap();

/** @param {unknown} object @returns {Values | undefined} */
function valuesOf(object) {
    return apply(get, held, [object]);
}

/** @param {unknown} object whether it is a credential that was made here */
export function isMadeHere(object) {
    return valuesOf(object) !== undefined;
}

/** @param {{prototype: object}} kind @param {Values} values */
function make({ prototype }, values) {
    const object = create(prototype);
    apply(set, held, [object, values]);
    return object;
}

/** @typedef {typeof globalThis} Scope */

/** @param {Scope} scope @param {Assertion} answer @returns {PublicKeyCredential} */
export function makeAssertion(scope, answer) {
    const { id, extensions } = answer;
    const response = make(scope.AuthenticatorAssertionResponse, {
        clientDataJSON: bufferFrom(answer.clientDataJSON),
        authenticatorData: bufferFrom(answer.authenticatorData),
        signature: bufferFrom(answer.signature),
        userHandle: answer.userHandle === undefined ? null : bufferFrom(answer.userHandle),
    });
    const json = () => ({
        clientDataJSON: answer.clientDataJSON,
        authenticatorData: answer.authenticatorData,
        signature: answer.signature,
        ...(answer.userHandle === undefined ? {} : { userHandle: answer.userHandle }),
    });
    return makeCredential(scope, id, response, json, extensions);
}

/** @param {Scope} scope @param {Registration} answer @returns {PublicKeyCredential} */
export function makeRegistration(scope, answer) {
    const { id, extensions } = answer;
    const response = make(scope.AuthenticatorAttestationResponse, {
        clientDataJSON: bufferFrom(answer.clientDataJSON),
        attestationObject: bufferFrom(answer.attestationObject),
        authenticatorData: bufferFrom(answer.authenticatorData),
        publicKey: answer.publicKey === undefined ? null : bufferFrom(answer.publicKey),
        algorithm: answer.algorithm,
        transports: answer.transports,
    });
    const json = () => ({
        clientDataJSON: answer.clientDataJSON,
        authenticatorData: answer.authenticatorData,
        transports: apply(slice, answer.transports, []),
        ...(answer.publicKey === undefined ? {} : { publicKey: answer.publicKey }),
        publicKeyAlgorithm: answer.algorithm,
        attestationObject: answer.attestationObject,
    });
    return makeCredential(scope, id, response, json, extensions);
}

/**
 * @param {Scope} scope
 * @param {string} id
 * @param {object} response
 * @param {() => object} responseJSON
 * @param {Assertion['extensions'] | Registration['extensions']} extensions
 */
function makeCredential(scope, id, response, responseJSON, extensions) {
    const authenticatorAttachment = 'platform';
    return make(scope.PublicKeyCredential, {
        id,
        type: 'public-key',
        rawId: bufferFrom(id),
        response,
        authenticatorAttachment,
        results: () => outputs(/** @type {Assertion['extensions']} */ (extensions), bufferFrom),
        json: () => ({
            id,
            rawId: id,
            response: responseJSON(),
            authenticatorAttachment,
            clientExtensionResults: outputs(/** @type {Assertion['extensions']} */ (extensions), (text) => text),
            type: 'public-key',
        }),
    });
}

/**
 * @param {import('../protocol/passkeys.js').AssertionOutputs & {credProps?: object}} extensions
 * @param {(text: string) => unknown} bytes what becomes of bytes
 */
function outputs({ credProps, prf, largeBlob }, bytes) {
    /** @type {Record<string, object>} */
    const found = {};
    if (credProps) found.credProps = { ...credProps };
    if (largeBlob) {
        const { blob, ...rest } = /** @type {{blob?: string}} */ (largeBlob);
        found.largeBlob = blob === undefined ? rest : { ...rest, blob: bytes(blob) };
    }
    if (prf) {
        const { results, ...rest } = prf;
        if (!results) found.prf = rest;
        else {
            const { first, second } = results;
            const both = { first: bytes(first), ...(second === undefined ? {} : { second: bytes(second) }) };
            found.prf = { ...rest, results: both };
        }
    }
    return found;
}

/**
 * From now on the getters and methods of the browser's prototypes know our objects.
 * @param {Scope} scope
 */
export function teachPrototypes(scope) {
    for (const name of ['id', 'type']) teachGetter(scope.Credential.prototype, name);
    for (const name of ['rawId', 'response', 'authenticatorAttachment']) {
        teachGetter(scope.PublicKeyCredential.prototype, name);
    }
    teachGetter(scope.AuthenticatorResponse.prototype, 'clientDataJSON');
    teachGetter(scope.AuthenticatorAttestationResponse.prototype, 'attestationObject');
    for (const name of ['authenticatorData', 'signature', 'userHandle']) {
        teachGetter(scope.AuthenticatorAssertionResponse.prototype, name);
    }
    teachMethods(scope.PublicKeyCredential.prototype, {
        getClientExtensionResults: (values) => /** @type {() => object} */ (values.results)(),
        toJSON: (values) => /** @type {() => object} */ (values.json)(),
    });
    teachMethods(scope.AuthenticatorAttestationResponse.prototype, {
        getAuthenticatorData: (values) => values.authenticatorData,
        getPublicKey: (values) => values.publicKey,
        getPublicKeyAlgorithm: (values) => values.algorithm,
        getTransports: (values) => apply(slice, values.transports, []),
    });
}

/** @param {object} prototype @param {string} name */
function teachGetter(prototype, name) {
    const property = getOwnPropertyDescriptor(prototype, name);
    if (!property?.get) return;
    defineProperty(prototype, name, {
        ...property,
        get: wrap(property.get, (native, self, values) => {
            const ours = valuesOf(self);
            return ours && name in ours ? ours[name] : apply(native, self, values);
        }),
    });
}

/** @param {object} prototype @param {Methods} methods */
function teachMethods(prototype, methods) {
    for (const name of Object.keys(methods)) {
        const property = getOwnPropertyDescriptor(prototype, name);
        if (typeof property?.value !== 'function') continue;
        const value = wrap(property.value, (native, self, values) => {
            const ours = valuesOf(self);
            return ours ? methods[name](ours) : apply(native, self, values);
        });
        defineProperty(prototype, name, { ...property, value });
    }
}

/**
 * A function that keeps the name, the length and the nature of the browser's.
 * @template {Function} F
 * @param {F} native
 * @param {(native: F, self: unknown, values: unknown[]) => unknown} body
 * @returns {any}
 */
export function wrap(native, body) {
    return new Proxy(native, { apply: (target, self, values) => body(target, self, values) });
}
