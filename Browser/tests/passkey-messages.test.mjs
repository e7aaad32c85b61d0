import assert from 'node:assert/strict';
import test from 'node:test';
import {
    parsePageAvailable,
    parsePageCreate,
    parsePageGet,
    parsePageList,
    parsePagePasskey,
    parsePageReport,
    parsePageSuggest,
} from '../src/protocol/page.js';
import { parseAssertion, parseAvailability, parseRegistration } from '../src/protocol/passkeys.js';
import { everyDamage, noise } from './damage.mjs';

const assertionRequest = {
    challenge: 'AQIDBA',
    relyingParty: 'example.org',
    allowed: ['AQID', 'BAUG'],
    userVerification: 'required',
    extensions: { prf: { eval: { first: 'AQ', second: 'Ag' }, evalByCredential: { AQID: { first: '' } } } },
};
const registrationRequest = {
    challenge: 'AQIDBA',
    relyingParty: 'example.org',
    user: { id: 'AQ', name: 'ada', displayName: 'Ada' },
    algorithms: [-7, -257],
    excluded: ['AQID'],
    userVerification: 'discouraged',
    attestation: 'direct',
    extensions: { credProps: true, prf: { eval: { first: 'AQ' } }, largeBlob: { support: 'required' } },
};
const report = { kind: 'accepted', relyingParty: 'example.org', user: 'AQ', credentials: ['AQID'] };

const readReport = (value) => ({ report: parsePageReport(value) });

/** Every parser with a message that it takes, and the fields that may be missing. */
const parsers = {
    suggest: [parsePageSuggest, { passkeys: { relyingParty: 'example.org', allowed: ['AQID'] } }],
    list: [parsePageList, { provider: 'p', fields: ['password'], passkey: assertionRequest }],
    passkey: [parsePagePasskey, { handle: 'h', request: assertionRequest }],
    get: [parsePageGet, { request: assertionRequest, isCrossOrigin: false }],
    create: [parsePageCreate, { request: registrationRequest, isConditional: true, isCrossOrigin: false }],
    'report of those that are accepted': [readReport, { report }],
    'report of a name': [readReport, { report: { kind: 'renamed', relyingParty: 'a.b', user: 'AQ', name: 'ada' } }],
    'report of an unknown one': [readReport, { report: { kind: 'unknown', relyingParty: 'a.b', credential: 'AQ' } }],
    availability: [parseAvailability, { isAvailable: true, canVerify: false, makesInBackground: true }],
    assertion: [
        parseAssertion,
        {
            id: 'AQID',
            clientDataJSON: 'e30',
            authenticatorData: 'AAAA',
            signature: 'AAAA',
            userHandle: 'AQ',
            extensions: { prf: { results: { first: 'AAAA', second: 'AAAB' } }, largeBlob: { blob: 'AA', written: true } },
        },
    ],
    registration: [
        parseRegistration,
        {
            id: 'AQID',
            clientDataJSON: 'e30',
            attestationObject: 'AAAA',
            authenticatorData: 'AAAA',
            publicKey: 'AAAA',
            algorithm: -7,
            transports: ['internal'],
            extensions: {
                credProps: { rk: true },
                prf: { enabled: true, results: { first: 'AAAA' } },
                largeBlob: { supported: true },
            },
        },
    ],
};
const optional =
    /^without \S*\.(passkeys|passkey|relyingParty|attestation|extensions|prf|eval|second|evalByCredential|AQID|largeBlob|credProps|userHandle|publicKey|results|blob|written)$/;

for (const [name, [parse, good]] of Object.entries(parsers)) {
    test(`${name}: gives back what it takes, field by field`, () => {
        assert.deepEqual(parse(structuredClone(good)), good);
    });

    test(`${name}: refuses every field missing, mistyped or added`, () => {
        for (const { damaged, what } of everyDamage(good)) {
            // An empty list of credentials is a list, and other numbers are algorithms too.
            const isLong = /(authenticatorData|attestationObject|signature|publicKey|blob) = x+$/.test(what);
            const isFine = optional.test(what) || isLong || /( = -1$|allowed|excluded|credentials)/.test(what);
            if (!isFine) assert.throws(() => parse(damaged), { name: 'ShapeError' }, what);
        }
    });

    test(`${name}: refuses noise with a ShapeError and nothing else`, () => {
        for (const value of noise(1000, 11)) {
            try {
                parse(value);
            } catch (error) {
                assert.equal(error.name, 'ShapeError');
            }
        }
    });
}

test('a page that asks says neither who it is nor what is signed', () => {
    const asked = { request: assertionRequest, isCrossOrigin: false };
    for (const name of ['url', 'origin', 'top', 'handle', 'private', 'clientDataJSON']) {
        assert.throws(() => parsePageGet({ ...asked, [name]: 'https://bank.example' }), { name: 'ShapeError' }, name);
        const request = { ...assertionRequest, [name]: 'x' };
        assert.throws(() => parsePageGet({ request, isCrossOrigin: false }), { name: 'ShapeError' }, name);
    }
    assert.throws(() => parsePageAvailable({ url: 'https://bank.example' }), { name: 'ShapeError' });
});

for (const wrong of ['A', 'AAAAA', 'AA==', 'A+', 'A/', 'A B', 'ä', '\n', 'AA\n']) {
    test(`${JSON.stringify(wrong)} is no base64url`, () => {
        assert.throws(() => parsePageGet({ request: { ...assertionRequest, challenge: wrong }, isCrossOrigin: false }));
    });
}

const get = (change) => () => parsePageGet({ request: { ...assertionRequest, ...change }, isCrossOrigin: false });
const create = (change) => () =>
    parsePageCreate({ request: { ...registrationRequest, ...change }, isConditional: false, isCrossOrigin: false });
const user = (id) => ({ user: { ...registrationRequest.user, id } });
const sized = (count) => Buffer.alloc(count).toString('base64url');

test('what only the other ceremony asks of extensions is refused', () => {
    for (const extensions of [{ credProps: true }, { largeBlob: { support: 'required' } }, { largeBlob: {} }]) {
        assert.throws(get({ extensions }), { name: 'ShapeError' });
    }
    assert.throws(get({ extensions: { largeBlob: { read: true, write: 'AA' } } }), { name: 'ShapeError' });
    for (const extensions of [{ prf: { evalByCredential: {} } }, { largeBlob: { read: true } }]) {
        assert.throws(create({ extensions }), { name: 'ShapeError' });
    }
});

test('the longest user handle and credential ID fit, and none longer', () => {
    create(user(sized(64)))();
    assert.throws(create(user(sized(65))), { name: 'ShapeError' });
    get({ allowed: [sized(1023)] })();
    assert.throws(get({ allowed: [sized(1024)] }), { name: 'ShapeError' });
    assert.throws(get({ allowed: [''] }), { name: 'ShapeError' });
});
