import assert from 'node:assert/strict';
import test from 'node:test';
import { PageSession } from '../src/background/page-session.js';
import { AutoFillError } from '../src/protocol/errors.js';
import { FakePort, settle } from './ports.mjs';

const requester = { url: 'https://example.org/login', private: true };
const provider = { identifier: 'p', name: 'P' };
const offer = {
    suggestions: [{ handle: 'h', user: 'ada', service: 'example.org', provider, match: 'origin', kind: 'password' }],
    more: 0,
    providers: [{ ...provider, lists: ['password'], isSilent: false }],
};

const place = { tab: 4, frame: 0 };

/** What is done with forms, noted. */
function recorder(asked) {
    const note = (name) => async (...values) => void asked.push([name, ...values]);
    return { keep: note('keep'), submit: note('submit'), name: note('name'), settle: note('settle') };
}

/** A frame's port, and a native host that remembers what it was asked. */
function openSession(host = {}) {
    const asked = [];
    const port = new FakePort();
    PageSession.serve(port, requester, {
        suggest: async (...values) => {
            asked.push(['suggest', ...values]);
            return host.offer ?? offer;
        },
        setUp: async (...values) => {
            asked.push(['setUp', ...values]);
            return 'done';
        },
        fill: async (...values) => {
            asked.push(['fill', ...values]);
            return host.fill ? host.fill(...values) : { user: 'ada' };
        },
        list: async (...values) => {
            asked.push(['list', ...values]);
            return host.list ? host.list(...values) : { user: 'eve' };
        },
        savingSupport: async (...values) => {
            asked.push(['savingSupport', ...values]);
            return { saves: true, generates: true };
        },
        generate: async (...values) => {
            asked.push(['generate', ...values]);
            return ['made'];
        },
    }, { submissions: recorder(asked), place });
    return { port, asked, ask: (id, method, params) => port.receive({ jsonrpc: '2.0', id, method, params }) };
}

test('asks for the address that the browser named', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'suggest', {});
    await settle();
    assert.deepEqual(asked[0][1], requester);
    assert.deepEqual(port.posted, [{ jsonrpc: '2.0', id: 1, result: offer }]);
});

test('an address in the message is refused', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'suggest', { url: 'https://bank.example/' });
    await settle();
    assert.equal(port.posted[0].error.data.kind, 'invalid');
    assert.deepEqual(asked, []);
});

test('fills what was offered to this frame, with its own address', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'suggest', {});
    await settle();
    ask(2, 'fill', { handle: 'h', fields: ['username'] });
    await settle();
    assert.deepEqual(asked[1][1], { ...requester, handle: 'h', fields: ['username'] });
    assert.deepEqual(port.posted[1].result, { user: 'ada' });
});

test('refuses a handle that was not offered to this frame', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'fill', { handle: 'h', fields: ['password'] });
    await settle();
    assert.equal(port.posted[0].error.data.kind, 'refused');
    assert.deepEqual(asked, []);
});

test('opens the list of a provider that was offered to this frame, for its own address', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'suggest', {});
    await settle();
    ask(2, 'list', { provider: 'p', fields: ['username'] });
    await settle();
    assert.deepEqual(asked[1][1], { ...requester, provider: 'p', fields: ['username'] });
    assert.deepEqual(port.posted[1].result, { user: 'eve' });
});

test('refuses the list of a provider that was not offered, and a list for another address', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'list', { provider: 'p', fields: ['password'] });
    ask(2, 'suggest', {});
    await settle();
    ask(3, 'list', { provider: 'q', fields: ['password'] });
    ask(4, 'list', { provider: 'p', fields: ['password'], url: 'https://bank.example/' });
    await settle();
    const kinds = port.posted.filter(({ error }) => error).map(({ error }) => error.data.kind);
    assert.deepEqual(kinds, ['refused', 'refused', 'invalid']);
    assert.deepEqual(
        asked.map(([method]) => method),
        ['suggest'],
    );
});

test('says which of the frame’s requests waits', async () => {
    const need = { request: 77, provider: 'P', message: 'm', command: 'c' };
    const { port, ask } = openSession({
        fill: (_, { onWaiting }) => {
            onWaiting(need);
            return new Promise(() => {});
        },
    });
    ask(1, 'suggest', {});
    await settle();
    ask(5, 'fill', { handle: 'h', fields: ['password'] });
    await settle();
    assert.deepEqual(port.posted[1], { jsonrpc: '2.0', method: 'fill.waiting', params: { ...need, request: 5 } });
});

for (const [name, end] of [
    ['cancelled', (port) => port.receive({ jsonrpc: '2.0', method: 'cancel', params: { id: 2 } })],
    ['left', (port) => port.drop()],
    ['broken', (port) => port.receive('nonsense')],
]) {
    test(`a request that was ${name} is cancelled further on`, async () => {
        let signal;
        const { port, ask } = openSession({
            fill: (_, options) => {
                signal = options.signal;
                return new Promise(() => {});
            },
        });
        ask(1, 'suggest', {});
        await settle();
        ask(2, 'fill', { handle: 'h', fields: ['password'] });
        await settle();
        assert.equal(signal.aborted, false);
        end(port);
        assert.equal(signal.aborted, true);
    });
}

