import assert from 'node:assert/strict';
import test from 'node:test';
import { nameDisconnect, NativeHost } from '../src/background/native-host.js';
import { FakePort, settle } from './ports.mjs';

const page = { url: 'https://example.org/', private: false };
const provider = { identifier: 'p', name: 'P' };
const offer = {
    suggestions: [{ handle: 'h', user: 'ada', service: 'example.org', provider, match: 'origin', kind: 'password' }],
    more: 0,
    providers: [{ ...provider, lists: ['password'], isSilent: false }],
};
const profile = { profile: '0b7e3c52-6d9c-4c40-9a53-2f1b4cd8a1f0', browser: 'Firefox' };

/** A host whose `answer` says what each request is answered with; `undefined` leaves it open. */
function openHost(answer, minor = 9) {
    const ports = [];
    const states = [];
    const connect = () => {
        const port = new FakePort((message) => {
            const reply = message.method === 'hello' ? hello(message, 1, minor) : answer?.(message, port);
            if (reply) queueMicrotask(() => port.receive(reply));
        });
        ports.push(port);
        return port;
    };
    const host = new NativeHost(connect, { version: '0.1.0', readProfile: async () => profile }, (trouble) =>
        states.push(trouble?.kind),
    );
    return { host, ports, states };
}

const hello = ({ id }, major = 1, minor = 9) => ({
    jsonrpc: '2.0',
    id,
    result: { protocol: { major, minor }, version: '1' },
});
const limit = ({ id }) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32000, message: 'Wait.', data: { kind: 'rateLimited' } },
});
const result = ({ id }, value) => ({ jsonrpc: '2.0', id, result: value });

test('what was locked is locked until its service says something, though it runs no more', async () => {
    let running = [{ identifier: 'p', state: 'ready' }];
    const { host } = openHost((message) => result(message, message.method === 'state' ? { providers: running } : {}));
    const states = async () => (await host.state()).providers.map(({ identifier, state }) => `${identifier} ${state}`);
    assert.deepEqual(await states(), ['p ready']);
    await host.lock({ provider: 'p' });
    running = [{ identifier: 'q', state: 'ready' }];
    assert.deepEqual(await states(), ['q ready', 'p locked']);
    running = [{ identifier: 'p', state: 'ready' }];
    assert.deepEqual(await states(), ['p ready']);
    running = [];
    assert.deepEqual(await states(), []);
});

test('says hello first, once, and then asks over the same connection', async () => {
    const { host, ports } = openHost((message) => result(message, offer));
    assert.deepEqual(await host.suggest(page), offer);
    await host.suggest(page);
    assert.equal(ports.length, 1);
    assert.deepEqual(
        ports[0].posted.map(({ method }) => method),
        ['hello', 'suggest', 'suggest'],
    );
    assert.deepEqual(ports[0].posted[0].params, {
        protocol: { major: 1, minor: 1 },
        version: '0.1.0',
        ...profile,
    });
    assert.deepEqual(ports[0].posted[1].params, page);
});

for (const [minor, asked] of [
    [1, { ...page, codes: true }],
    [0, page],
]) {
    test(`a host of version 1.${minor} is asked for ${minor ? 'codes alone' : 'what it knows'}`, async () => {
        const { host, ports } = openHost((message) => result(message, offer), minor);
        await host.suggest({ ...page, codes: true });
        assert.deepEqual(ports[0].posted[1].params, asked);
    });
}

test('hands each of many answers to who asked, in whatever order they come', async () => {
    const held = [];
    const { host, ports } = openHost((message) => void held.push(message));
    const asked = ['a', 'b', 'c'].map((handle) => host.fill({ ...page, handle, fields: ['username'] }));
    await settle();
    for (const at of [2, 0, 1]) ports[0].receive(result(held[at], { user: held[at].params.handle }));
    assert.deepEqual(await Promise.all(asked), [{ user: 'a' }, { user: 'b' }, { user: 'c' }]);
});

