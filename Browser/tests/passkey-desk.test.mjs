import assert from 'node:assert/strict';
import test from 'node:test';
import { PasskeyDesk } from '../src/page/passkey-desk.js';
import { settle } from './ports.mjs';

const request = { challenge: 'AQID', relyingParty: 'example.org', allowed: ['AQID'], userVerification: 'preferred' };
const registration = {
    challenge: 'AQID',
    user: { id: 'AQ', name: 'ada', displayName: 'Ada' },
    algorithms: [-7],
    excluded: [],
    userVerification: 'preferred',
};
const assertion = { id: 'AQID' };
const provider = { identifier: 'p', name: 'P', lists: ['password', 'passkey'], isSilent: false };
const passkey = { handle: 'h', kind: 'passkey' };

function open({
    standing = 'sameOrigin',
    isVisible = true,
    hasGesture = false,
    isRefused = false,
    suggestions = [passkey],
    providers = [provider],
} = {}) {
    const asked = [];
    const changes = [];
    const answer = (name, result) => async (params) => {
        asked.push([name, params]);
        return result;
    };
    const passkeys = {
        suggest: answer('suggest', { suggestions, more: 0, providers }),
        available: answer('available', { isAvailable: true }),
        getPasskey: answer('getPasskey', assertion),
        createPasskey: answer('createPasskey', { id: 'AQ' }),
        report: answer('report', undefined),
    };
    const frame = {
        standing: (policy) => (asked.push(policy), standing),
        isVisible: () => isVisible,
        hasGesture: () => hasGesture,
    };
    const certificate = {
        isRefused: async () => {
            certificate.asked += 1;
            return isRefused;
        },
        asked: 0,
    };
    const desk = new PasskeyDesk(passkeys, frame, certificate, (isWaiting) => changes.push(isWaiting));
    const controller = new AbortController();
    const perform = (method, params) => desk.perform(method, params, controller.signal);
    return { desk, perform, asked, changes, certificate, abort: () => controller.abort() };
}

const conditional = { request, isConditional: true };

test('a request goes on, and says whether strangers stand around the frame', async () => {
    for (const [standing, isCrossOrigin] of [
        ['sameOrigin', false],
        ['crossOrigin', true],
    ]) {
        const { perform, asked } = open({ standing });
        assert.equal(await perform('get', { request, isConditional: false }), assertion);
        assert.deepEqual(asked, ['publickey-credentials-get', ['getPasskey', { request, isCrossOrigin }]]);
    }
});

test('where the page may not ask, the browser says so', async () => {
    for (const [method, params] of [
        ['get', { request, isConditional: false }],
        ['get', conditional],
        ['create', { request: registration, isConditional: false }],
    ]) {
        const { perform, asked } = open({ standing: 'excluded' });
        await assert.rejects(perform(method, params), { kind: 'elsewhere' });
        assert.deepEqual(asked, [`publickey-credentials-${method}`]);
    }
});

test('where the certificate is refused, the browser says so, and nobody here is asked', async () => {
    for (const [method, params] of [
        ['get', { request, isConditional: false }],
        ['get', conditional],
        ['create', { request: registration, isConditional: false }],
        ['create', { request: registration, isConditional: true }],
    ]) {
        const { perform, asked } = open({ isRefused: true });
        await assert.rejects(perform(method, params), { kind: 'elsewhere' });
        assert.deepEqual(asked, [`publickey-credentials-${method}`]);
    }
});

test('nobody looks at the certificate of a page that asks for no passkey, or may not', async () => {
    const { perform, certificate } = open();
    await perform('available', {});
    await perform('report', { report: { kind: 'unknown', relyingParty: 'example.org', credential: 'AQID' } });
    assert.equal(certificate.asked, 0);
    for (const surroundings of [{ standing: 'excluded' }, { standing: 'crossOrigin' }, { isVisible: false }]) {
        const other = open(surroundings);
        await assert.rejects(other.perform('create', { request: registration, isConditional: false }));
        assert.equal(other.certificate.asked, 0);
    }
});

test('one that was taken back while the certificate was looked at asks nobody', async () => {
    const { perform, asked, abort } = open();
    const answer = perform('get', { request, isConditional: false });
    abort();
    await assert.rejects(answer, { kind: 'cancelled' });
    assert.deepEqual(asked, ['publickey-credentials-get']);
});

