import assert from 'node:assert/strict';
import test from 'node:test';
import { FrameDesk } from '../src/background/frames.js';
import { PopupSession } from '../src/background/popup-session.js';
import { chosenRequesterOf, isOfPage, isOwnPage, pageOfTab } from '../src/background/requester.js';
import { hostOf, Sites } from '../src/background/sites.js';
import { picturesOf, Toolbar } from '../src/background/status.js';
import { groupsOf, isFillable, textsOf } from '../src/popup/model.js';
import { reasonFor } from '../src/popup/reasons.js';
import { AutoFillError } from '../src/protocol/errors.js';
import { parseFrameReport, parsePut } from '../src/protocol/frame.js';
import { listed, offer, provider } from './offers.mjs';
import { FakePort, settle } from './ports.mjs';

const report = { standing: 'page', form: 'shown', fields: ['username', 'password'], isFocused: false, frames: 0 };
const tab = { id: 7, url: 'https://example.org/login', incognito: false };
const sender = { id: 'x', origin: 'https://example.org', url: 'https://example.org/login', frameId: 0, tab };
const frame = { origin: 'https://pay.example', url: 'https://pay.example/form', frameId: 3, tab };

/** A frame as the desk gives it out, which remembers what was put into it. */
function frameOf(who, said = {}, put = {}) {
    const asked = [];
    const channel = {
        call: async (method, params) => {
            asked.push([method, params]);
            if (put.error) throw put.error;
            return { filled: put.filled ?? ['username', 'password'] };
        },
        close: () => asked.push(['close']),
    };
    return { sender: who, report: { ...report, ...said }, channel, asked };
}

/** The window's port, before a tab with `frames`. */
function openWindow({ frames, shown = tab, answers = {}, off = [] }) {
    const asked = [];
    const told = [];
    const port = new FakePort();
    const note = (name, answer) => async (params) => {
        asked.push([name, params]);
        const value = answers[name] ?? answer;
        if (value instanceof Error) throw value;
        return typeof value === 'function' ? value(params) : value;
    };
    PopupSession.serve(port, {
        host: {
            suggest: note('suggest', { suggestions: [offer('h')], more: 2, providers: [listed] }),
            fill: note('fill', { user: 'ada', password: 'secret' }),
            list: note('list', { user: 'eve', password: 'secret' }),
            state: note('state', { providers: [{ identifier: 'p', state: 'ready' }] }),
            lock: note('lock'),
        },
        desk: { look: async () => frames },
        sites: { isOff: async (url) => off.includes(url), turn: note('turn') },
        tabOf: async () => shown,
        tellState: (state) => told.push(state),
        pause: async () => {},
    });
    let id = 0;
    const ask = async (method, params) => {
        id += 1;
        port.receive({ jsonrpc: '2.0', id, method, params });
        await settle();
        const answer = port.posted.find((message) => message.id === id);
        if (answer?.error) throw new AutoFillError(answer.error.data.kind);
        return answer?.result;
    };
    return { told, asked, ask, port };
}

const look = (window) => window.ask('look', { tab: 7 });

test('a look tells page, provider and frames, and asks for the address that the browser named', async () => {
    const window = openWindow({ frames: [frameOf(sender)] });
    assert.deepEqual(await look(window), {
        page: { host: 'example.org', isEncrypted: true, isPrivate: false },
        isOff: false,
        providers: [{ ...listed, state: 'ready' }],
        frames: [{ ...report, number: 0, host: 'example.org', suggestions: [offer('h')], more: 2 }],
    });
    const suggested = window.asked.filter(([name]) => name === 'suggest');
    assert.deepEqual(suggested, [['suggest', { url: 'https://example.org/login', private: false }]]);
});

