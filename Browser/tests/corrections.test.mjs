import assert from 'node:assert/strict';
import test from 'node:test';
import { serveCorrections } from '../src/background/correction-desk.js';
import { CorrectionMenu } from '../src/background/correction-menu.js';
import { marksOf } from '../src/corrections/marks.js';
import { PageCorrections } from '../src/corrections/page.js';
import { Corrections, key } from '../src/corrections/store.js';
import { formAround } from '../src/detection/describe.js';
import { openDocument } from './corpus.mjs';

const signIn = '<form><input name=user><input type=password name=pw><input name=other id=x_17><button>Log in</button></form>';
const mark = '0123456789abcdef';

function fakeStorage(values = {}) {
    return {
        values,
        get: async (name) => ({ [name]: structuredClone(values[name]) }),
        set: async (changed) => void Object.assign(values, structuredClone(changed)),
    };
}

function formIn(html) {
    const document = openDocument(html);
    return formAround(document.querySelector('input'));
}

const pageWith = async (known) => {
    const page = new PageCorrections({ read: async () => known });
    await page.load();
    return page;
};

test('a field is known again after its page was loaded anew, with other values and other numbers', () => {
    const before = marksOf(formIn(signIn).description);
    const later = formIn(signIn.replace('x_17', 'x_18').replace('name=user', 'name=user value=ada'));
    assert.deepEqual(marksOf(later.description), before);
    for (const each of before) assert.match(each, /^[\da-f]{16}$/);
});

test('fields that look alike are told apart by their order', () => {
    const marks = marksOf(formIn('<form><input><input><input type=password></form>').description);
    assert.equal(new Set(marks).size, 3);
});

test('another field has another mark', () => {
    const marks = ['user', 'login'].map((name) => marksOf(formIn(`<form><input name=${name}></form>`).description)[0]);
    assert.notEqual(marks[0], marks[1]);
});

for (const [use, at, expected] of [
    ['nothing', 0, ['none', 'current-password', 'none']],
    ['nothing', 1, ['username', 'none', 'none']],
    ['username', 2, ['username', 'current-password', 'username']],
    ['code', 2, ['username', 'current-password', 'one-time-code']],
    ['password', 1, ['username', 'current-password', 'none']],
]) {
    test(`field ${at} as ${use}: ${expected.join(', ')}, and as before once Keyway decides again`, async () => {
        const form = formIn(signIn);
        const page = await pageWith({});
        const given = page.correct(form, form.fields[at], use);
        assert.equal(given, marksOf(form.description)[at]);
        assert.deepEqual(page.rolesIn(form), expected);
        assert.deepEqual((await pageWith({ [given]: use })).rolesIn(formIn(signIn)), expected);
        assert.equal(page.correct(form, form.fields[at], undefined), given);
        assert.deepEqual(page.rolesIn(form), ['username', 'current-password', 'none']);
    });
}

test('a password goes into no field that shows it, and a user name into none that hides it', async () => {
    const form = formIn(signIn);
    const page = await pageWith({});
    assert.equal(page.correct(form, form.fields[0], 'password'), undefined);
    assert.equal(page.correct(form, form.fields[1], 'username'), undefined);
    const [shown, hidden] = marksOf(form.description);
    const kept = await pageWith({ [shown]: 'password', [hidden]: 'username' });
    assert.deepEqual(kept.rolesIn(form), ['username', 'current-password', 'none']);
});

test('where nothing can be read, the detection alone decides', async () => {
    const page = new PageCorrections({ read: () => Promise.reject(new Error('gone')) });
    assert.equal(page.isKnown, false);
    await page.load();
    assert.equal(page.isKnown, true);
    assert.deepEqual(page.rolesIn(formIn(signIn)), ['username', 'current-password', 'none']);
});