test('a page that nobody looks at opens no window', async () => {
    const { perform } = open({ isVisible: false });
    await assert.rejects(perform('get', { request, isConditional: false }), { kind: 'elsewhere' });
    await assert.rejects(perform('create', { request: registration, isConditional: false }), { kind: 'elsewhere' });
});

test('a frame of another origin makes passkeys only where the person did something in it', async () => {
    const params = { request: registration, isConditional: false };
    const still = open({ standing: 'crossOrigin' });
    await assert.rejects(still.perform('create', params), { kind: 'elsewhere' });
    assert.deepEqual(still.asked, ['publickey-credentials-create']);
    const used = open({ standing: 'crossOrigin', hasGesture: true });
    await used.perform('create', params);
    assert.deepEqual(used.asked.at(-1), ['createPasskey', { ...params, isCrossOrigin: true }]);
    const own = open();
    await own.perform('create', params);
    assert.deepEqual(own.asked.at(-1), ['createPasskey', { ...params, isCrossOrigin: false }]);
});

test('a conditional request waits until the person chose', async () => {
    const { desk, perform, asked, changes } = open();
    const answer = perform('get', conditional);
    await settle();
    assert.deepEqual(asked.at(-1), ['suggest', { passkeys: { relyingParty: 'example.org', allowed: ['AQID'] } }]);
    assert.deepEqual(desk.waiting.request, request);
    desk.waiting.answer(assertion);
    assert.equal(await answer, assertion);
    assert.equal(desk.waiting, undefined);
    assert.deepEqual(changes, [true, false]);
});

test('a conditional request is the browser’s where nobody has a passkey and every provider said so', async () => {
    const password = { handle: 'h', kind: 'password' };
    const cannot = { ...provider, isSilent: true, lists: ['password'] };
    for (const providers of [[provider], [], [cannot]]) {
        const { desk, perform } = open({ suggestions: [password], providers });
        await assert.rejects(perform('get', conditional), { kind: 'elsewhere' });
        assert.equal(desk.waiting, undefined);
    }
});

test('a conditional request waits for a provider that was not opened yet', async () => {
    const { desk, perform } = open({ suggestions: [], providers: [{ ...provider, isSilent: true }] });
    void perform('get', conditional);
    await settle();
    assert.notEqual(desk.waiting, undefined);
});

test('a conditional request that is taken back waits no longer', async () => {
    const { desk, perform, changes, abort } = open();
    const answer = perform('get', conditional);
    await settle();
    abort();
    await assert.rejects(answer, { kind: 'cancelled' });
    assert.equal(desk.waiting, undefined);
    assert.deepEqual(changes, [true, false]);
});

test('one that was taken back before the answer came never waits', async () => {
    const { desk, perform, changes, abort } = open();
    const answer = perform('get', conditional);
    abort();
    await assert.rejects(answer, { kind: 'cancelled' });
    assert.equal(desk.waiting, undefined);
    assert.deepEqual(changes, []);
});

test('a frame of another origin has no menu, so its conditional requests are the browser’s', async () => {
    const { perform } = open({ standing: 'crossOrigin', hasGesture: true });
    await assert.rejects(perform('get', conditional), { kind: 'elsewhere' });
    await assert.rejects(perform('create', { request: registration, isConditional: true }), { kind: 'elsewhere' });
});

for (const method of ['suggest', 'fill', 'list', 'passkey', 'secret', 'passkeys.get', 'perform', '__proto__']) {
    test(`the page's side may ask for WebAuthn and nothing else: ${method}`, async () => {
        const { perform, asked } = open();
        await assert.rejects(perform(method, { handle: 'h', fields: ['password'] }), { kind: 'invalid' });
        assert.deepEqual(asked, []);
    });
}

test('what the page says is read strictly', async () => {
    const { perform, asked } = open();
    for (const params of [{}, { request }, { ...conditional, handle: 'h' }, { ...conditional, isCrossOrigin: false }]) {
        await assert.rejects(perform('get', params), { name: 'ShapeError' });
    }
    await assert.rejects(perform('report', { report: { kind: 'deleted' } }), { name: 'ShapeError' });
    assert.deepEqual(asked, []);
});
