import assert from 'node:assert/strict';
import test from 'node:test';
import { PasskeySession } from '../src/background/passkey-session.js';
import { passkeyRequesterOf } from '../src/background/requester.js';
import { AutoFillError } from '../src/protocol/errors.js';
import { FakePort, settle } from './ports.mjs';

const request = { challenge: 'AQID', allowed: [], userVerification: 'preferred' };
const registration = {
    challenge: 'AQID',
    user: { id: 'AQ', name: 'ada', displayName: 'Ada' },
    algorithms: [-7],
    excluded: [],
    userVerification: 'preferred',
};
const page = { origin: 'https://example.org', url: 'https://example.org/login?x', frameId: 0 };

function openSession(sender = page, answers = {}) {
    const asked = [];
    const port = new FakePort();
    const answer = (name) => async (params, { signal }) => {
        asked.push([name, params]);
        return answers[name] ? answers[name](signal) : { name };
    };
    const names = ['available', 'getPasskey', 'createPasskey', 'report'];
    const host = Object.fromEntries(names.map((name) => [name, answer(name)]));
    PasskeySession.serve(port, { tab: { url: page.url, incognito: false }, ...sender }, host);
    return { port, asked, ask: (id, method, params) => port.receive({ jsonrpc: '2.0', id, method, params }) };
}

test('asks for the address that the browser named, without what the page says', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'passkeys.get', { request, isCrossOrigin: false });
    await settle();
    assert.deepEqual(asked, [['getPasskey', { url: 'https://example.org/login', private: false, request }]]);
    assert.deepEqual(port.posted, [{ jsonrpc: '2.0', id: 1, result: { name: 'getPasskey' } }]);
});

test('says who stands around a frame of another origin, whatever the frame says of itself', async () => {
    const frame = { origin: 'https://frame.example', url: 'https://frame.example/', frameId: 7 };
    for (const isCrossOrigin of [true, false]) {
        const { asked, ask } = openSession(frame);
        ask(1, 'passkeys.create', { request: registration, isConditional: false, isCrossOrigin });
        await settle();
        assert.equal(asked[0][1].top, 'https://example.org');
        assert.equal(asked[0][1].url, 'https://frame.example/');
    }
});

test('a stranger between two frames of one origin is said by the content script alone', () => {
    const sender = { ...page, frameId: 3, tab: { url: page.url, incognito: true } };
    assert.equal(passkeyRequesterOf(sender, true).top, 'https://example.org');
    assert.equal(passkeyRequesterOf(sender, false).top, undefined);
    assert.equal(passkeyRequesterOf({ ...sender, frameId: 0 }, true).top, undefined);
});

for (const origin of ['null', undefined, 'file://', 'chrome-extension://abc', 'data:']) {
    test(`no page of the web: ${origin}`, () => {
        assert.throws(() => openSession({ ...page, origin }), { name: 'AutoFillError' });
        assert.throws(() => openSession({ ...page, origin, frameId: 1 }), { name: 'AutoFillError' });
        assert.throws(() => openSession({ ...page, frameId: 1, tab: { url: `${origin}`, incognito: false } }));
    });
}

for (const method of ['suggest', 'fill', 'list', 'passkey', 'hello', 'cancel', 'get', 'constructor', 'secret']) {
    test(`nothing but passkeys is to be had on this port: ${method}`, async () => {
        const { port, asked, ask } = openSession();
        ask(1, method, { handle: 'h', fields: ['password'], provider: 'p', request });
        await settle();
        assert.equal(port.posted[0].error.data.kind, 'invalid');
        assert.deepEqual(asked, []);
    });
}

test('an address, a page around it or a handle in the message is refused', async () => {
    for (const more of [{ url: 'https://bank.example' }, { top: 'https://bank.example' }, { handle: 'h' }]) {
        const { port, asked, ask } = openSession();
        ask(1, 'passkeys.get', { request, isCrossOrigin: false, ...more });
        await settle();
        assert.equal(port.posted[0].error.data.kind, 'invalid');
        assert.deepEqual(asked, []);
    }
});

test('a request that is taken back is taken back from the host, and so are all when the frame goes', async () => {
    const signals = [];
    const never = (signal) => {
        signals.push(signal);
        return new Promise(() => {});
    };
    const { port, ask } = openSession(page, { getPasskey: never });
    ask(1, 'passkeys.get', { request, isCrossOrigin: false });
    ask(2, 'passkeys.get', { request, isCrossOrigin: false });
    await settle();
    port.receive({ jsonrpc: '2.0', method: 'cancel', params: { id: 1 } });
    assert.deepEqual(signals.map(({ aborted }) => aborted), [true, false]);
    port.drop();
    assert.deepEqual(signals.map(({ aborted }) => aborted), [true, true]);
});

test('more requests of one frame than anybody needs are refused', async () => {
    const { port, asked, ask } = openSession(page, { available: () => new Promise(() => {}) });
    for (let id = 1; id <= 70; id += 1) ask(id, 'passkeys.available', {});
    await settle();
    assert.equal(asked.length, 64);
    assert.equal(port.posted.length, 6);
    assert.equal(port.posted[0].error.data.kind, 'tooManyRequests');
});

test('what the host answers of a report is not told', async () => {
    const { port, asked, ask } = openSession(page, { report: async () => ({ secret: 1 }) });
    ask(1, 'passkeys.report', { report: { kind: 'unknown', relyingParty: 'example.org', credential: 'AQ' } });
    await settle();
    assert.deepEqual(port.posted, [{ jsonrpc: '2.0', id: 1, result: {} }]);
    assert.equal(asked[0][1].report.credential, 'AQ');
});

test('a failure keeps its kind', async () => {
    const { port, ask } = openSession(page, { getPasskey: () => Promise.reject(new AutoFillError('elsewhere')) });
    ask(1, 'passkeys.get', { request, isCrossOrigin: false });
    await settle();
    assert.equal(port.posted[0].error.data.kind, 'elsewhere');
});
