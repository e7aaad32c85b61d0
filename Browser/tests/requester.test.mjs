import assert from 'node:assert/strict';
import test from 'node:test';
import { requesterOf } from '../src/background/requester.js';

const top = (origin, url = `${origin}/`) => ({ origin, url, frameId: 0, tab: { url, incognito: false } });

const taken = [
    ['https://example.org', 'https://example.org/login?next=1#form', 'https://example.org/login'],
    ['https://example.org:8443', 'https://example.org:8443/', 'https://example.org:8443/'],
    ['http://example.org', 'http://example.org/a/b', 'http://example.org/a/b'],
    ['http://localhost:3000', 'http://localhost:3000/', 'http://localhost:3000/'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
    ['http://[::1]', 'http://[::1]/x', 'http://[::1]/x'],
    ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['https://example.org', 'https://user:secret@example.org/login', 'https://example.org/login'],
    // The browser's origin counts; an address of another origin adds no path.
    ['https://example.org', 'https://evil.test/login', 'https://example.org/'],
    ['https://example.org', 'about:srcdoc', 'https://example.org/'],
    ['https://example.org', 'about:blank', 'https://example.org/'],
    ['https://example.org', 'blob:https://example.org/0f5c', 'https://example.org/'],
    ['https://example.org', undefined, 'https://example.org/'],
    ['https://example.org', 'not an address', 'https://example.org/'],
];

for (const [origin, url, expected] of taken) {
    test(`${origin} at ${url} asks as ${expected}`, () => {
        assert.equal(requesterOf({ ...top(origin), url }).url, expected);
    });
}

for (const origin of [
    'null',
    undefined,
    '',
    'file://',
    'ftp://example.org',
    'data:text/html,',
    'about:blank',
    'javascript:0',
    'example.org',
    'chrome-extension://pniijmlillaikoljeeajbdinbododcbl',
    'moz-extension://x',
    'blob:https://example.org/1',
]) {
    test(`origin ${origin} is refused`, () => {
        assert.throws(() => requesterOf({ ...top('https://example.org'), origin }), { kind: 'refused' });
    });
}

test('a frame of the same origin as the page is taken', () => {
    const sender = { ...top('https://example.org'), frameId: 17179869196, url: 'https://example.org/frame' };
    assert.equal(requesterOf(sender).url, 'https://example.org/frame');
});

for (const tab of [
    undefined,
    {},
    { url: 'https://evil.test/' },
    { url: 'http://example.org/' },
    { url: 'https://example.org:444/' },
]) {
    test(`a frame in ${JSON.stringify(tab)} is refused`, () => {
        assert.throws(() => requesterOf({ ...top('https://example.org'), frameId: 3, tab }), { kind: 'refused' });
    });
}

test('a frame without a number is no top frame', () => {
    assert.throws(() => requesterOf({ origin: 'https://example.org', url: 'https://example.org/' }), {
        kind: 'refused',
    });
});

test('a private window is said to be one', () => {
    const sender = top('https://example.org');
    assert.equal(requesterOf(sender).private, false);
    assert.equal(requesterOf({ ...sender, tab: { ...sender.tab, incognito: true } }).private, true);
});