test('what is chosen goes from the host to the frame, and not into the window', async () => {
    const page = frameOf(sender);
    const window = openWindow({ frames: [page] });
    await look(window);
    assert.deepEqual(await window.ask('fill', { frame: 0, handle: 'h' }), { filled: ['username', 'password'] });
    const choice = { url: 'https://example.org/login', private: false, handle: 'h', fields: ['username', 'password'] };
    assert.deepEqual(window.asked.at(-1), ['fill', choice]);
    assert.deepEqual(page.asked, [['put', { values: { user: 'ada', password: 'secret' } }]]);
    assert.doesNotMatch(JSON.stringify(window.port.posted), /secret/);
});

test('a whole list is asked for by the frame that it is for', async () => {
    const page = frameOf(sender);
    const window = openWindow({ frames: [page] });
    await look(window);
    await window.ask('list', { frame: 0, provider: 'p' });
    assert.equal(window.asked.at(-1)[1].provider, 'p');
    assert.deepEqual(page.asked, [['put', { values: { user: 'eve', password: 'secret' } }]]);
});

test('a field for a code asks for a code, and is offered no password', async () => {
    const suggestions = [offer('h'), offer('c', 'oneTimeCode')];
    const answers = { suggest: { suggestions, more: 0, providers: [listed] }, fill: { code: '123456', secondsLeft: 20 } };
    const page = frameOf(sender, { fields: ['oneTimeCode'] });
    const window = openWindow({ frames: [page], answers });
    const { frames } = await look(window);
    assert.deepEqual(
        frames[0].suggestions.map(({ handle }) => handle),
        ['c'],
    );
    await assert.rejects(window.ask('fill', { frame: 0, handle: 'h' }), { kind: 'refused' });
    await window.ask('fill', { frame: 0, handle: 'c' });
    assert.deepEqual(window.asked.at(-1)[1].fields, ['oneTimeCode']);
    // The frame takes nothing but what goes into fields.
    assert.deepEqual(page.asked, [['put', { values: { code: '123456' } }]]);
});

const suggest = ({ codes }) => ({
    suggestions: [offer(codes ? 'c' : 'h', codes ? 'oneTimeCode' : 'password')],
    more: 1,
    providers: [listed],
});

test('codes are asked for where a form takes one, and accounts beside them where it takes a password too', async () => {
    for (const [fields, asked, handles, more] of [
        [['oneTimeCode'], [true], ['c'], 1],
        [['username', 'password', 'oneTimeCode'], [true, undefined], ['c', 'h'], 2],
        [['username', 'password'], [undefined], ['h'], 1],
    ]) {
        const window = openWindow({ frames: [frameOf(sender, { fields })], answers: { suggest } });
        const { frames } = await look(window);
        assert.deepEqual(frames[0].suggestions.map(({ handle }) => handle), handles);
        assert.equal(frames[0].more, more);
        const questions = window.asked.filter(([name]) => name === 'suggest').map(([, { codes }]) => codes);
        assert.deepEqual(questions, asked);
    }
});

/** A provider that is locked until it was looked at `looks` times, and a list that stands open until it is taken back. */
function lockedFor(looks, list = () => new Promise(() => {})) {
    let count = 0;
    const state = () => {
        count += 1;
        return { providers: [{ identifier: 'p', state: count > looks ? 'ready' : 'locked' }] };
    };
    return openWindow({ frames: [frameOf(sender)], answers: { state, list } });
}

test('a provider is unlocked in its own window, and nothing is taken from the list behind that', async () => {
    const window = lockedFor(3);
    await look(window);
    assert.deepEqual(await window.ask('unlock', { provider: 'p' }), {});
    const asked = window.asked.filter(([name]) => name === 'list');
    const choice = { url: 'https://example.org/login', private: false, provider: 'p', fields: ['username', 'password'] };
    assert.deepEqual(asked, [['list', choice]]);
    assert.deepEqual(window.told.at(-1), { providers: [{ identifier: 'p', state: 'ready' }] });
});

