import assert from 'node:assert/strict';
import test from 'node:test';
import { followSiteAccess } from '../src/background/site-access.js';

const manifest = { action: { default_popup: 'popup.html' }, host_permissions: ['http://*/*', 'https://*/*'] };

/** @param {boolean} isGranted */
function makeBrowser(isGranted) {
    const listeners = { added: [], removed: [], clicked: [] };
    const button = { popup: 'popup.html', title: 'extensionName', badge: '' };
    const asked = [];
    const listener = (name) => ({ addListener: (body) => listeners[name].push(body) });
    return {
        button,
        asked,
        tell: async (name, granted) => {
            isGranted = granted ?? isGranted;
            for (const body of listeners[name]) body();
            await new Promise((resolve) => setImmediate(resolve));
        },
        runtime: { getManifest: () => manifest },
        i18n: { getMessage: (name) => name },
        permissions: {
            contains: async () => isGranted,
            request: (wanted) => asked.push(wanted),
            onAdded: listener('added'),
            onRemoved: listener('removed'),
        },
        action: {
            setPopup: async ({ popup }) => (button.popup = popup),
            setTitle: async ({ title }) => (button.title = title),
            setBadgeText: async ({ text }) => (button.badge = text),
            onClicked: listener('clicked'),
        },
    };
}

test('where all sites are granted, the button opens its window', async () => {
    const browser = makeBrowser(true);
    await followSiteAccess(browser);
    assert.deepEqual(browser.button, { popup: 'popup.html', title: 'extensionName', badge: '' });
});

test('where sites are not granted, one click on the button asks for them, at once', async () => {
    const browser = makeBrowser(false);
    const ready = followSiteAccess(browser);
    // The browser starts the background for the click: the listener is there before anything is awaited.
    const clicked = browser.tell('clicked');
    assert.deepEqual(browser.asked, [{ origins: manifest.host_permissions }]);
    await Promise.all([ready, clicked]);
    assert.deepEqual(browser.button, { popup: '', title: 'iconNoSites', badge: '!' });
});

test('once they are granted the button opens its window again, and once they are taken away it asks', async () => {
    const browser = makeBrowser(false);
    await followSiteAccess(browser);
    await browser.tell('added', true);
    assert.deepEqual(browser.button, { popup: 'popup.html', title: 'extensionName', badge: '' });
    await browser.tell('removed', false);
    assert.equal(browser.button.popup, '');
});
