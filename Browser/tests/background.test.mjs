import assert from 'node:assert/strict';
import test from 'node:test';
import { FakePort, settle } from './ports.mjs';

const home = 'chrome-extension://ourselves/';
let connected = () => {};

/** The browser, as far as the background needs it to begin. */
const event = { addListener: () => {}, removeListener: () => {}, hasListener: () => false };
const listening = new Proxy({}, { get: () => event });
const ready = async () => {};
globalThis.chrome = {
    storage: { local: { get: async () => ({}), set: ready }, onChanged: event },
    runtime: {
        id: 'ourselves',
        lastError: undefined,
        getURL: (path) => home + path,
        getManifest: () => ({ version: '1' }),
        connectNative: () => new FakePort(),
        onConnect: {
            addListener: (listener) => {
                connected = listener;
            },
        },
        onInstalled: event,
        onMessage: event,
    },
    tabs: { get: ready, query: async () => [], sendMessage: ready, onUpdated: event, onRemoved: event },
    contextMenus: { create: () => {}, remove: ready, update: ready, removeAll: ready, onClicked: event, onShown: event },
    commands: { onCommand: event },
    webRequest: listening,
    windows: { create: ready },
    i18n: { getMessage: (name) => name },
    action: { setIcon: ready, setTitle: ready, setBadgeText: ready, onClicked: { addListener() {} } },
    permissions: { contains: async () => true, onAdded: { addListener() {} }, onRemoved: { addListener() {} } },
};
globalThis.navigator ??= { userAgent: '' };
await import('../src/background/main.js');

/** Whether the background keeps the conversation that somebody begins. */
async function isTaken(name, sender) {
    const port = Object.assign(new FakePort(), { name, sender });
    connected(port);
    await settle();
    return port.isOpen;
}

const tab = { id: 7, url: 'https://example.org/', incognito: false };
const page = { id: 'ourselves', origin: 'https://example.org', url: 'https://example.org/', frameId: 0, tab };
const foreign = { ...page, origin: 'https://evil.test', url: 'https://evil.test/', frameId: 3 };
const own = { id: 'ourselves', origin: home.slice(0, -1), url: `${home}src/popup/popup.html` };

test('the window’s conversation is begun by a page of the extension alone', async () => {
    assert.equal(await isTaken('keyway-popup', own), true);
    const others = {
        'a content script': page,
        'one of a frame of another origin': foreign,
        'one that names our address in its own': { ...foreign, url: `https://evil.test/#${home}` },
        'one in a frame without an origin at our address': { ...own, origin: 'null', frameId: 3, tab },
        'another extension': { ...own, id: 'another' },
        nobody: undefined,
    };
    for (const [what, sender] of Object.entries(others)) {
        for (const name of ['keyway-popup', 'keyway-basic']) assert.equal(await isTaken(name, sender), false, `${what}: ${name}`);
    }
});

test('a frame of another origin than the page begins no conversation of a page, and nobody one without a name', async () => {
    assert.equal(await isTaken('keyway-page', page), true);
    assert.equal(await isTaken('keyway-page', foreign), false);
    assert.equal(await isTaken('keyway-page', { ...page, id: 'another' }), false);
    assert.equal(await isTaken('', own), false);
});