test('what is picked while a provider is unlocked goes nowhere', async () => {
    const page = frameOf(sender);
    const window = openWindow({ frames: [page], answers: { list: { user: 'eve', password: 'secret' } } });
    await look(window);
    assert.deepEqual(await window.ask('unlock', { provider: 'p' }), {});
    assert.deepEqual(page.asked, []);
    assert.doesNotMatch(JSON.stringify(window.port.posted), /secret/);
});

test('who closes the window of a provider that stays locked is not told that it is unlocked', async () => {
    const window = lockedFor(Infinity, () => {
        throw new AutoFillError('cancelled');
    });
    await look(window);
    await assert.rejects(window.ask('unlock', { provider: 'p' }), { kind: 'cancelled' });
});

test('a provider that was not looked at is not unlocked', async () => {
    const window = lockedFor(0);
    await assert.rejects(window.ask('unlock', { provider: 'p' }), { kind: 'refused' });
    await look(window);
    await assert.rejects(window.ask('unlock', { provider: 'other' }), { kind: 'refused' });
});

test('what was chosen is filled though the browser closed the window for the one in which the provider asks', async () => {
    const page = frameOf(sender);
    let answer;
    const fill = () => new Promise((resolve) => {
        answer = resolve;
    });
    const window = openWindow({ frames: [page], answers: { fill } });
    await look(window);
    void window.ask('fill', { frame: 0, handle: 'h' }).catch(() => {});
    await settle();
    window.port.drop();
    assert.deepEqual(page.asked, []);
    answer({ user: 'ada', password: 'secret' });
    await settle();
    await settle();
    assert.deepEqual(page.asked.map(([what]) => what), ['put', 'close']);
});

test('what was chosen for one frame never goes into the one that has its number after another look', async () => {
    const [chosen, next] = [frameOf(sender), frameOf({ ...sender, url: 'https://example.org/other' })];
    const frames = [chosen];
    let answer;
    const fill = () => new Promise((resolve) => {
        answer = resolve;
    });
    const window = openWindow({ frames, answers: { fill } });
    await look(window);
    void window.ask('fill', { frame: 0, handle: 'h' }).catch(() => {});
    await settle();
    frames[0] = next;
    await look(window);
    answer({ user: 'ada', password: 'secret' });
    await settle();
    await settle();
    assert.deepEqual(next.asked, []);
});

test('a frame of another origin asks for itself, and the page for itself', async () => {
    const window = openWindow({ frames: [frameOf(sender, { form: 'none', fields: [], frames: 1 }), frameOf(frame)] });
    const { frames } = await look(window);
    assert.deepEqual(
        frames.map(({ host, standing }) => [host, standing]),
        [
            ['example.org', 'page'],
            ['pay.example', 'foreign'],
        ],
    );
    const urls = window.asked.filter(([name]) => name === 'suggest').map(([, { url }]) => url);
    assert.deepEqual(urls, ['https://example.org/login', 'https://pay.example/form']);
    await window.ask('fill', { frame: 1, handle: 'h' });
    assert.equal(window.asked.at(-1)[1].url, 'https://pay.example/form');
});

for (const [what, who] of [
    ['sandboxed', { ...frame, origin: 'null' }],
    ['of a file', { ...frame, origin: 'file://' }],
]) {
    test(`a frame that is ${what} is offered nothing, whatever it says of itself`, async () => {
        const window = openWindow({ frames: [frameOf(sender, { form: 'none', fields: [] }), frameOf(who)] });
        const { frames } = await look(window);
        assert.deepEqual([frames[1].standing, frames[1].suggestions, frames[1].host], ['opaque', [], '']);
        await assert.rejects(window.ask('fill', { frame: 1, handle: 'h' }), { kind: 'refused' });
        await assert.rejects(window.ask('list', { frame: 1, provider: 'p' }), { kind: 'refused' });
    });
}

