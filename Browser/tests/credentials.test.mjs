import assert from 'node:assert/strict';
import test from 'node:test';
import { install } from '../src/credentials/install.js';
import { Requests } from '../src/credentials/requests.js';
import { settle } from './ports.mjs';

const bytes = (...values) => new Uint8Array(values).buffer;
const base64url = (buffer) => Buffer.from(buffer).toString('base64url');

const assertion = {
    id: 'AQID',
    clientDataJSON: base64url('{"type":"webauthn.get"}'),
    authenticatorData: 'BBBB',
    signature: 'CCCC',
    userHandle: 'AQ',
    extensions: { prf: { results: { first: 'AAAA' } }, largeBlob: { blob: 'AAAB' } },
};
const registration = {
    id: 'AQID',
    clientDataJSON: base64url('{"type":"webauthn.create"}'),
    attestationObject: 'DDDD',
    authenticatorData: 'BBBB',
    publicKey: 'EEEE',
    algorithm: -7,
    transports: ['internal'],
    extensions: { credProps: { rk: true }, prf: { enabled: true }, largeBlob: { supported: true } },
};
const getOptions = { challenge: bytes(1, 2, 3), rpId: 'example.org', allowCredentials: [] };
const createOptions = {
    challenge: bytes(1, 2, 3),
    rp: { name: 'Example', id: 'example.org' },
    user: { id: bytes(1), name: 'ada', displayName: 'Ada' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
};

/** Before the first request, a browser shows by a sample what it reads. */
function isSample(options) {
    const isSo = options?.signal?.aborted && options.publicKey?.challenge?.byteLength === 1;
    if (isSo) {
        for (const name of ['password', 'identity', 'uiMode']) void options[name];
        const { extensions } = options.publicKey;
        for (const name of ['appid', 'credentialProtectionPolicy', 'enforceCredentialProtectionPolicy']) void extensions[name];
    }
    return isSo;
}

/** What a browser has of this, with results of its own. */
function makeScope({ hasSignals = true, conditionalCreate = false } = {}) {
    const native = [];
    class Credential {
        get id() {
            if (!(this instanceof Genuine)) throw new TypeError('Illegal invocation');
            return 'native-id';
        }
        get type() {
            return 'native';
        }
    }
    class PublicKeyCredential extends Credential {
        get rawId() {
            return bytes(9);
        }
        get response() {
            return 'native response';
        }
        get authenticatorAttachment() {
            return 'cross-platform';
        }
        getClientExtensionResults() {
            return { native: true };
        }
        toJSON() {
            return { native: true };
        }
        static async isConditionalMediationAvailable() {
            return false;
        }
        static async isUserVerifyingPlatformAuthenticatorAvailable() {
            return false;
        }
        static async getClientCapabilities() {
            return { conditionalCreate, hybridTransport: true, 'extension:appid': true };
        }
    }
    if (hasSignals) {
        PublicKeyCredential.signalUnknownCredential = async (options) => {
            native.push(['signal', options]);
            if (options.rpId === 'evil.test') throw new DOMException('no', 'SecurityError');
        };
    }
    class Genuine extends PublicKeyCredential {}
    class AuthenticatorResponse {
        get clientDataJSON() {
            return bytes(8);
        }
    }
    class AuthenticatorAttestationResponse extends AuthenticatorResponse {
        get attestationObject() {
            return bytes(7);
        }
        getAuthenticatorData() {}
        getPublicKey() {}
        getPublicKeyAlgorithm() {}
        getTransports() {
            return ['usb'];
        }
    }
    class AuthenticatorAssertionResponse extends AuthenticatorResponse {
        get authenticatorData() {
            return bytes(6);
        }
        get signature() {
            return bytes(5);
        }
        get userHandle() {
            return null;
        }
    }
    class CredentialsContainer {
        async get(options) {
            if (isSample(options)) return null;
            native.push(['get', this, options]);
            return new Genuine();
        }
        async create(options) {
            if (isSample(options)) return null;
            native.push(['create', this, options]);
            return new Genuine();
        }
        async store(credential) {
            native.push(['store', this, credential]);
        }
    }
    const credentials = new CredentialsContainer();
    const scope = {
        navigator: { credentials },
        Credential,
        PublicKeyCredential,
        AuthenticatorResponse,
        AuthenticatorAttestationResponse,
        AuthenticatorAssertionResponse,
        CredentialsContainer,
        Genuine,
    };
    return { scope, credentials, native };
}

function makeTimers() {
    const timers = [];
    return {
        setTimer: (body, milliseconds) => {
            const timer = timers.length;
            timers[timer] = { body, milliseconds };
            return timer;
        },
        clearTimer: (timer) => {
            timers[timer] = undefined;
        },
        timers,
    };
}

/** A page of which `answers` are given to what it asks; a kind of failure, a value, or a promise of either. */
function open(answers = {}, { refusesSecond = true, hasSignals, conditionalCreate } = {}) {
    const { scope, credentials, native } = makeScope({ hasSignals, conditionalCreate });
    const asked = [];
    const withdrawn = [];
    const channel = {
        ask: (method, params, onStart = () => {}) => {
            asked[asked.length] = [method, params];
            return new Promise((resolve, reject) => {
                onStart(() => {
                    withdrawn.push(method);
                    reject({ kind: 'cancelled' });
                });
                const answer = answers[method];
                if (answer === 'never') return;
                if (typeof answer === 'string') reject({ kind: answer });
                else resolve(structuredClone(answer));
            });
        },
    };
    const timers = makeTimers();
    install(scope, channel, new Requests(refusesSecond, timers), timers);
    return { scope, credentials, native, asked, withdrawn, timers: timers.timers };
}

/** The browser is given what was read of the page's options: each member of theirs is there, and as it was. */
function assertGiven(given, options) {
    if (Object(options) !== options || ArrayBuffer.isView(options) || options instanceof ArrayBuffer) {
        assert.equal(given, options);
        return;
    }
    for (const name of Object.keys(options)) assertGiven(given[name], options[name]);
}

test('a sign-in gives a credential of the browser’s kinds, with nothing of its own', async () => {
    const { scope, credentials, native } = open({ get: assertion });
    const credential = await credentials.get({ publicKey: getOptions });
    assert.ok(credential instanceof scope.PublicKeyCredential);
    assert.ok(credential.response instanceof scope.AuthenticatorAssertionResponse);
    assert.deepEqual(Reflect.ownKeys(credential), []);
    assert.deepEqual(Reflect.ownKeys(credential.response), []);
    assert.deepEqual(
        [credential.id, credential.type, base64url(credential.rawId), credential.authenticatorAttachment],
        ['AQID', 'public-key', 'AQID', 'platform'],
    );
    const { response } = credential;
    assert.deepEqual(
        [response.authenticatorData, response.signature, response.userHandle].map(base64url),
        ['BBBB', 'CCCC', 'AQ'],
    );
    assert.equal(Buffer.from(response.clientDataJSON).toString(), '{"type":"webauthn.get"}');
    assert.equal(response.clientDataJSON, response.clientDataJSON);
    const { prf, largeBlob } = credential.getClientExtensionResults();
    assert.deepEqual([base64url(prf.results.first), base64url(largeBlob.blob)], ['AAAA', 'AAAB']);
    assert.deepEqual(native, []);
});

test('toJSON is what servers read', async () => {
    const { credentials } = open({ get: assertion, create: registration });
    const signedIn = JSON.parse(JSON.stringify(await credentials.get({ publicKey: getOptions })));
    assert.deepEqual(signedIn, {
        id: 'AQID',
        rawId: 'AQID',
        response: {
            clientDataJSON: assertion.clientDataJSON,
            authenticatorData: 'BBBB',
            signature: 'CCCC',
            userHandle: 'AQ',
        },
        authenticatorAttachment: 'platform',
        clientExtensionResults: { largeBlob: { blob: 'AAAB' }, prf: { results: { first: 'AAAA' } } },
        type: 'public-key',
    });
    const made = JSON.parse(JSON.stringify(await credentials.create({ publicKey: createOptions })));
    assert.deepEqual(made.response, {
        clientDataJSON: registration.clientDataJSON,
        authenticatorData: 'BBBB',
        transports: ['internal'],
        publicKey: 'EEEE',
        publicKeyAlgorithm: -7,
        attestationObject: 'DDDD',
    });
});

test('a registration has the methods of its kind', async () => {
    const { scope, credentials } = open({ create: registration });
    const credential = await credentials.create({ publicKey: createOptions });
    const { response } = credential;
    assert.ok(response instanceof scope.AuthenticatorAttestationResponse);
    assert.equal(base64url(response.getPublicKey()), 'EEEE');
    assert.equal(response.getPublicKeyAlgorithm(), -7);
    assert.deepEqual(response.getTransports(), ['internal']);
    assert.notEqual(response.getTransports(), response.getTransports());
    assert.equal(base64url(response.getAuthenticatorData()), 'BBBB');
    assert.equal(base64url(response.attestationObject), 'DDDD');
    assert.deepEqual(credential.getClientExtensionResults(), registration.extensions);
});

test('the browser’s own credentials are as they were, and its functions keep name and length', async () => {
    const { scope, credentials } = open({ get: 'elsewhere' });
    const genuine = await credentials.get({ publicKey: getOptions });
    assert.ok(genuine instanceof scope.Genuine);
    assert.deepEqual([genuine.id, genuine.response], ['native-id', 'native response']);
    assert.deepEqual(genuine.toJSON(), { native: true });
    const { get, create } = scope.CredentialsContainer.prototype;
    assert.deepEqual([get.name, get.length, create.name, create.length], ['get', 1, 'create', 1]);
    assert.throws(() => new get(), TypeError);
    const { get: id } = Object.getOwnPropertyDescriptor(scope.Credential.prototype, 'id');
    assert.throws(() => id.call({}), TypeError);
});

test('what is asked is what the page gave, in base64url', async () => {
    const { credentials, asked } = open({ get: assertion, create: registration });
    const view = new DataView(bytes(0, 0, 255, 254), 2);
    await credentials.get({
        publicKey: {
            challenge: view,
            allowCredentials: [
                { type: 'public-key', id: new Uint8Array([1, 2, 3]), transports: ['usb'] },
                { type: 'other', id: bytes(9) },
            ],
            userVerification: 'required',
            extensions: { prf: { evalByCredential: { AQID: { first: bytes(1), second: bytes(2) } } } },
        },
    });
    assert.deepEqual(asked[0], [
        'get',
        {
            isConditional: false,
            request: {
                challenge: '__4',
                allowed: ['AQID'],
                userVerification: 'required',
                extensions: { prf: { evalByCredential: { AQID: { first: 'AQ', second: 'Ag' } } } },
            },
        },
    ]);
    await credentials.create({
        mediation: 'conditional',
        publicKey: {
            ...createOptions,
            pubKeyCredParams: [],
            excludeCredentials: [{ type: 'public-key', id: bytes(1) }],
            authenticatorSelection: { userVerification: 'discouraged', residentKey: 'required' },
            extensions: { credProps: true, largeBlob: { support: 'required' }, prf: {} },
        },
    });
    assert.deepEqual(asked[1][1], {
        isConditional: true,
        request: {
            challenge: 'AQID',
            relyingParty: 'example.org',
            user: { id: 'AQ', name: 'ada', displayName: 'Ada' },
            algorithms: [-7, -257],
            excluded: ['AQ'],
            userVerification: 'discouraged',
            extensions: { credProps: true, prf: {}, largeBlob: { support: 'required' } },
        },
    });
});

test('attestation is asked for only where the page does', async () => {
    const { credentials, asked } = open({ create: registration });
    for (const attestation of [undefined, 'none', 'always', {}, 'indirect', 'direct', 'enterprise']) {
        await credentials.create({ publicKey: { ...createOptions, attestation } });
    }
    const wishes = asked.map(([, params]) => params.request.attestation);
    assert.deepEqual(wishes, [undefined, undefined, undefined, undefined, 'indirect', 'direct', 'enterprise']);
});

const notOurs = {
    'a password': { password: true },
    'a password beside': { password: true, publicKey: getOptions },
    'silent mediation': { mediation: 'silent', publicKey: getOptions },
    'immediate mediation': { mediation: 'immediate', publicKey: getOptions },
    'no challenge': { publicKey: { ...getOptions, challenge: undefined } },
    'a challenge that is text': { publicKey: { ...getOptions, challenge: 'AQID' } },
    'a list of allowed ones that is none': { publicKey: { ...getOptions, allowCredentials: {} } },
    'allowed ones of unknown kinds alone': { publicKey: { ...getOptions, allowCredentials: [{ type: 'x', id: bytes(1) }] } },
    'an allowed one without ID': { publicKey: { ...getOptions, allowCredentials: [{ type: 'public-key' }] } },
    'an empty relying party': { publicKey: { ...getOptions, rpId: '' } },
    'a signal that is none': { signal: {}, publicKey: getOptions },
    'salts by credential without allowed ones': {
        publicKey: { ...getOptions, extensions: { prf: { evalByCredential: { AQ: { first: bytes(1) } } } } },
    },
    'a blob to write with any passkey': { publicKey: { ...getOptions, extensions: { largeBlob: { write: bytes(1) } } } },
    'properties of a new credential, at a sign-in': { publicKey: { ...getOptions, extensions: { credProps: true } } },
    'the predecessor’s ID of another site': { publicKey: { ...getOptions, extensions: { appid: 'https://evil.test' } } },
    'an answer at once, where nobody did anything': { uiMode: 'immediate', publicKey: getOptions },
    'an unknown mode': { uiMode: 'later', publicKey: getOptions },
    'no signal': { signal: null, publicKey: getOptions },
    'no allowed ones': { publicKey: { ...getOptions, allowCredentials: null } },
    'no hints': { publicKey: { ...getOptions, hints: null } },
    'hints that are text': { publicKey: { ...getOptions, hints: 'hybrid' } },
    'no transports': { publicKey: { ...getOptions, allowCredentials: [{ type: 'public-key', id: bytes(1), transports: null }] } },
    'a shared challenge': { publicKey: { ...getOptions, challenge: new Uint8Array(new SharedArrayBuffer(8)) } },
    'too many allowed ones': {
        publicKey: { ...getOptions, allowCredentials: Array(65).fill({ type: 'public-key', id: bytes(1) }) },
    },
    'too long a salt': { publicKey: { ...getOptions, extensions: { prf: { eval: { first: new ArrayBuffer(257) } } } } },
    'support asked at a sign-in': { publicKey: { ...getOptions, extensions: { largeBlob: { support: 'required' } } } },
};

for (const [what, options] of Object.entries(notOurs)) {
    test(`the browser is asked, at once and with what the page gave: ${what}`, async () => {
        const { credentials, native, asked } = open({ get: assertion });
        await credentials.get(options);
        assert.deepEqual(asked, []);
        assert.equal(native.length, 1);
        assert.equal(native[0][1], credentials);
        assertGiven(native[0][2], options);
    });
}

const notMade = {
    'another device': { authenticatorSelection: { authenticatorAttachment: 'cross-platform' } },
    'a security key, by hint': { hints: ['security-key'] },
    'unknown algorithms': { pubKeyCredParams: [{ type: 'public-key', alg: -999 }] },
    'no user': { user: undefined },
    'an empty user handle': { user: { ...createOptions.user, id: bytes() } },
    'too long a user handle': { user: { ...createOptions.user, id: new ArrayBuffer(65) } },
    'no relying party': { rp: undefined },
    'no name of the relying party': { rp: { id: 'example.org' } },
    'salts by credential': { extensions: { prf: { evalByCredential: {} } } },
    'a blob to read': { extensions: { largeBlob: { read: true } } },
    'no excluded ones': { excludeCredentials: null },
    'the predecessor’s ID': { extensions: { appid: 'https://example.org' } },
    'a protection that is to be enforced': {
        extensions: { credentialProtectionPolicy: 'userVerificationOptional', enforceCredentialProtectionPolicy: true },
    },
    'a protection of unknown kind': { extensions: { credentialProtectionPolicy: 'none' } },
    'a protection of what is not discovered': { extensions: { credentialProtectionPolicy: 'userVerificationOptional' } },
};

for (const [what, options] of Object.entries(notMade)) {
    test(`the browser is asked to create: ${what}`, async () => {
        const { credentials, native, asked } = open({ create: registration });
        await credentials.create({ publicKey: { ...createOptions, ...options } });
        assert.deepEqual([asked.length, native.length], [0, 1]);
    });
}

const names = {
    cancelled: 'NotAllowedError',
    timedOut: 'NotAllowedError',
    notVerified: 'NotAllowedError',
    notFound: 'NotAllowedError',
    providerFailed: 'NotAllowedError',
    exists: 'InvalidStateError',
};

for (const [kind, name] of Object.entries(names)) {
    test(`after ${kind} the page gets ${name} and the browser is not asked`, async () => {
        const { credentials, native } = open({ create: kind });
        await assert.rejects(credentials.create({ publicKey: createOptions }), (error) => {
            return error instanceof DOMException && error.name === name;
        });
        assert.deepEqual(native, []);
    });
}

for (const kind of [
    'elsewhere',
    'noProvider',
    'refused',
    'notAllowed',
    'brokerUnreachable',
    'hostMissing',
    'notApproved',
    'forbidden',
    'rateLimited',
    'needsPerson',
    'invalid',
    'disconnected',
    'constructor',
    '__proto__',
]) {
    test(`after ${kind} the browser is asked with what the page gave`, async () => {
        const { credentials, native } = open({ get: kind });
        const options = { publicKey: getOptions };
        await credentials.get(options);
        assertGiven(native[0][2], options);
        assert.equal(native[0][1], credentials);
    });
}

const unnoticed = { mediation: 'conditional', publicKey: createOptions };

for (const kind of ['notAllowed', 'exists', 'notVerified', 'needsPerson', 'rateLimited', 'cancelled', 'invalid']) {
    test(`of a registration that nobody was to notice, nobody learns that it ended in ${kind}`, async () => {
        const { credentials, native } = open({ create: kind }, { conditionalCreate: true });
        await assert.rejects(credentials.create(unnoticed), { name: 'NotAllowedError' });
        assert.deepEqual(native, []);
    });
}

for (const kind of ['elsewhere', 'noProvider', 'hostMissing', 'brokerUnreachable']) {
    test(`a registration that nobody is to notice goes on, after ${kind}, where the browser knows such`, async () => {
        const knows = open({ create: kind }, { conditionalCreate: true });
        await knows.credentials.create(unnoticed);
        assertGiven(knows.native[0][2], unnoticed);
        const knowsNot = open({ create: kind });
        await assert.rejects(knowsNot.credentials.create(unnoticed), { name: 'NotAllowedError' });
        assert.deepEqual(knowsNot.native, []);
    });
}

test('a page that nobody is to notice gets the browser’s word, or the same, for what is not its own', async () => {
    const knows = open({ create: 'refused' }, { conditionalCreate: true });
    await knows.credentials.create(unnoticed);
    assertGiven(knows.native[0][2], unnoticed);
    const knowsNot = open({ create: 'refused' });
    await assert.rejects(knowsNot.credentials.create(unnoticed), { name: 'SecurityError' });
    assert.deepEqual(knowsNot.native, []);
});

test('a signal that fires ends the request with its reason, and takes it back', async () => {
    for (const [reason, expected] of [
        [undefined, { name: 'AbortError' }],
        [new Error('mine'), { message: 'mine' }],
    ]) {
        const { credentials, native, withdrawn } = open({ get: 'never' });
        const controller = new AbortController();
        const answer = credentials.get({ publicKey: getOptions, signal: controller.signal });
        await settle();
        controller.abort(reason);
        await assert.rejects(answer, expected);
        assert.deepEqual([withdrawn, native], [['get'], []]);
    }
});

test('a signal that has fired is the browser’s matter', async () => {
    const { credentials, native, asked } = open({ get: assertion });
    await credentials.get({ publicKey: getOptions, signal: AbortSignal.abort() });
    assert.deepEqual([asked.length, native.length], [0, 1]);
});

test('time that is over ends the request', async () => {
    for (const [timeout, milliseconds] of [
        [undefined, 300_000],
        [60_000, 60_000],
        [5, 10_000],
        [1e12, 600_000],
        [NaN, 10_000],
        [null, 10_000],
        [2 ** 32 + 60_000, 60_000],
    ]) {
        const { credentials, withdrawn, timers } = open({ get: 'never' });
        const answer = credentials.get({ publicKey: { ...getOptions, timeout } });
        await settle();
        assert.equal(timers[0].milliseconds, milliseconds);
        timers[0].body();
        await assert.rejects(answer, { name: 'NotAllowedError' });
        assert.deepEqual(withdrawn, ['get']);
    }
});

test('a conditional request has all the time there is', async () => {
    const { credentials, timers } = open({ get: 'never' });
    void credentials.get({ mediation: 'conditional', publicKey: { ...getOptions, timeout: 10_000 } });
    await settle();
    assert.deepEqual(timers, []);
});

test('a timer does not outlive its request', async () => {
    const { credentials, timers } = open({ get: assertion });
    await credentials.get({ publicKey: getOptions });
    assert.deepEqual(timers, [undefined]);
});

test('a request that is not conditional ends one that is', async () => {
    const { credentials } = open({ get: 'never', create: registration });
    const waiting = credentials.get({ mediation: 'conditional', publicKey: getOptions });
    await settle();
    await credentials.create({ publicKey: createOptions });
    await assert.rejects(waiting, { name: 'AbortError' });
});

test('of two requests, Chromium refuses the second and Firefox ends the first', async () => {
    const chromium = open({ get: 'never' });
    const first = chromium.credentials.get({ publicKey: getOptions });
    await assert.rejects(chromium.credentials.get({ publicKey: getOptions }), { name: 'OperationError' });
    assert.deepEqual(chromium.withdrawn, []);
    void first;
    const firefox = open({ get: 'never' }, { refusesSecond: false });
    const ended = firefox.credentials.get({ publicKey: getOptions });
    void firefox.credentials.get({ publicKey: getOptions });
    await assert.rejects(ended, { name: 'AbortError' });
});

test('null is text where text is wanted', async () => {
    const { credentials, asked } = open({ get: 'elsewhere', create: 'elsewhere' });
    await credentials.get({ publicKey: { ...getOptions, rpId: null } });
    await credentials.create({ publicKey: { ...createOptions, rp: { name: null, id: null } } });
    assert.deepEqual(asked.map(([, { request }]) => request.relyingParty), ['null', 'null']);
});

test('without options, the browser is asked without options', async () => {
    const { credentials, native } = open({ get: assertion });
    await credentials.get();
    await credentials.get(undefined);
    assert.equal(native[0][2], undefined);
    assert.equal(native[1][2].publicKey, undefined);
});

test('what the page gives is read once, also where the browser answers in the end', async () => {
    const { credentials, native } = open({ get: 'elsewhere' });
    let times = 0;
    const allowed = [{ type: 'public-key', id: bytes(1) }].values();
    const publicKey = { ...getOptions, allowCredentials: allowed };
    Object.defineProperty(publicKey, 'rpId', { get: () => `${(times += 1)}.example.org` });
    await credentials.get({ publicKey });
    const given = native[0][2].publicKey;
    assert.deepEqual([given.rpId, given.rpId, times], ['1.example.org', '1.example.org', 1]);
    assert.equal(given.allowCredentials.length, 1);
    // What is wrong is shown to the browser with what was read before it.
    const once = [{ type: 'public-key', id: bytes(1) }].values();
    await credentials.get({ publicKey: { allowCredentials: once, challenge: 'text' } });
    const wrong = native[1][2].publicKey;
    assert.deepEqual([wrong.allowCredentials.length, wrong.challenge], [1, 'text']);
});

test('what the page’s own code throws is what the page gets, and nobody is asked', async () => {
    const mine = new Error('mine');
    const { credentials, native, asked } = open({ get: assertion });
    const rpId = { toString: () => { throw mine; } };
    await assert.rejects(credentials.get({ publicKey: { ...getOptions, rpId } }), (error) => error === mine);
    await assert.rejects(credentials.get({ publicKey: { ...getOptions, rpId: Symbol('x') } }), TypeError);
    assert.deepEqual([asked, native], [[], []]);
});

test('a credential that was made here is stored no more than the browser’s own', async () => {
    const { credentials, native } = open({ get: assertion });
    const credential = await credentials.get({ publicKey: getOptions });
    await assert.rejects(credentials.store(credential), { name: 'NotSupportedError' });
    assert.deepEqual(native, []);
    await credentials.store({});
    assert.equal(native[0][0], 'store');
});

test('a container of another window is not ours to answer for', async () => {
    const { scope, native, asked } = open({ get: assertion });
    const other = new scope.CredentialsContainer();
    await other.get({ publicKey: getOptions });
    assert.equal(native[0][1], other);
    assert.deepEqual(asked, []);
});

test('where the prototypes are frozen, everything stays the browser’s', async () => {
    const { scope, credentials, native } = makeScope();
    for (const { prototype } of Object.values(scope).filter((value) => value.prototype)) Object.freeze(prototype);
    Object.freeze(scope.PublicKeyCredential);
    const channel = { ask: () => assert.fail('asked') };
    install(scope, channel, new Requests(true, makeTimers()), makeTimers());
    await credentials.get({ publicKey: getOptions });
    assert.equal(native.length, 1);
});

const spoilt = () => assert.fail('the page was asked');
const replaceable = [
    [Array.prototype, 'push'],
    [String.prototype, 'replace'],
    [WeakMap.prototype, 'get'],
    [Reflect, 'apply'],
];

test('functions that a page replaces later are not used', async () => {
    const { credentials } = open({ get: assertion });
    const kept = replaceable.map(([owner, name]) => owner[name]);
    try {
        for (const [owner, name] of replaceable) owner[name] = spoilt;
        const credential = await credentials.get({ publicKey: getOptions });
        void credential.rawId;
    } finally {
        for (let at = 0; at < kept.length; at += 1) replaceable[at][0][replaceable[at][1]] = kept[at];
    }
});

test('what a page can count on is ours and the browser’s', async () => {
    const available = { isAvailable: true, canVerify: true, makesInBackground: false };
    const { scope } = open({ available });
    const { PublicKeyCredential } = scope;
    assert.equal(await PublicKeyCredential.isConditionalMediationAvailable(), true);
    assert.equal(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable(), true);
    const capabilities = await PublicKeyCredential.getClientCapabilities();
    assert.deepEqual(
        [capabilities.hybridTransport, capabilities.conditionalGet, capabilities.conditionalCreate],
        [true, true, false],
    );
    const order = Object.keys(capabilities);
    assert.ok(order.every((name, at) => at === 0 || order[at - 1] < name));
    const unverifiable = open({ available: { ...available, canVerify: false } }).scope.PublicKeyCredential;
    assert.equal(await unverifiable.isUserVerifyingPlatformAuthenticatorAvailable(), false);
    const none = open({ available: 'hostMissing' }).scope.PublicKeyCredential;
    assert.equal(await none.isConditionalMediationAvailable(), false);
    assert.deepEqual(await none.getClientCapabilities(), {
        conditionalCreate: false,
        hybridTransport: true,
        'extension:appid': true,
    });
});

test('what a page can count on is the browser’s after a second, and the question is taken back', async () => {
    for (const [name, own] of [
        ['isConditionalMediationAvailable', false],
        ['isUserVerifyingPlatformAuthenticatorAvailable', false],
        ['getClientCapabilities', { conditionalCreate: false, hybridTransport: true, 'extension:appid': true }],
    ]) {
        const { scope, withdrawn, timers } = open({ available: 'never' });
        const answer = scope.PublicKeyCredential[name]();
        await settle();
        assert.equal(timers[0].milliseconds, 1000);
        timers[0].body();
        assert.deepEqual(await answer, own);
        assert.deepEqual([withdrawn, timers], [['available'], [undefined]]);
    }
});

test('a site’s signals are heard, after the browser has checked them', async () => {
    const { scope, asked, native } = open({ report: {} });
    const { PublicKeyCredential } = scope;
    await PublicKeyCredential.signalUnknownCredential({ rpId: 'example.org', credentialId: 'AQID' });
    assert.deepEqual(asked, [
        ['report', { report: { kind: 'unknown', relyingParty: 'example.org', credential: 'AQID' } }],
    ]);
    assert.equal(native.length, 1);
    const refused = PublicKeyCredential.signalUnknownCredential({ rpId: 'evil.test', credentialId: 'AQID' });
    await assert.rejects(refused, { name: 'SecurityError' });
    assert.equal(asked.length, 1);
});

test('where the browser has no signals, they are there and check for themselves', async () => {
    const { scope, asked } = open({ report: {} }, { hasSignals: false });
    const { signalUnknownCredential, signalAllAcceptedCredentials, signalCurrentUserDetails } = scope.PublicKeyCredential;
    assert.deepEqual([signalUnknownCredential.name, signalUnknownCredential.length], ['signalUnknownCredential', 1]);
    assert.equal('prototype' in signalUnknownCredential, false);
    await signalAllAcceptedCredentials({ rpId: 'a.b', userId: 'AQ', allAcceptedCredentialIds: ['AQID'] });
    await signalCurrentUserDetails({ rpId: 'a.b', userId: 'AQ', name: 'ada', displayName: 'Ada' });
    assert.deepEqual(asked.map(([, { report }]) => report), [
        { kind: 'accepted', relyingParty: 'a.b', user: 'AQ', credentials: ['AQID'] },
        { kind: 'renamed', relyingParty: 'a.b', user: 'AQ', name: 'ada' },
    ]);
    for (const wrong of [undefined, {}, { rpId: 'a.b' }, { rpId: 'a.b', credentialId: 'A=' }]) {
        await assert.rejects(signalUnknownCredential(wrong), TypeError);
    }
    const elsewhere = open({ report: 'refused' }, { hasSignals: false }).scope.PublicKeyCredential;
    const refused = elsewhere.signalUnknownCredential({ rpId: 'a.b', credentialId: 'AQ' });
    await assert.rejects(refused, { name: 'SecurityError' });
    const unreachable = open({ report: 'brokerUnreachable' }, { hasSignals: false }).scope.PublicKeyCredential;
    await unreachable.signalUnknownCredential({ rpId: 'a.b', credentialId: 'AQ' });
});
