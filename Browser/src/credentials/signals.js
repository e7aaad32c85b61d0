/**
 * What sites say of their passkeys (WebAuthn Level 3, section 5.1.10). The browser hears it first, where it knows the
 * methods, and checks it; where it does not, they are made here and check as the specification wants it.
 *
 * @typedef {import('../protocol/passkeys.js').Report} Report
 */
import { wrap } from './objects.js';
import { apply, defineProperty, getOwnPropertyDescriptor, isArray } from './natives.js';

const Exception = DOMException;
const WrongType = TypeError;
const { test } = RegExp.prototype;
const base64url = /^[A-Za-z0-9_-]*$/;

/** @type {Record<string, (options: any) => Report>} */
const reports = {
    signalUnknownCredential: ({ rpId, credentialId }) => ({
        kind: 'unknown',
        relyingParty: text(rpId),
        credential: bytes(credentialId),
    }),
    signalAllAcceptedCredentials: ({ rpId, userId, allAcceptedCredentialIds }) => {
        if (!isArray(allAcceptedCredentialIds)) throw new WrongType('allAcceptedCredentialIds is no sequence');
        const credentials = allAcceptedCredentialIds.map(bytes);
        return { kind: 'accepted', relyingParty: text(rpId), user: bytes(userId), credentials };
    },
    signalCurrentUserDetails: ({ rpId, userId, name, displayName }) => {
        text(displayName);
        return { kind: 'renamed', relyingParty: text(rpId), user: bytes(userId), name: text(name) };
    },
};

/**
 * @param {typeof globalThis} scope
 * @param {{ask: (method: string, params: object) => Promise<unknown>}} channel
 */
export function installSignals({ PublicKeyCredential }, channel) {
    for (const name of Object.keys(reports)) {
        const property = getOwnPropertyDescriptor(PublicKeyCredential, name);
        const value = property ? told(property.value, name, channel) : made(name, channel);
        defineProperty(PublicKeyCredential, name, { writable: true, enumerable: true, configurable: true, value });
    }
}

/** @param {Function} native @param {string} name @param {{ask: (method: string, params: object) => Promise<unknown>}} channel */
function told(native, name, channel) {
    return wrap(native, async (_, self, values) => {
        // What the options hold is read before the browser waits, as it reads them.
        const report = attempt(() => reports[name](values[0]));
        const result = await apply(native, self, values);
        if (report) await channel.ask('report', { report }).catch(() => {});
        return result;
    });
}

/** @param {string} name @param {{ask: (method: string, params: object) => Promise<unknown>}} channel */
function made(name, channel) {
    const { [name]: method } = {
        /** @param {any} options */
        async [name](options) {
            if (typeof options !== 'object' || options === null) throw new WrongType('the options are no dictionary');
            const report = reports[name](options);
            await channel.ask('report', { report }).catch(({ kind }) => {
                if (kind === 'refused') throw new Exception('The relying party ID is not for this page.', 'SecurityError');
            });
        },
    };
    return method;
}

/** @template T @param {() => T} body @returns {T | undefined} */
function attempt(body) {
    try {
        return body();
    } catch {
        return undefined;
    }
}

/** @param {unknown} value */
function text(value) {
    if (value === undefined) throw new WrongType('a required member is missing');
    return `${value}`;
}

/** @param {unknown} value */
function bytes(value) {
    const found = text(value);
    if (!apply(test, base64url, [found]) || found.length % 4 === 1) throw new WrongType('no base64url');
    return found;
}