test('a frame that is kept apart from its site is offered nothing, although the browser tells its origin', async () => {
    const credentialless = { ...sender, frameId: 3 };
    const window = openWindow({
        frames: [frameOf(sender, { form: 'none', fields: [] }), frameOf(credentialless, { standing: 'opaque' })],
    });
    const { frames } = await look(window);
    assert.deepEqual([frames[1].standing, frames[1].suggestions], ['opaque', []]);
    await assert.rejects(window.ask('fill', { frame: 1, handle: 'h' }), { kind: 'refused' });
    await assert.rejects(window.ask('list', { frame: 1, provider: 'p' }), { kind: 'refused' });
});

test('a frame of a page that is not the one in the tab is left out', async () => {
    const later = { ...sender, tab: { ...tab, url: 'https://evil.test/' } };
    const window = openWindow({ frames: [frameOf(later)] });
    assert.deepEqual((await look(window)).frames, []);
});

test('what was not offered to a frame is refused', async () => {
    const window = openWindow({ frames: [frameOf(sender)] });
    await assert.rejects(window.ask('fill', { frame: 0, handle: 'h' }), { kind: 'refused' });
    await look(window);
    await assert.rejects(window.ask('fill', { frame: 0, handle: 'other' }), { kind: 'refused' });
    await assert.rejects(window.ask('list', { frame: 0, provider: 'other' }), { kind: 'refused' });
    await assert.rejects(window.ask('fill', { frame: 1, handle: 'h' }), { kind: 'refused' });
    await assert.rejects(window.ask('enable', {}), { kind: 'invalid' });
});

test('that nothing was filled is told', async () => {
    const window = openWindow({ frames: [frameOf(sender, {}, { filled: [] })] });
    await look(window);
    await assert.rejects(window.ask('fill', { frame: 0, handle: 'h' }), { kind: 'notFilled' });
});

test('a new look, and the end of the window, let go of the frames', async () => {
    const page = frameOf(sender);
    const window = openWindow({ frames: [page] });
    await look(window);
    await look(window);
    assert.deepEqual(page.asked, [['close']]);
    window.port.drop();
    assert.equal(page.asked.length, 2);
});

test('on a site that is off nothing is asked', async () => {
    const window = openWindow({ frames: [frameOf(sender)], off: [tab.url] });
    const { isOff, frames } = await look(window);
    assert.deepEqual([isOff, frames, window.asked], [true, [], []]);
});

test('what stands in the way is told once, with its sentence', async () => {
    const trouble = new AutoFillError('notApproved', 'Run: keyway clients');
    const window = openWindow({ frames: [frameOf(sender)], answers: { suggest: trouble } });
    const answer = await look(window);
    assert.deepEqual(answer.trouble, { kind: 'notApproved', message: 'Run: keyway clients' });
    assert.deepEqual(answer.frames[0].suggestions, []);
});

test('an older host tells of no locks, and that is no trouble', async () => {
    const window = openWindow({ frames: [frameOf(sender)], answers: { state: new AutoFillError('unsupported') } });
    const answer = await look(window);
    assert.equal(answer.trouble, undefined);
    assert.equal(answer.providers[0].state, undefined);
});

test('a tab without a page of the web is asked nothing about', async () => {
    for (const url of [undefined, 'about:blank', 'file:///etc/passwd', 'chrome://settings/']) {
        const window = openWindow({ frames: [frameOf(sender)], shown: { ...tab, url } });
        const answer = await look(window);
        assert.deepEqual([answer.page, answer.frames], [undefined, []]);
        assert.deepEqual(
            window.asked.map(([name]) => name),
            ['state'],
        );
    }
});

test('a site is turned off, but not from a private window', async () => {
    const window = openWindow({ frames: [] });
    await look(window);
    await window.ask('turn', { host: 'example.org', isOff: true });
    assert.deepEqual(window.asked.at(-1)[0], 'turn');
    const secret = openWindow({ frames: [], shown: { ...tab, incognito: true } });
    assert.equal((await look(secret)).page.isPrivate, true);
    await assert.rejects(secret.ask('turn', { host: 'example.org', isOff: true }), { kind: 'refused' });
});

