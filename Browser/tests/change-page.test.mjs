import assert from 'node:assert/strict';
import test from 'node:test';
import { ChangePage, changeEntry } from '../src/background/change-page.js';
import { AutoFillError } from '../src/protocol/errors.js';
import { parseChangePage } from '../src/protocol/saving.js';

const tab = { id: 7, index: 2, windowId: 4, incognito: false, url: 'https://shop.example/cart?x#y' };
const known = { url: 'https://shop.example/account/password', isKnown: true };

function changer(answer = async () => known) {
    const [asked, opened, created] = [[], [], []];
    const listeners = []; // One: what is done on a click.
    const browser = {
        contextMenus: { create: (entry) => created.push(entry), onClicked: { addListener: (listener) => listeners.push(listener) } },
        i18n: { getMessage: (name) => name },
        runtime: {},
        tabs: { create: async (wanted) => void opened.push(wanted) },
    };
    const host = {
        changePage: (page) => {
            asked.push(page);
            return answer(page);
        },
    };
    const page = new ChangePage(browser, host);
    page.offer();
    return { page, asked, opened, created, click: (...clicked) => listeners[0](...clicked) };
}

test('the page where a password is changed opens beside the tab, in the same window', async () => {
    const { page, asked, opened } = changer();
    assert.equal(await page.open(tab), true);
    assert.deepEqual(asked, [{ url: 'https://shop.example/cart', private: false }]);
    assert.deepEqual(opened, [{ url: known.url, windowId: 4, index: 3 }]);
});

test('nothing is asked and opened for a page that is not encrypted, and for none', async () => {
    const { page, asked, opened } = changer();
    for (const url of ['http://shop.example/', 'about:blank', 'file:///etc/passwd', undefined]) {
        assert.equal(await page.open({ ...tab, url }), false);
    }
    assert.deepEqual([asked, opened], [[], []]);
});

test('where nobody knows a page, none is opened', async () => {
    const { page, opened } = changer(async () => {
        throw new AutoFillError('hostMissing');
    });
    assert.equal(await page.open(tab), false);
    assert.deepEqual(opened, []);
});

test('the entry stands in the menus of encrypted pages, and answers to no other', () => {
    const { asked, created, click } = changer();
    assert.deepEqual(created.map(({ id, documentUrlPatterns }) => [id, documentUrlPatterns]), [
        [changeEntry, ['https://*/*']],
    ]);
    click({ menuItemId: 'insert', frameId: 3 }, tab);
    assert.deepEqual(asked, []);
    // The click in a frame is about the page around it.
    click({ menuItemId: changeEntry, frameId: 3, frameUrl: 'https://ads.example/' }, tab);
    assert.deepEqual(asked.map(({ url }) => url), ['https://shop.example/cart']);
});

test('an address that is no https is none', () => {
    assert.deepEqual(parseChangePage(known), known);
    for (const url of ['http://shop.example/', 'javascript:alert(1)', 'data:text/html,x', '//shop.example', '', 5]) {
        assert.throws(() => parseChangePage({ url, isKnown: true }));
    }
});