test('corrections are kept by site, listed, and removed one by one or all of a site', async () => {
    const corrections = new Corrections(fakeStorage());
    assert.equal(await corrections.keep('https://b.example/login', mark, 'nothing'), true);
    assert.equal(await corrections.keep('https://a.example', mark, 'code'), true);
    assert.equal(await corrections.keep('https://a.example', 'f'.repeat(16), 'username'), true);
    assert.deepEqual(await corrections.of('https://a.example/any?where'), { [mark]: 'code', [`${'f'.repeat(16)}`]: 'username' });
    assert.deepEqual(
        (await corrections.list()).map(({ site, use }) => `${site} ${use}`),
        ['a.example code', 'a.example username', 'b.example nothing'],
    );
    assert.equal(await corrections.remove('https://a.example', mark), true);
    assert.equal(await corrections.remove('https://a.example', mark), false);
    assert.deepEqual(await corrections.of('https://a.example'), { [`${'f'.repeat(16)}`]: 'username' });
    assert.equal(await corrections.remove('a.example'), true);
    assert.deepEqual(await corrections.list(), [{ site: 'b.example', mark, use: 'nothing' }]);
    assert.deepEqual(await corrections.of('https://sub.b.example'), {});
});

test('changes at the same time are all kept', async () => {
    const corrections = new Corrections(fakeStorage());
    const marks = Array.from({ length: 9 }, (_, at) => `${at}`.repeat(16));
    await Promise.all(marks.map((each) => corrections.keep('https://a.example', each, 'nothing')));
    assert.equal((await corrections.list()).length, 9);
});

for (const [what, address, field, use] of [
    ['a page of no site', 'about:blank', mark, 'code'],
    ['an opaque origin', 'null', mark, 'code'],
    ['what is no mark', 'https://a.example', 'password123', 'code'],
    ['what is no use', 'https://a.example', mark, 'everything'],
]) {
    test(`${what} is not kept`, async () => {
        const storage = fakeStorage();
        assert.equal(await new Corrections(storage).keep(address, field, use), false);
        assert.deepEqual(storage.values, {});
    });
}

test('a site with too many corrections takes no more', async () => {
    const corrections = new Corrections(fakeStorage());
    const marks = Array.from({ length: 51 }, (_, at) => at.toString(16).padStart(16, '0'));
    for (const each of marks.slice(0, 50)) assert.equal(await corrections.keep('https://a.example', each, 'nothing'), true);
    assert.equal(await corrections.keep('https://a.example', marks[50], 'nothing'), false);
    assert.equal(await corrections.keep('https://b.example', marks[50], 'nothing'), true);
});

for (const kept of [undefined, null, 7, 'x', [], { 'a.example': null }, { 'a.example': { [mark]: 'all' } }, { 'a.example': { x: 'code' } }]) {
    test(`what is kept as ${JSON.stringify(kept)} says nothing`, async () => {
        const corrections = new Corrections(fakeStorage({ [key]: kept }));
        assert.deepEqual(await corrections.list(), []);
        assert.deepEqual(await corrections.of('https://a.example'), {});
    });
}

/** A browser whose frame answers `answer`. */
function menuWith(answer, isFirefox = false) {
    const storage = fakeStorage();
    const asked = [];
    const created = [];
    const browser = {
        tabs: { sendMessage: async (...message) => (asked.push(message), answer) },
        i18n: { getMessage: (name) => `text of ${name}` },
        runtime: isFirefox ? { getBrowserInfo: () => {} } : {},
        contextMenus: { create: (entry) => created.push(entry), onClicked: { addListener: () => {} } },
    };
    const corrections = new Corrections(storage);
    return { menu: new CorrectionMenu(browser, corrections), corrections, storage, asked, created };
}

const tab = { id: 7, incognito: false, url: 'https://a.example/login' };
const answer = { origin: 'https://a.example', mark };

for (const [entry, use] of [
    ['correctNothing', 'nothing'],
    ['correctUserName', 'username'],
    ['correctPassword', 'password'],
    ['correctCode', 'code'],
]) {
    test(`${entry} is said to the frame and kept, and undone in the same menu`, async () => {
        const { menu, corrections, asked } = menuWith(answer);
        assert.equal(await menu.correct({ menuItemId: entry, frameId: 3 }, tab), true);
        assert.deepEqual(asked, [[7, { type: 'keyway.correct', use }, { frameId: 3 }]]);
        assert.deepEqual(await corrections.list(), [{ site: 'a.example', mark, use }]);
        assert.equal(await menu.correct({ menuItemId: 'correctUndecided', frameId: 3 }, tab), true);
        assert.deepEqual(await corrections.list(), []);
    });
}

test('nothing said in a private window is kept', async () => {
    const { menu, storage, asked } = menuWith(answer);
    assert.equal(await menu.correct({ menuItemId: 'correctNothing' }, { ...tab, incognito: true }), true);
    assert.equal(asked.length, 1);
    assert.deepEqual(storage.values, {});
});