test('at most eight addresses of a tab are asked for', async () => {
    const frames = [frameOf(sender)];
    for (let number = 1; number < 20; number += 1) {
        frames.push(frameOf({ ...frame, origin: `https://f${number}.example`, url: `https://f${number}.example/` }));
    }
    const window = openWindow({ frames });
    await look(window);
    assert.equal(window.asked.filter(([name]) => name === 'suggest').length, 8);
});

// The frames of a tab.

const home = 'chrome-extension://pniijmlillaikoljeeajbdinbododcbl/';

test('only a page of the extension opens the window’s port', () => {
    assert.equal(isOwnPage({ url: `${home}src/popup/popup.html`, origin: home.slice(0, -1) }, home), true);
    assert.equal(isOwnPage({ url: `${home}src/popup/popup.html` }, home), true);
    for (const who of [
        sender,
        { url: `${home}src/popup/popup.html`, origin: 'https://evil.test' },
        { url: `https://evil.test/${home}`, origin: 'https://evil.test' },
        { url: 'chrome-extension://pniijmlillaikoljeeajbdinbododcblx/', origin: home },
        {},
    ]) {
        assert.equal(isOwnPage(who, home), false);
    }
});

test('a chosen frame is who the browser says', () => {
    assert.deepEqual(chosenRequesterOf(frame), {
        requester: { url: 'https://pay.example/form', private: false },
        isForeign: true,
    });
    assert.equal(chosenRequesterOf({ ...sender, frameId: 4 }).isForeign, false);
    for (const origin of ['null', undefined, 'file://', 'data:']) {
        assert.throws(() => chosenRequesterOf({ ...frame, origin }), { kind: 'refused' });
    }
    assert.deepEqual(pageOfTab({ ...tab, incognito: true }), { url: 'https://example.org/login', private: true });
    assert.equal(isOfPage(frame, tab), true);
    assert.equal(isOfPage(frame, { ...tab, url: 'http://example.org/login' }), false);
});

/** A frame that answers the desk's question. */
function frameAtPort(who, said) {
    const port = new FakePort((message) => {
        if (message.method === 'look') queueMicrotask(() => port.receive({ jsonrpc: '2.0', id: message.id, result: said }));
    });
    port.sender = who;
    return port;
}

test('the desk waits for the frames that the page counts, the page first', async () => {
    const called = [];
    const desk = new FrameDesk(async (...said) => void called.push(said));
    const looked = desk.look(7);
    desk.accept(frameAtPort(frame, { ...report, standing: 'foreign' }), frame);
    desk.accept(frameAtPort(sender, { ...report, frames: 1 }), sender);
    const frames = await looked;
    assert.deepEqual(called, [[7, 'keyway.look']]);
    assert.deepEqual(
        frames.map((each) => each.sender.frameId),
        [0, 3],
    );
});

test('the desk hears no frame that was not called', async () => {
    const desk = new FrameDesk(async () => {});
    assert.throws(() => desk.accept(frameAtPort(sender, report), sender), { kind: 'refused' });
    const looked = desk.look(7);
    assert.throws(() => desk.accept(frameAtPort(sender, report), { ...sender, tab: { ...tab, id: 8 } }), {
        kind: 'refused',
    });
    desk.accept(frameAtPort(sender, report), sender);
    assert.equal((await looked).length, 1);
    assert.throws(() => desk.accept(frameAtPort(sender, report), sender), { kind: 'refused' });
});

test('a tab in which nobody listens is known at once; a frame that says something else is hung up on', async () => {
    const deaf = new FrameDesk(() => Promise.reject(new Error('Could not establish connection. Receiving end does not exist.')));
    assert.deepEqual(await deaf.look(7), []);
    const desk = new FrameDesk(async () => {});
    const looked = desk.look(7);
    const wrong = frameAtPort({ ...frame, frameId: 9 }, { ...report, standing: 'mine' });
    desk.accept(wrong, { ...frame, frameId: 9 });
    await settle();
    desk.accept(frameAtPort(sender, report), sender);
    assert.equal((await looked).length, 1);
    assert.equal(wrong.isOpen, false);
});

