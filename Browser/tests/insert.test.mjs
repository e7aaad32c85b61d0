import assert from 'node:assert/strict';
import test from 'node:test';
import { serveContextMenu } from '../src/background/context-menu.js';
import { Gestures } from '../src/background/gestures.js';
import { PageSession } from '../src/background/page-session.js';
import { insertOrder, orderIn } from '../src/protocol/orders.js';
import { FakePort, settle } from './ports.mjs';

const requester = { url: 'https://example.org/contact', private: false };
const providers = [
    { identifier: 'p', name: 'P' },
    { identifier: 'q', name: 'Q' },
];

/** A frame's port, what its native host was asked, and how often the person asked for a text there. */
function openSession(gestures = 1) {
    const asked = [];
    const port = new FakePort();
    const host = {
        texts: async (page) => {
            asked.push(['texts', page]);
            return providers;
        },
        insert: async (choice) => {
            asked.push(['insert', choice]);
            return 'the text';
        },
    };
    const unused = { submissions: {}, place: { tab: 1, frame: 0 } };
    PageSession.serve(port, requester, host, unused, () => gestures-- > 0);
    return { port, asked, ask: (id, method, params) => port.receive({ jsonrpc: '2.0', id, method, params }) };
}

/** @param {object} answer */
const kindOf = (answer) => answer.error?.data.kind;

test('a frame gets the text that the person picked, after they asked for one there', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'texts', {});
    await settle();
    ask(2, 'insert', { provider: 'q' });
    await settle();
    assert.deepEqual(
        port.posted.map(({ result }) => result),
        [{ providers }, { text: 'the text' }],
    );
    assert.deepEqual(asked, [
        ['texts', requester],
        ['insert', { ...requester, provider: 'q' }],
    ]);
});

test('a frame in which nobody asked for a text opens no window', async () => {
    const { port, asked, ask } = openSession(0);
    ask(1, 'texts', {});
    ask(2, 'insert', { provider: 'p' });
    await settle();
    assert.deepEqual(port.posted.map(kindOf), ['refused', 'refused']);
    assert.deepEqual(asked, []);
});

test('one gesture is good for one text', async () => {
    const { port, asked, ask } = openSession();
    ask(1, 'texts', {});
    await settle();
    ask(2, 'insert', { provider: 'p' });
    ask(3, 'insert', { provider: 'q' });
    ask(4, 'texts', {});
    await settle();
    assert.equal(asked.length, 2);
    assert.equal(port.posted.map(kindOf).filter((kind) => kind === 'refused').length, 2);
});

for (const params of [{}, { provider: '' }, { provider: 'p', url: 'https://bank.example/' }, { provider: 'x' }]) {
    test(`a frame cannot ask for a text with ${JSON.stringify(params)}`, async () => {
        const { port, asked, ask } = openSession();
        ask(1, 'texts', {});
        await settle();
        ask(2, 'insert', params);
        await settle();
        assert.notEqual(kindOf(port.posted[1]), undefined);
        assert.equal(asked.length, 1);
    });
}

/** A browser with a context menu, and what its frames were told. */
function openBrowser() {
    const created = [];
    const told = [];
    /** @type {((info: object, tab?: object) => void) | undefined} */
    let listener;
    const gestures = new Gestures(() => 0);
    serveContextMenu(
        {
            contextMenus: {
                create: (entry, done) => {
                    created.push(entry);
                    done();
                },
                onClicked: { addListener: (added) => (listener = added) },
            },
            i18n: { getMessage: (name) => name },
            runtime: { lastError: undefined },
            tabs: {
                sendMessage: async (...values) => {
                    told.push(values);
                    throw new Error('there is nobody');
                },
            },
        },
        gestures,
    );
    return { created, told, gestures, click: (info, tab) => listener(info, tab) };
}

test('keys let one frame of the tab ask, once, and none of another', () => {
    const gestures = new Gestures(() => 0);
    const at = (tab, frameId) => gestures.take({ id: 'x', frameId, tab: { id: tab } });
    gestures.note(7);
    assert.deepEqual([at(8, 0), at(7, 3), at(7, 0)], [false, true, false]);
    gestures.note(7, 0);
    assert.deepEqual([at(7, 3), at(7, 0)], [false, true]);
});

test('the context menu of fields has the entry, in web pages', () => {
    const { created } = openBrowser();
    assert.deepEqual(created, [
        {
            id: 'insert',
            title: 'menuInsert',
            contexts: ['editable'],
            documentUrlPatterns: ['http://*/*', 'https://*/*'],
        },
    ]);
});

test('the frame in which the entry was chosen is told, and it alone may ask', async () => {
    const { told, gestures, click } = openBrowser();
    click({ menuItemId: 'insert', frameId: 3 }, { id: 7 });
    await settle();
    assert.deepEqual(told, [[7, { order: insertOrder }, { frameId: 3 }]]);
    assert.equal(gestures.take({ tab: { id: 7 }, frameId: 0 }), false);
    assert.equal(gestures.take({ tab: { id: 8 }, frameId: 3 }), false);
    assert.equal(gestures.take(undefined), false);
    assert.equal(gestures.take({ tab: { id: 7 }, frameId: 3 }), true);
    assert.equal(gestures.take({ tab: { id: 7 }, frameId: 3 }), false);
});

for (const [info, tab] of [
    [{ menuItemId: 'other', frameId: 0 }, { id: 7 }],
    [{ menuItemId: 'constructor', frameId: 0 }, { id: 7 }],
    [{ menuItemId: 'insert', frameId: 0 }, undefined],
]) {
    test(`nobody is told of ${JSON.stringify([info, tab])}`, () => {
        const { told, click } = openBrowser();
        click(info, tab);
        assert.deepEqual(told, []);
    });
}

test('a gesture is forgotten after a while', () => {
    let now = 0;
    const gestures = new Gestures(() => now);
    gestures.note(7, 0);
    now = 10_000;
    assert.equal(gestures.take({ tab: { id: 7 }, frameId: 0 }), false);
});

for (const [name, message, sender] of [
    ['another extension', { order: insertOrder }, { id: 'them' }],
    ['a content script', { order: insertOrder }, { id: 'us', tab: { id: 1 } }],
    ['an order that is none', { order: 'fill' }, { id: 'us' }],
    ['no object', insertOrder, { id: 'us' }],
    ['nothing', null, { id: 'us' }],
]) {
    test(`no order comes from ${name}`, () => {
        assert.equal(orderIn(message, sender, 'us'), undefined);
    });
}

test('an order comes from the background', () => {
    assert.equal(orderIn({ order: insertOrder }, { id: 'us' }, 'us'), insertOrder);
});