test('of a site that is off nothing is asked, and its passkeys are the browser’s matter', async () => {
    const ports = [];
    const host = new NativeHost(
        () => ports.push(new FakePort()),
        { version: '0', readProfile: async () => profile },
        () => {},
        { isOff: async (address) => address.startsWith('https://off.example') },
    );
    const off = { url: 'https://off.example/', private: false };
    await assert.rejects(host.suggest(off), { kind: 'siteOff' });
    await assert.rejects(host.fill({ ...off, handle: 'h', fields: ['username'] }), { kind: 'siteOff' });
    await assert.rejects(host.getPasskey({ ...off, request: {} }), { kind: 'elsewhere' });
    await assert.rejects(host.available({ ...page, top: 'https://off.example' }), { kind: 'elsewhere' });
    assert.deepEqual(ports, []);
});

/** An older host, which is asked nothing but its name. */
function connectOlder() {
    const port = new FakePort(({ id, method }) => {
        const greeting = { protocol: { major: 1, minor: 0 }, version: '1' };
        queueMicrotask(() => port.receive({ jsonrpc: '2.0', id, result: greeting }));
        assert.equal(method, 'hello');
    });
    return port;
}

test('what an older host does not know is not asked of it', async () => {
    const states = [];
    const host = new NativeHost(connectOlder, { version: '0', readProfile: async () => profile }, (trouble) => states.push(trouble));
    await assert.rejects(host.state(), { kind: 'unsupported' });
    await assert.rejects(host.lock({ provider: 'p' }), { kind: 'unsupported' });
    assert.deepEqual(states, []);
});

test('opens a new connection for the next request after the host went away', async () => {
    const { host, ports } = openHost((message) => result(message, offer));
    await host.suggest(page);
    ports[0].drop('Native host has exited.');
    await host.suggest(page);
    assert.equal(ports.length, 2);
});

for (const [text, kind] of [
    ['Specified native messaging host not found.', 'hostMissing'],
    ['No such native application org.keyway.autofill', 'hostMissing'],
    ['Access to the specified native messaging host is forbidden.', 'hostForbidden'],
    ['This extension does not have permission to use native application org.keyway.autofill', 'hostForbidden'],
    ['Native host has exited.', 'hostExited'],
    ['Error when communicating with the native messaging host.', 'hostExited'],
    [undefined, 'hostExited'],
]) {
    test(`open requests of a connection that ended with "${text}" fail as ${kind}`, async () => {
        const { host, ports, states } = openHost();
        const asked = host.suggest(page);
        await settle();
        ports[0].drop(text);
        await assert.rejects(asked, { kind });
        assert.deepEqual(states, [kind]);
        assert.equal(nameDisconnect({ error: text ? { message: text } : null }).kind, kind);
    });
}

test('a host that is not there refuses the first request by name', async () => {
    const ports = [];
    const connect = () => {
        const port = new FakePort();
        ports.push(port);
        queueMicrotask(() => port.drop('Specified native messaging host not found.'));
        return port;
    };
    const host = new NativeHost(connect, { version: '0', readProfile: async () => profile }, () => {});
    await assert.rejects(host.suggest(page), { kind: 'hostMissing' });
    await assert.rejects(host.suggest(page), { kind: 'hostMissing' });
    assert.equal(ports.length, 2);
});

test('a host of another major version is not spoken to', async () => {
    const ports = [];
    const connect = () => {
        const port = new FakePort((message) => queueMicrotask(() => port.receive(hello(message, 2))));
        ports.push(port);
        return port;
    };
    const host = new NativeHost(connect, { version: '0', readProfile: async () => profile }, () => {});
    await assert.rejects(host.suggest(page), { kind: 'versionMismatch' });
    assert.equal(ports[0].isOpen, false);
});

test('cancels a request that nobody waits for, and ignores its late answer', async () => {
    const { host, ports } = openHost();
    const controller = new AbortController();
    const asked = host.fill({ ...page, handle: 'h', fields: ['password'] }, { signal: controller.signal });
    await settle();
    const { id } = ports[0].posted.at(-1);
    controller.abort();
    await assert.rejects(asked, { kind: 'cancelled' });
    assert.deepEqual(ports[0].posted.at(-1), { jsonrpc: '2.0', method: 'cancel', params: { id } });
    ports[0].receive({ jsonrpc: '2.0', id, result: { password: 'late' } });
    assert.equal(ports[0].isOpen, true);
});

