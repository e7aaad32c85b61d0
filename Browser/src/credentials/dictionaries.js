/**
 * What `navigator.credentials.create` and `get` read of a page: the dictionaries of Credential Management Level 1,
 * WebAuthn Level 3 with its registered extensions, and CTAP 2.2. `foreign` is what is the browser's alone; some browsers
 * know it, and then only to see whether it is right.
 */
import {
    any,
    boolean,
    bufferSource,
    dictionary,
    foreign,
    long,
    oneOf,
    record,
    required,
    sequence,
    signal,
    text,
    unsignedLong,
} from './webidl.js';

const texts = sequence(text);

const entity = { name: required(text) };
const party = dictionary(entity, { id: text });
const user = dictionary(entity, { displayName: required(text), id: required(bufferSource) });
const parameters = dictionary({ alg: required(long), type: required(text) });
const descriptor = dictionary({ id: required(bufferSource), transports: texts, type: required(text) });
const selection = dictionary({
    authenticatorAttachment: text,
    requireResidentKey: boolean,
    residentKey: text,
    userVerification: text,
});

const salts = dictionary({ first: required(bufferSource), second: bufferSource });
const extensions = dictionary({
    appid: foreign(text),
    appidExclude: foreign(text),
    credBlob: foreign(bufferSource),
    credProps: boolean,
    credentialProtectionPolicy: foreign(text),
    enforceCredentialProtectionPolicy: foreign(boolean),
    getCredBlob: foreign(boolean),
    hmacCreateSecret: foreign(boolean),
    largeBlob: dictionary({ read: boolean, support: text, write: bufferSource }),
    minPinLength: foreign(boolean),
    payment: foreign(any),
    prf: dictionary({ eval: salts, evalByCredential: record(salts) }),
    remoteDesktopClientOverride: foreign(any),
    uvm: foreign(boolean),
});

/** The other kinds of credentials that a page may ask for with the same call, beside passwords; they are not for us. */
export const otherKinds = /** @type {const} */ (['digital', 'federated', 'identity', 'otp']);
const others = {
    digital: foreign(any),
    federated: foreign(any),
    identity: foreign(any),
    otp: foreign(any),
};
const circumstances = { mediation: oneOf(['silent', 'optional', 'conditional', 'required']), signal };

/** `CredentialCreationOptions` */
export const creationOptions = dictionary({
    ...others,
    ...circumstances,
    password: foreign(any),
    publicKey: dictionary({
        attestation: text,
        attestationFormats: foreign(texts),
        authenticatorSelection: selection,
        challenge: required(bufferSource),
        excludeCredentials: sequence(descriptor),
        extensions,
        hints: texts,
        pubKeyCredParams: required(sequence(parameters)),
        rp: required(party),
        timeout: unsignedLong,
        user: required(user),
    }),
});

/** `CredentialRequestOptions` */
export const requestOptions = dictionary({
    ...others,
    ...circumstances,
    password: foreign(boolean),
    publicKey: dictionary({
        allowCredentials: sequence(descriptor),
        challenge: required(bufferSource),
        extensions,
        hints: texts,
        rpId: text,
        timeout: unsignedLong,
        userVerification: text,
    }),
    uiMode: foreign(oneOf(['immediate'])),
});