for (const [place, value] of [
    ['standing', 'top'],
    ['form', 'seen'],
    ['fields', ['password', 'cookie']],
    ['isFocused', 1],
    ['frames', -1],
    ['destination', { host: 'evil.test' }],
    ['url', 'https://bank.example/'],
]) {
    test(`a frame that says ${place}: ${JSON.stringify(value)} is not believed`, () => {
        assert.throws(() => parseFrameReport({ ...report, [place]: value }), { name: 'ShapeError' });
    });
}

test('only texts are put into fields', () => {
    assert.deepEqual(parsePut({ values: { user: 'ada', code: '1' } }), { user: 'ada', code: '1' });
    for (const values of [{ user: 1 }, { cookie: 'x' }, { password: 'x'.repeat(65537) }]) {
        assert.throws(() => parsePut({ values }), { name: 'ShapeError' });
    }
});

// Sites that are off, and the button.

function memory(kept = {}) {
    return {
        kept,
        get: async (key) => (key in kept ? { [key]: kept[key] } : {}),
        set: async (values) => void Object.assign(kept, values),
    };
}

test('a site is its host, whatever was typed', async () => {
    const storage = memory();
    const sites = new Sites(storage);
    assert.equal(await sites.turn('https://Example.org:8443/login?x', true), 'example.org');
    assert.equal(await sites.turn('bücher.example', true), 'xn--bcher-kva.example');
    const both = [sites.turn('a.example', true), sites.turn('b.example', true), sites.turn('a.example', true)];
    assert.deepEqual(await Promise.all(both), ['a.example', 'b.example', 'a.example']);
    assert.deepEqual(await sites.list(), ['a.example', 'b.example', 'example.org', 'xn--bcher-kva.example']);
    assert.equal(await sites.isOff('http://example.org/'), true);
    for (const other of ['https://www.example.org/', 'https://example.org.evil.test/', undefined, 'about:blank']) {
        assert.equal(await sites.isOff(other), false);
    }
    for (const name of ['', 'not a site', 'javascript:alert(1)', 'file:///etc', 'https://']) {
        assert.equal(await sites.turn(name, true), undefined);
    }
    await sites.turn('example.org', false);
    assert.equal(await sites.isOff('https://example.org/'), false);
});

test('what was stored by somebody else is no list of sites', async () => {
    for (const sitesOff of ['example.org', { 0: 'x' }, [1, null, 'a.example']]) {
        const list = await new Sites(memory({ sitesOff })).list();
        assert.deepEqual(list, Array.isArray(sitesOff) ? ['a.example'] : []);
    }
    assert.equal(hostOf('https://[::1]:80/'), '[::1]');
});

function button(off = []) {
    const shown = [];
    const action = {
        setIcon: async ({ tabId, path }) => void shown.push([tabId, path[16]]),
        setTitle: async ({ tabId, title }) => void shown.push([tabId, title]),
        setBadgeText: async ({ text }) => void shown.push(['badge', text]),
    };
    const i18n = { getMessage: (name) => name };
    return { shown, toolbar: new Toolbar({ action, i18n }, async (url) => off.includes(url)) };
}