test('tells who asked what the provider waits for', async () => {
    const { host, ports } = openHost();
    const seen = [];
    const asked = host.fill(
        { ...page, handle: 'h', fields: ['username'] },
        { onWaiting: (waiting) => seen.push(waiting.command) },
    );
    await settle();
    const { id } = ports[0].posted.at(-1);
    const params = { request: id, provider: 'P', message: 'P is locked.', command: 'keyway passwords unlock' };
    ports[0].receive({ jsonrpc: '2.0', method: 'fill.waiting', params });
    ports[0].receive({ jsonrpc: '2.0', method: 'fill.waiting', params: { ...params, request: 999 } });
    ports[0].receive({ jsonrpc: '2.0', method: 'of a newer host', params: {} });
    ports[0].receive(result({ id }, { user: 'ada' }));
    assert.deepEqual(await asked, { user: 'ada' });
    assert.deepEqual(seen, ['keyway passwords unlock']);
});

for (const wrong of [
    'x',
    {},
    { jsonrpc: '2.0', id: 2 },
    { jsonrpc: '2.0', id: 9, method: 'suggest', params: {} },
    { jsonrpc: '2.0', method: 'fill.waiting', params: {} },
    { jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } },
]) {
    test(`hangs up on a host that says ${JSON.stringify(wrong)}`, async () => {
        const { host, ports } = openHost();
        const asked = host.suggest(page);
        await settle();
        ports[0].receive(wrong);
        await assert.rejects(asked, { kind: 'protocolViolation' });
        assert.equal(ports[0].isOpen, false);
    });
}

test('an answer of the wrong shape costs its request and not the connection', async () => {
    const { host, ports } = openHost((message) => result(message, { suggestions: 'none' }));
    await assert.rejects(host.suggest(page), { name: 'ShapeError' });
    assert.equal(ports[0].isOpen, true);
});

const unreachable = ({ id }) => ({
    jsonrpc: '2.0',
    id,
    error: { code: 1, message: '', data: { kind: 'brokerUnreachable' } },
});

test('trouble is shown, and taken back when an answer comes', async () => {
    let reachable = false;
    const { host, states } = openHost((message) => (reachable ? result(message, offer) : unreachable(message)));
    await assert.rejects(host.suggest(page), { kind: 'brokerUnreachable' });
    reachable = true;
    await host.suggest(page);
    assert.deepEqual(states, ['brokerUnreachable', undefined]);
});

test('that this browser asked too much is told once, and again after something succeeded', async () => {
    let isLimited = true;
    const { host, states } = openHost((message) => (isLimited ? limit(message) : result(message, offer)));
    await assert.rejects(host.suggest(page), { kind: 'rateLimited', message: 'Wait.' });
    for (const _ of [1, 2]) await assert.rejects(host.suggest(page), { kind: 'tooManyRequests' });
    isLimited = false;
    await host.suggest(page);
    isLimited = true;
    await assert.rejects(host.suggest(page), { kind: 'rateLimited' });
    assert.deepEqual(states, ['rateLimited', 'rateLimited', 'rateLimited', undefined, 'rateLimited']);
});

const refuseStorage = () => Promise.reject(new Error('no storage'));

test('without an identifier of the profile nothing is asked', async () => {
    const ports = [];
    const connect = () => {
        ports.push(new FakePort());
        return ports.at(-1);
    };
    const host = new NativeHost(connect, { version: '0.1.0', readProfile: refuseStorage }, () => {});
    await assert.rejects(host.suggest(page), { kind: 'protocolViolation' });
    assert.deepEqual(ports, []);
});

test('a list is asked for by provider, and what comes back is what was asked for', async () => {
    const { host, ports } = openHost((message) => result(message, { user: 'ada', password: 'p' }));
    const choice = { ...page, provider: 'p', fields: ['username', 'password'] };
    assert.deepEqual(await host.list(choice), { user: 'ada', password: 'p' });
    assert.deepEqual(
        ports[0].posted.map(({ method, params }) => [method, params]).at(-1),
        ['list', choice],
    );
    await assert.rejects(host.list({ ...page, provider: 'p', fields: ['username'] }), { name: 'ShapeError' });
});