test('a refusal keeps its kind on the way to the page', async () => {
    const { port, ask } = openSession({ fill: () => Promise.reject(new AutoFillError('tooManyRequests', 'wait')) });
    ask(1, 'suggest', {});
    await settle();
    ask(2, 'fill', { handle: 'h', fields: ['password'] });
    await settle();
    assert.deepEqual(port.posted[1].error, { code: -32000, message: 'wait', data: { kind: 'tooManyRequests' } });
});

test('an unknown method is refused and the conversation goes on', async () => {
    const { port, ask } = openSession();
    ask(1, 'enableProvider', {});
    ask(2, 'suggest', {});
    await settle();
    const kinds = Object.fromEntries(port.posted.map(({ id, error }) => [id, error?.data.kind]));
    assert.deepEqual(kinds, { 1: 'invalid', 2: undefined });
});

const form = { user: 'ada', password: 's3cret', isGenerated: false };

test('a form that was sent goes on with the address and the place that the browser named', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'passwords.submit', { ...form, kind: 'signIn' });
    ask(2, 'passwords.named', { user: 'ada' });
    ask(3, 'passwords.settle', { worked: true });
    ask(4, 'passwords.keep', form);
    await settle();
    assert.deepEqual(asked, [
        ['submit', place, requester, form, 'signIn'],
        ['name', place, requester, 'ada'],
        ['settle', place, true],
        ['keep', requester, form],
    ]);
    assert.deepEqual(port.posted.map(({ result }) => result), [{}, {}, {}, {}]);
});

test('a new password is asked for with the address that the browser named', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'passwords.available', {});
    ask(2, 'passwords.generate', { rules: 'required: digit', maxLength: 1e9 });
    await settle();
    assert.deepEqual(asked[0][1], requester);
    assert.deepEqual(asked[1][1], { ...requester, rules: 'required: digit', maxLength: 100_000 });
    const answers = Object.fromEntries(port.posted.map(({ id, result }) => [id, result]));
    assert.deepEqual(answers, { 1: { saves: true, generates: true }, 2: { passwords: ['made'] } });
});

for (const [what, params] of Object.entries({
    'an address': { ...form, kind: 'signIn', url: 'https://bank.example/' },
    'a session': { ...form, kind: 'signIn', session: 'that of another form' },
    'another tab': { ...form, kind: 'signIn', tab: 1 },
    'no password': { ...form, password: '', kind: 'signIn' },
    'a long password': { ...form, password: 'x'.repeat(4097), kind: 'signIn' },
    'another kind': { ...form, kind: 'payment' },
})) {
    test(`a form with ${what} is refused`, async () => {
        const { port, asked, ask } = openSession();
        ask(1, 'passwords.submit', params);
        await settle();
        assert.equal(port.posted[0].error.data.kind, 'invalid');
        assert.deepEqual(asked, []);
    });
}

const unready = { suggestions: [], more: 0, providers: [], setUp: true };

test('Keyway is set up where that was offered, with the address that the browser named', async () => {
    const { port, asked, ask } = openSession({ offer: unready });
    ask(1, 'suggest', {});
    await settle();
    ask(2, 'setUp', {});
    await settle();
    assert.deepEqual(asked[1].slice(0, 2), ['setUp', requester]);
    assert.deepEqual(port.posted[1].result, { outcome: 'done' });
});

test('a frame that was not offered to set Keyway up begins nothing', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'setUp', {});
    ask(2, 'suggest', {});
    await settle();
    ask(3, 'setUp', {});
    await settle();
    assert.deepEqual(port.posted.filter(({ error }) => error).map(({ error }) => error.data.kind), ['refused', 'refused']);
    assert.deepEqual(asked.map(([name]) => name), ['suggest']);
});

test('what was offered once is begun once', async () => {
    const { port, asked, ask } = openSession({ offer: unready });
    ask(1, 'suggest', {});
    await settle();
    ask(2, 'setUp', {});
    ask(3, 'setUp', {});
    await settle();
    assert.equal(port.posted.find(({ id }) => id === 3).error.data.kind, 'refused');
    assert.equal(asked.filter(([name]) => name === 'setUp').length, 1);
});

test('what is said with the wish to set Keyway up is refused', async () => {
    const { port, asked, ask } = openSession({ offer: unready });
    ask(1, 'suggest', {});
    await settle();
    ask(2, 'setUp', { url: 'https://bank.example/' });
    await settle();
    assert.equal(port.posted[1].error.data.kind, 'invalid');
    assert.equal(asked.length, 1);
});