test('the button tells trouble before a lock, and a lock before nothing, by its shape and in words', () => {
    const { shown, toolbar } = button();
    const after = (tell) => {
        shown.length = 0;
        tell();
        return shown.map(([, text]) => text);
    };
    const ready = { providers: [{ identifier: 'p', state: 'ready' }] };
    const locked = { providers: [{ identifier: 'p', state: 'locked' }] };
    assert.deepEqual(after(() => toolbar.tellTrouble(undefined)), ['/icons/ready-16.png', 'extensionName', '']);
    assert.deepEqual(after(() => toolbar.tellTrouble(undefined)), []);
    assert.deepEqual(after(() => toolbar.tellState(locked)), ['/icons/locked-16.png', 'iconLocked', '']);
    assert.deepEqual(after(() => toolbar.tellTrouble({ kind: 'hostMissing' })), [
        '/icons/trouble-16.png',
        'troubleHostMissing',
        '!',
    ]);
    assert.deepEqual(after(() => toolbar.tellState(ready)), []);
    assert.deepEqual(after(() => toolbar.tellTrouble(undefined)), ['/icons/ready-16.png', 'extensionName', '']);
    assert.deepEqual(
        after(() => toolbar.tellState({ providers: [...ready.providers, ...locked.providers] })),
        [],
    );
});

test('the button of a tab tells that its site is off, and no longer when it is not', async () => {
    const off = ['https://example.org/'];
    const { shown, toolbar } = button(off);
    await toolbar.tellPage(1, 'https://other.example/');
    assert.deepEqual(shown, []);
    await toolbar.tellPage(1, 'https://example.org/');
    assert.deepEqual(shown.splice(0), [
        [1, '/icons/off-16.png'],
        [1, 'iconOff'],
    ]);
    off.pop();
    await toolbar.tellPage(1, 'https://example.org/');
    assert.deepEqual(shown, [
        [1, '/icons/ready-16.png'],
        [1, 'extensionName'],
    ]);
    assert.deepEqual(Object.keys(picturesOf('off')), ['16', '32', '48']);
});

// What the window shows.

const shownFrame = (more = {}) => ({ ...report, number: 0, host: 'example.org', suggestions: [], more: 0, ...more });
const shownLook = (more = {}) => ({
    page: { host: 'example.org', isEncrypted: true, isPrivate: false },
    isOff: false,
    providers: [listed],
    frames: [shownFrame()],
    ...more,
});
const foreign = { standing: 'foreign', host: 'pay.example', number: 1 };

for (const [what, given, expected] of [
    ['no page of the web', { page: undefined }, ['whyNoPage']],
    ['a site that is off', { isOff: true, trouble: { kind: 'hostMissing' } }, ['whyOff', 'example.org']],
    ['a missing host', { trouble: { kind: 'hostMissing' }, providers: [] }, ['troubleHostMissing']],
    ['a browser that is not allowed', { trouble: { kind: 'notApproved' } }, ['troubleNotApproved']],
    ['a browser that the administrator does not allow', { trouble: { kind: 'forbidden' } }, ['troubleForbidden']],
    ['an error without a name', { trouble: { kind: 'internal' } }, ['troubleHostFailed']],
    ['no provider', { providers: [] }, ['whyNoProvider']],
    ['a page that was not reached', { frames: [] }, ['whyNotReached']],
    ['a page without fields', { frames: [shownFrame({ form: 'none', fields: [] })] }, ['whyNoFields']],
    ['hidden fields', { frames: [shownFrame({ form: 'hidden', fields: [] })] }, ['whyHiddenFields']],
    [
        'a form in a frame of another origin',
        { frames: [shownFrame({ form: 'none' }), shownFrame(foreign)] },
        ['whyForeignFrame', 'pay.example'],
    ],
    [
        'a form in a frame without an origin',
        { frames: [shownFrame({ form: 'none' }), shownFrame({ standing: 'opaque', host: '' })] },
        ['whyOpaqueFrame'],
    ],
    ['a page without an origin', { frames: [shownFrame({ standing: 'opaque' })] }, ['whyOpaqueFrame']],
    ['nothing saved', {}, ['whyNothingSaved', 'example.org']],
    [
        'nothing saved for http',
        { page: { host: 'example.org', isEncrypted: false, isPrivate: false } },
        ['whyNotEncrypted', 'example.org'],
    ],
    ['a provider that was never opened', { providers: [{ ...listed, isSilent: true }] }, ['whySilent', 'Passwords']],
    ['no code', { frames: [shownFrame({ fields: ['oneTimeCode'] })] }, ['whyNoCodes', 'example.org']],
    ['accounts', { frames: [shownFrame({ suggestions: [offer('h')] })] }, undefined],
]) {
    test(`the reason where there is ${what}`, () => {
        const reason = reasonFor(shownLook(given));
        assert.deepEqual(reason && [reason.name, ...(reason.values ?? [])], expected);
    });
}

