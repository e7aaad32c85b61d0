import assert from 'node:assert/strict';
import test from 'node:test';
import { AuthDesk } from '../src/background/auth-desk.js';
import { AutoFillError } from '../src/protocol/errors.js';
import { listed, offer } from './offers.mjs';
import { FakePort, settle } from './ports.mjs';

const details = {
    requestId: '1',
    url: 'https://example.org/wiki?page=1',
    type: 'main_frame',
    tabId: 7,
    isProxy: false,
    scheme: 'basic',
    realm: 'Staff',
    challenger: { host: 'example.org', port: 443 },
};

/** A desk before a host, and the windows that it opened. */
function openDesk({ suggest, fill, isPrivate = false, fails = false } = {}) {
    const asked = [];
    const opened = [];
    let count = 0;
    const desk = new AuthDesk({
        host: {
            suggest: async (page) => {
                asked.push(['suggest', page]);
                if (suggest instanceof Error) throw suggest;
                return suggest ?? { suggestions: [offer('h')], more: 0, providers: [listed] };
            },
            fill: async (choice) => {
                asked.push(['fill', choice]);
                if (fill instanceof Error) throw fill;
                return { user: 'ada', password: 'secret' };
            },
            list: async (choice) => {
                asked.push(['list', choice]);
                return { user: 'eve', password: 'picked' };
            },
        },
        tabOf: async () => ({ id: 7, url: 'https://before.example/', incognito: isPrivate }),
        open: async (path) => {
            if (fails) throw new Error('no window');
            opened.push(path);
        },
        makeIdentifier: () => `q${(count += 1)}`,
    });
    /** The window of the newest question. */
    const enter = async (question = `q${count}`) => {
        const port = new FakePort();
        desk.serve(port);
        let id = 0;
        const ask = async (method, params) => {
            id += 1;
            port.receive({ jsonrpc: '2.0', id, method, params });
            await settle();
            const answer = port.posted.find((message) => message.id === id);
            if (answer?.error) throw new AutoFillError(answer.error.data.kind);
            return answer?.result;
        };
        const look = await ask('look', { question });
        return { port, ask, look };
    };
    return { desk, asked, opened, enter };
}

test('the window names host and realm, and what is chosen there is sent', async () => {
    const { desk, asked, opened, enter } = openDesk();
    const answered = desk.answer(details);
    await settle();
    const page = { url: 'https://example.org/wiki', private: false, realm: 'Staff' };
    assert.deepEqual(asked, [['suggest', page]]);
    assert.deepEqual(opened, ['src/basic/basic.html#q1']);
    const { ask, look, port } = await enter();
    assert.deepEqual(
        [look.host, look.realm, look.isEncrypted, look.isAgain, look.isPrivate],
        ['example.org', 'Staff', true, false, false],
    );
    await ask('fill', { handle: 'h' });
    assert.deepEqual(await answered, { authCredentials: { username: 'ada', password: 'secret' } });
    assert.deepEqual(asked.at(-1), ['fill', { ...page, handle: 'h', fields: ['username', 'password'] }]);
    assert.doesNotMatch(JSON.stringify(port.posted), /secret/);
    assert.equal(port.isOpen, false);
});

test('a whole list is chosen from too', async () => {
    const { desk, enter } = openDesk();
    const answered = desk.answer({ ...details, scheme: 'Digest' });
    await settle();
    const { ask } = await enter();
    await ask('list', { provider: 'p' });
    assert.deepEqual(await answered, { authCredentials: { username: 'eve', password: 'picked' } });
});

for (const [what, given] of [
    ['a proxy', { isProxy: true }],
    ['somebody else than the server', { challenger: { host: 'proxy.example', port: 3128 } }],
    ['a part of a page', { type: 'image' }],
    ['a frame', { type: 'sub_frame' }],
    ['a request', { type: 'xmlhttprequest' }],
    ['no tab', { tabId: -1 }],
    ['another scheme', { scheme: 'negotiate' }],
    ['NTLM', { scheme: 'ntlm' }],
]) {
    test(`${what} that asks is answered by the browser alone`, async () => {
        const { desk, asked } = openDesk();
        assert.deepEqual(await desk.answer({ ...details, ...given }), {});
        assert.deepEqual(asked, []);
    });
}

