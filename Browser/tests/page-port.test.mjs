import assert from 'node:assert/strict';
import test from 'node:test';
import { PageChannel } from '../src/credentials/channel.js';
import { handshake } from '../src/credentials/handshake.js';
import { AnsweringEnd } from '../src/protocol/answering-end.js';
import { meetPage } from '../src/page/page-port.js';
import { settle } from './ports.mjs';

/** The event that hands a channel over. */
function hello(relatedTarget) {
    return Object.assign(new Event(handshake), { relatedTarget });
}

/** A document in which the content script waits; `ports` are those that were handed over. */
function open() {
    const document = new EventTarget();
    const ports = [];
    meetPage(document, (port) => ports.push(port));
    return { document, ports };
}

/** The page's end of a channel that was handed over. */
function meet() {
    const { document, ports } = open();
    const target = new EventTarget();
    document.dispatchEvent(hello(target));
    const heard = [];
    ports[0].onMessage.addListener((message) => heard.push(message));
    const say = (detail) => target.dispatchEvent(new CustomEvent('ask', { detail }));
    return { document, ports, target, heard, say };
}

test('who comes first is heard, and nobody after that', () => {
    const { document, ports } = meet();
    document.dispatchEvent(hello(new EventTarget()));
    assert.equal(ports.length, 1);
});

test('the page does not see the channel handed over', () => {
    const { document } = open();
    const seen = [];
    document.addEventListener(handshake, (event) => seen.push(event.relatedTarget));
    document.dispatchEvent(hello(new EventTarget()));
    assert.deepEqual(seen, []);
});

for (const nothing of [undefined, null, {}, 'x', { addEventListener: () => {}, dispatchEvent: () => {} }]) {
    test(`what is no channel is none: ${JSON.stringify(nothing)}`, () => {
        const { document, ports } = open();
        document.dispatchEvent(hello(nothing));
        assert.deepEqual(ports, []);
    });
}

test('texts are read, and nothing that is an object of the page’s', () => {
    const { heard, say } = meet();
    let reads = 0;
    const object = Object.defineProperty({}, 'method', { get: () => (reads += 1) });
    for (const detail of [object, ['x'], 1, null, undefined, new String('{}')]) say(detail);
    assert.deepEqual(heard, []);
    assert.equal(reads, 0);
    say('{"method":"get"}');
    assert.deepEqual(heard, [{ method: 'get' }]);
});

test('what is too long is not read, and what is no JSON is nothing', () => {
    const { heard, say } = meet();
    say(JSON.stringify('x'.repeat((1 << 21) - 1)));
    assert.deepEqual(heard, []);
    say('{');
    assert.deepEqual(heard, [undefined]);
});

test('a question that is too long to be looked at is refused at once, and others are heard', async () => {
    globalThis.FocusEvent ??= class extends Event {
        constructor(name, { relatedTarget }) {
            super(name);
            this.relatedTarget = relatedTarget;
        }
    };
    const { document, ports } = open();
    const channel = new PageChannel(Object.assign(document, { createElement: () => new EventTarget() }));
    const heard = [];
    ports[0].onMessage.addListener(({ id, method }) => {
        heard.push(method);
        ports[0].postMessage({ id, result: 'heard' });
    });
    let starts = 0;
    await assert.rejects(channel.ask('get', { request: 'x'.repeat(1 << 21) }, () => (starts += 1)), { kind: 'invalid' });
    assert.equal(await channel.ask('create', { request: 'x'.repeat(1 << 20) }), 'heard');
    assert.deepEqual([heard, starts], [['create'], 0]);
});

test('answers are texts too', () => {
    const { ports, target } = meet();
    const answers = [];
    target.addEventListener('answer', ({ detail }) => answers.push(detail));
    ports[0].postMessage({ id: 1, result: {} });
    assert.deepEqual(answers, ['{"id":1,"result":{}}']);
});

test('a channel that was closed is not heard', () => {
    const { ports, heard, say } = meet();
    ports[0].disconnect();
    say('{}');
    assert.deepEqual(heard, []);
});

test('whoever speaks another protocol on the channel is heard no more', async () => {
    const document = new EventTarget();
    const performed = [];
    meetPage(document, (port) => new AnsweringEnd(port, async (_, method) => (performed.push(method), {})));
    const target = new EventTarget();
    const answers = [];
    target.addEventListener('answer', ({ detail }) => answers.push(JSON.parse(detail)));
    document.dispatchEvent(hello(target));
    const say = (message) => target.dispatchEvent(new CustomEvent('ask', { detail: JSON.stringify(message) }));
    for (const noise of [null, [], 'x', {}, { jsonrpc: '2.0' }, { jsonrpc: '1.0', id: 1, method: 'get', params: {} }]) {
        say(noise);
    }
    say({ jsonrpc: '2.0', id: 9, method: 'get', params: {} });
    await settle();
    // Who speaks another protocol is heard no more.
    assert.deepEqual(performed, []);
    assert.deepEqual(answers, []);
});