test('the accounts of each frame stand under its name, and the lists of what it takes after them', () => {
    const codes = { ...provider, identifier: 'c', lists: ['oneTimeCode'] };
    const groups = groupsOf(
        shownLook({
            providers: [listed, codes],
            frames: [
                shownFrame({ suggestions: [offer('h')] }),
                shownFrame({ ...foreign, fields: ['oneTimeCode'], suggestions: [] }),
                shownFrame({ form: 'none', number: 2 }),
            ],
        }),
        '',
    );
    assert.deepEqual(
        groups.map(({ frame: { host }, isForeign, options }) => [host, isForeign, options.map(({ type }) => type)]),
        [
            ['example.org', false, ['account', 'list']],
            ['pay.example', true, ['list']],
        ],
    );
});

test('on a page without a form the accounts are there to see, and cannot be chosen', () => {
    const frames = [shownFrame({ form: 'none', suggestions: [offer('h')] })];
    const [{ options }] = groupsOf(shownLook({ frames }), '');
    assert.deepEqual([options.length, isFillable(options[0])], [1, false]);
    assert.deepEqual(groupsOf(shownLook({ frames: [...frames, shownFrame({ standing: 'opaque' })], providers: [] }), ''), []);
});

test('a frame that gets nothing has no lists either', () => {
    const counts = [];
    for (const standing of ['page', 'foreign', 'opaque']) {
        counts.push(groupsOf(shownLook({ providers: [listed], frames: [shownFrame({ standing })] }), '').length);
    }
    assert.deepEqual(counts, [1, 1, 0]);
});

test('what is typed finds words of user, service and provider, without case and accents', () => {
    const suggestions = ['Ada', 'Édith', 'ada.b'].map((user) => Object.assign(offer(user), { user }));
    const find = (query) =>
        groupsOf(shownLook({ providers: [], frames: [shownFrame({ suggestions })] }), query).flatMap(({ options }) =>
            options.map(({ suggestion }) => suggestion.user),
        );
    assert.deepEqual(find(' ADA  passw'), ['Ada', 'ada.b']);
    assert.deepEqual(find('edith'), ['Édith']);
    assert.deepEqual(find('nobody'), []);
});

const translate = (name, values = []) => [name, ...values].join('|');

test('the account of another site names both sites', () => {
    const suggestion = { ...offer('h'), service: 'videohive.net', match: 'shared' };
    const { detail } = textsOf({ type: 'account', frame: shownFrame(), suggestion }, translate);
    assert.equal(detail, `menuShared|videohive.net|${shownFrame().host} · Passwords`);
});

test('a locked provider is said to be unlocked first', () => {
    const option = (more) => ({ type: 'list', frame: shownFrame(), provider: { ...listed, ...more }, kind: 'password' });
    assert.equal(textsOf(option({ state: 'locked' }), translate).title, 'menuUnlock|Passwords');
    assert.equal(textsOf(option({ isSilent: true }), translate).title, 'menuUnlock|Passwords');
    assert.equal(textsOf(option({ state: 'ready' }), translate).title, 'menuAllPasswords|Passwords');
    const account = { type: 'account', frame: shownFrame(), suggestion: { ...offer('h'), user: '' } };
    assert.equal(textsOf(account, translate).spoken, 'menuEntrySpoken|menuNoUserName|example.org|Passwords');
});