for (const [what, given] of [
    ['no account fits', { suggest: { suggestions: [], more: 0, providers: [listed] } }],
    ['only a passkey fits', { suggest: { suggestions: [offer('k', 'passkey')], more: 0, providers: [listed] } }],
    ['the site is off', { suggest: new AutoFillError('siteOff') }],
    ['the host is missing', { suggest: new AutoFillError('hostMissing') }],
    ['no window can be opened', { fails: true }],
]) {
    test(`where ${what}, the browser asks`, async () => {
        const { desk, opened } = openDesk(given);
        assert.deepEqual(await desk.answer(details), {});
        assert.deepEqual(opened, []);
    });
}

test('who closes the window is asked by the browser, and not again for this load', async () => {
    const { desk, asked, enter } = openDesk();
    const answered = desk.answer(details);
    await settle();
    const { port } = await enter();
    port.drop();
    assert.deepEqual(await answered, {});
    assert.deepEqual(await desk.answer(details), {});
    assert.deepEqual(
        asked.map(([method]) => method),
        ['suggest'],
    );
});

test('what was wrong is said, and after two tries the browser asks', async () => {
    const { desk, asked, enter } = openDesk();
    for (const isAgain of [false, true]) {
        const answered = desk.answer(details);
        await settle();
        const { ask, look } = await enter();
        assert.equal(look.isAgain, isAgain);
        await ask('fill', { handle: 'h' });
        assert.notDeepEqual(await answered, {});
    }
    assert.deepEqual(await desk.answer(details), {});
    assert.equal(asked.filter(([method]) => method === 'fill').length, 2);
    desk.end(details.requestId);
    const anew = desk.answer(details);
    await settle();
    assert.equal((await enter()).look.isAgain, false);
    desk.end(details.requestId);
    assert.deepEqual(await anew, {});
});

test('a load that ended, and a tab that shows something else, close the window', async () => {
    for (const end of [(desk) => desk.end('1'), (desk) => desk.endTab(7)]) {
        const { desk, enter } = openDesk();
        const answered = desk.answer(details);
        await settle();
        const { port } = await enter();
        desk.end('2');
        desk.endTab(8);
        assert.equal(port.isOpen, true);
        end(desk);
        assert.deepEqual(await answered, {});
        assert.equal(port.isOpen, false);
    }
});

test('without a question, or for an account that was not offered, nothing is filled', async () => {
    const { desk, asked, enter } = openDesk();
    await assert.rejects(enter('q7'), { kind: 'notFound' });
    const answered = desk.answer(details);
    await settle();
    const { ask, port } = await enter();
    await assert.rejects(ask('fill', { handle: 'other' }), { kind: 'refused' });
    await assert.rejects(ask('list', { provider: 'other' }), { kind: 'refused' });
    await assert.rejects(ask('send', {}), { kind: 'invalid' });
    const stranger = new FakePort();
    desk.serve(stranger);
    stranger.receive({ jsonrpc: '2.0', id: 1, method: 'fill', params: { handle: 'h' } });
    await settle();
    assert.equal(stranger.posted[0].error.data.kind, 'refused');
    port.drop();
    assert.deepEqual(await answered, {});
    assert.equal(asked.filter(([method]) => method !== 'suggest').length, 0);
});

test('a fill that failed leaves the choice open', async () => {
    const { desk, enter } = openDesk({ fill: new AutoFillError('providerFailed') });
    const answered = desk.answer(details);
    await settle();
    const { ask } = await enter();
    await assert.rejects(ask('fill', { handle: 'h' }), { kind: 'providerFailed' });
    await ask('list', { provider: 'p' });
    assert.notDeepEqual(await answered, {});
});

test('a private window is said to be one, an address of version 6 is a server, and a long realm is cut', async () => {
    const { desk, asked, enter } = openDesk({ isPrivate: true });
    const challenger = { host: '::1', port: 80 };
    const answered = desk.answer({ ...details, url: 'http://[::1]/', challenger, realm: 'x'.repeat(5000) });
    await settle();
    const { look } = await enter();
    assert.deepEqual([look.isPrivate, look.isEncrypted, look.realm.length, asked[0][1].private], [true, false, 256, true]);
    desk.endTab(7);
    await answered;
});