for (const [what, answered] of [
    ['no field', null],
    ['another shape', { origin: 'https://a.example' }],
    ['more than that', { ...answer, value: 'secret' }],
]) {
    test(`a frame that answers with ${what} corrects nothing`, async () => {
        const { menu, storage } = menuWith(answered);
        assert.equal(await menu.correct({ menuItemId: 'correctNothing' }, tab), false);
        assert.deepEqual(storage.values, {});
    });
}

for (const [what, frameUrl, isKept] of [
    ['a frame of its own site', 'https://b.example/form', true],
    ['a frame that inherits the origin of its page', 'about:srcdoc', false],
    ['a frame of another site', 'https://evil.test/', false],
]) {
    test(`a correction for b.example is ${isKept ? '' : 'not '}kept where ${what} says so`, async () => {
        const { menu, corrections } = menuWith({ origin: 'https://b.example', mark });
        assert.equal(await menu.correct({ menuItemId: 'correctNothing', frameId: 3, frameUrl }, tab), isKept);
        assert.equal((await corrections.list()).length, isKept ? 1 : 0);
    });
}

/** What the background answers a frame, and says to all, when it serves what is kept of two sites. */
async function served() {
    const kept = { 'a.example': { [mark]: 'code' }, 'b.example': { [mark]: 'nothing' } };
    const said = { levels: [], told: [] };
    const listeners = {};
    const listening = (name) => ({ addListener: (listener) => Object.assign(listeners, { [name]: listener }) });
    const browser = {
        runtime: { id: 'ourselves', onMessage: listening('message') },
        storage: { local: { setAccessLevel: async (level) => said.levels.push(level) }, onChanged: listening('changed') },
        tabs: { query: async () => [{ id: 1 }, {}, { id: 2 }], sendMessage: async (...told) => said.told.push(told) },
    };
    serveCorrections(browser, new Corrections(fakeStorage({ [key]: kept })));
    const ask = (sender, message = 'keyway.corrections') =>
        new Promise((resolve) => {
            if (listeners.message(message, { id: 'ourselves', frameId: 0, tab, ...sender }, resolve) !== true) resolve('nothing');
        });
    return { ask, said, listeners };
}

test('what is kept is not for content scripts', async () => {
    const { said } = await served();
    assert.deepEqual(said.levels, [{ accessLevel: 'TRUSTED_CONTEXTS' }]);
});

for (const [what, sender, answered] of [
    ['its own site', { origin: 'https://a.example', url: 'https://a.example/' }, { [mark]: 'code' }],
    ['the site that the browser names', { origin: 'https://b.example', url: 'https://a.example/' }, { [mark]: 'nothing' }],
    ['nothing, where nothing was corrected', { origin: 'https://c.example', url: 'https://c.example/' }, {}],
    ['nothing, without an origin', { origin: 'null', url: 'https://a.example/' }, {}],
    ['nothing at all, as another extension', { id: 'another', origin: 'https://a.example' }, 'nothing'],
]) {
    test(`a frame is told what was corrected of ${what}`, async () => {
        const { ask } = await served();
        assert.deepEqual(await ask(sender), answered);
    });
}

test('every tab forgets what it knew when that changed, and only then', async () => {
    const { said, listeners } = await served();
    await listeners.changed({ sitesOff: {} });
    assert.deepEqual(said.told, []);
    await listeners.changed({ [key]: {} });
    assert.deepEqual(said.told, [[1, 'keyway.corrections-changed'], [2, 'keyway.corrections-changed']]);
});

test('an entry of somebody else is none of ours', async () => {
    const { menu, asked } = menuWith(answer);
    assert.equal(await menu.correct({ menuItemId: 'toString' }, tab), false);
    assert.deepEqual(asked, []);
});

test('the entries stand in the menus of fields, in Firefox also of passwords, and of pages alone', () => {
    for (const isFirefox of [false, true]) {
        const { menu, created } = menuWith(answer, isFirefox);
        menu.offer();
        assert.equal(created.length, 5);
        for (const { title, contexts, documentUrlPatterns } of created) {
            assert.match(title, /^text of correct/);
            assert.deepEqual(contexts, isFirefox ? ['editable', 'password'] : ['editable']);
            assert.deepEqual(documentUrlPatterns, ['http://*/*', 'https://*/*']);
        }
    }
});
