import assert from 'node:assert/strict';
import test from 'node:test';
import { hasHarmlessStyle, isStillThere, Settling } from '../src/menu/guards.js';
import { choosing, chosen, entryOf, failed, hindered, moved, needing, outside, unanswered } from '../src/menu/model.js';

const provider = { identifier: 'p', name: 'Passwords' };
const listed = { ...provider, lists: ['password', 'oneTimeCode'], isSilent: false };
const silent = { identifier: 's', name: 'Silent', lists: [], isSilent: false };
const passwords = { kinds: ['password'] };
const suggestion = (user) => ({
    handle: user,
    user,
    service: 'example.org',
    provider,
    match: 'origin',
    kind: 'password',
});
const answer = (...users) => ({ suggestions: users.map(suggestion), more: 0, providers: [silent] });

test('nothing to choose from is no menu', () => {
    assert.equal(choosing(answer(), passwords), undefined);
});

test('nothing is selected at first', () => {
    assert.equal(choosing(answer('a', 'b'), passwords).selected, -1);
});

for (const [steps, selected] of [
    [[1], 0],
    [[-1], 2],
    [[1, 1], 1],
    [[1, 1, 1, 1], 0],
    [[1, -1], 2],
    [[-1, 1], 0],
]) {
    test(`steps ${steps} select ${selected} of three`, () => {
        const model = steps.reduce(moved, choosing(answer('a', 'b', 'c'), passwords));
        assert.equal(model.selected, selected);
    });
}

test('only an entry that is there can be chosen', () => {
    const model = choosing(answer('a', 'b'), passwords);
    assert.equal(chosen(model, 1).entry.suggestion.user, 'b');
    for (const index of [-1, 2, NaN, 0.5]) assert.equal(chosen(model, index), undefined);
});

test('what the provider needs stands beside what was chosen', () => {
    const need = { request: 1, provider: 'P', message: 'm', command: 'c' };
    const model = needing(chosen(choosing(answer('a'), passwords), 0), need);
    assert.deepEqual([model.entry.suggestion.user, model.need], ['a', need]);
});

const account = (user) => ({ type: 'account', suggestion: suggestion(user) });
const translate = (name, values = []) => [name, ...values].join('|');

test('an entry names user, service and provider', () => {
    assert.deepEqual(entryOf(account('ada'), translate), {
        title: 'ada',
        detail: 'example.org · Passwords',
        spoken: 'menuEntrySpoken|ada|example.org|Passwords',
    });
    assert.equal(entryOf(account(''), translate).title, 'menuNoUserName');
});

test('the account of another site names both sites, to read and to hear', () => {
    const shared = { ...suggestion('ada'), service: 'videohive.net', match: 'shared' };
    const { entries } = choosing({ ...answer(), suggestions: [shared, suggestion('bob')] }, { ...passwords, site: 'envato.com' });
    assert.deepEqual(entryOf(entries[0], translate), {
        title: 'ada',
        detail: 'menuShared|videohive.net|envato.com · Passwords',
        spoken: 'menuEntrySpoken|ada|menuShared|videohive.net|envato.com|Passwords',
    });
    assert.deepEqual(entries[1], account('bob'));
});

test('the menu ends with the whole list of each provider that has one, also with no account', () => {
    for (const users of [[], ['a', 'b']]) {
        const { entries } = choosing({ ...answer(...users), providers: [listed, silent, listed] }, passwords);
        assert.deepEqual(
            entries.map(({ type }) => type),
            [...users.map(() => 'account'), 'list', 'list'],
        );
        assert.deepEqual(entries.at(-1), { type: 'list', provider, kind: 'password', isSilent: false });
    }
});

test('where the page waits for a passkey, passkeys come first and passwords after them', () => {
    const passkey = { ...suggestion('pia'), kind: 'passkey' };
    const both = { ...answer('a'), providers: [listed] };
    both.suggestions.push(passkey);
    const { entries } = choosing(both, { kinds: ['passkey', 'password'] });
    assert.deepEqual(entries.map((entry) => entry.suggestion?.user ?? entry.type), ['pia', 'a', 'list']);
    assert.deepEqual(choosing(both, passwords).entries.map((entry) => entry.suggestion?.user ?? entry.type), ['a', 'list']);
    assert.deepEqual(entryOf(entries[0], translate), {
        title: 'pia',
        detail: 'menuPasskey · example.org · Passwords',
        spoken: 'menuPasskeySpoken|pia|example.org|Passwords',
    });
});

test('a provider that has named nothing is offered to be unlocked, while the page waits for a passkey', () => {
    const quiet = { ...provider, lists: ['password', 'passkey'], isSilent: true };
    const titles = (kinds) =>
        choosing({ ...answer(), providers: [quiet] }, { kinds }).entries.map((entry) => entryOf(entry, translate).title);
    assert.deepEqual(titles(['passkey', 'password']), ['menuUnlock|Passwords']);
    assert.deepEqual(titles(['passkey']), ['menuUnlock|Passwords']);
    assert.deepEqual(titles(['password']), ['menuAllPasswords|Passwords']);
});

test('where a choice could be hidden, the lists are offered and no account', () => {
    const model = choosing({ ...answer('a', 'b'), more: 7, providers: [listed, silent] }, passwords);
    const safe = outside(moved(model, 1));
    assert.deepEqual(safe.entries, [{ type: 'list', provider, kind: 'password', isSilent: false }]);
    assert.deepEqual([safe.isOutside, safe.selected, safe.more], [true, -1, 0]);
    for (const none of [choosing(answer('a'), passwords), unanswered(), chosen(model, 0)]) {
        assert.equal(outside(none), undefined);
    }
});

test('a field that takes passkeys alone is offered lists of passkeys', () => {
    const has = { ...provider, lists: ['password', 'passkey'], isSilent: false };
    const { entries } = choosing({ ...answer('a'), providers: [has, listed] }, { kinds: ['passkey'] });
    assert.deepEqual(entries.map((entry) => entryOf(entry, translate).title), ['menuAllPasskeys|Passwords']);
});

test('a field for a code is offered codes, then lists of codes, and no password', () => {
    const { suggestions } = answer('a');
    const code = { ...suggestions[0], handle: 'c', user: 'ada', kind: 'oneTimeCode' };
    const model = choosing({ suggestions: [...suggestions, code], more: 3, providers: [listed] }, { kinds: ['oneTimeCode'] });
    assert.deepEqual(model.entries, [
        { type: 'account', suggestion: code },
        { type: 'list', provider, kind: 'oneTimeCode', isSilent: false },
    ]);
    assert.equal(model.more, 3);
    const { title, detail, spoken } = entryOf(model.entries[0], (name, values = []) => [name, ...values].join('|'));
    assert.equal(title, 'ada');
    assert.equal(detail, `menuCode · ${code.service} · ${code.provider.name}`);
    assert.equal(spoken, `menuCodeSpoken|ada|${code.service}|${code.provider.name}`);
});

test('a field for a code without an account has lists of codes', () => {
    const { entries } = choosing({ ...answer('a'), more: 3, providers: [listed, silent] }, { kinds: ['oneTimeCode'] });
    assert.deepEqual(entries, [{ type: 'list', provider, kind: 'oneTimeCode', isSilent: false }]);
    assert.equal(choosing(answer('a'), { kinds: ['oneTimeCode'] }), undefined);
});

test('a list is called by what it holds and by its provider', () => {
    for (const [kind, title] of [
        ['password', 'menuAllPasswords|Passwords'],
        ['oneTimeCode', 'menuAllCodes|Passwords'],
    ]) {
        assert.deepEqual(entryOf({ type: 'list', provider, kind }, translate), { title, detail: '', spoken: title });
    }
});

test('steps go from the accounts into the lists', () => {
    const model = choosing({ ...answer('a'), providers: [listed] }, passwords);
    assert.equal(moved(moved(model, 1), 1).selected, 1);
    assert.equal(chosen(model, 1).entry.type, 'list');
});

for (const [kind, isTold] of [
    ['notApproved', true],
    ['forbidden', true],
    ['rateLimited', true],
    ['brokerUnreachable', false],
    ['tooManyRequests', false],
    ['internal', false],
]) {
    test(`that suggestions ended in ${kind} is ${isTold ? 'said in' : 'kept out of'} the menu`, () => {
        const expected = isTold ? { type: 'hindered', kind, message: 'Do this.' } : undefined;
        assert.deepEqual(hindered({ kind, message: 'Do this.' }), expected);
    });
}

test('a kind in place of a message is none', () => {
    assert.equal(hindered({ kind: 'notApproved', message: 'notApproved' }).message, '');
    assert.equal(unanswered().message, '');
});

for (const [kind, message] of [
    ['needsPerson', 'Do this.'],
    ['notVerified', 'Do this.'],
    ['notApproved', 'Do this.'],
    ['forbidden', 'Do this.'],
    ['rateLimited', 'Do this.'],
    ['providerFailed', ''],
    ['refused', ''],
]) {
    test(`a fill that ended in ${kind} shows ${message ? 'Keyway’s' : 'the menu’s own'} words`, () => {
        const waiting = chosen(choosing(answer('a'), passwords), 0);
        assert.equal(failed(waiting, { kind, message: 'Do this.' }).message, message);
    });
}

const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
const field = box(100, 100, 200, 30);

for (const [what, menu, placed, expected] of [
    ['under the field', box(100, 132, 220, 80), field, true],
    ['above the field', box(100, 18, 220, 80), field, true],
    ['under a field that drifted a little', box(100, 132, 220, 80), { left: 103, top: 97 }, true],
    ['under where the field was', box(100, 132, 220, 80), { left: 100, top: 120 }, false],
    ['far below', box(100, 170, 220, 80), field, false],
    ['beside', box(320, 132, 220, 80), field, false],
]) {
    test(`a menu ${what} is ${expected ? '' : 'not '}where it was put`, () => {
        assert.equal(isStillThere(field, menu, placed), expected);
    });
}

/** A menu that was put at `left` 100, `top` 132 when the clock stood at 0. */
function settlingMenu() {
    const clock = { time: 0 };
    const settling = new Settling(() => clock.time);
    settling.put({ left: 100, top: 132 });
    return { clock, settling };
}

test('a menu that was never put anywhere has not settled', () => {
    assert.equal(new Settling(() => 1000).isOver, false);
});

test('a menu that stays, or drifts a little, settles in half a second', () => {
    const { clock, settling } = settlingMenu();
    for (clock.time = 20; clock.time < 500; clock.time += 20) {
        settling.put({ left: 100 + (clock.time % 3), top: 132 });
        assert.equal(settling.isOver, false);
    }
    assert.equal(settling.isOver, true);
});

test('what comes in the place of something else settles anew, although nothing moved', () => {
    const { clock, settling } = settlingMenu();
    clock.time = 1000;
    settling.restart();
    assert.equal(settling.isOver, false);
    settling.put({ left: 100, top: 132 });
    clock.time += 499;
    assert.equal(settling.isOver, false);
    clock.time += 1;
    assert.equal(settling.isOver, true);
});

for (const [what, step] of [
    ['to the side', { left: 3, top: 0 }],
    ['up', { left: 0, top: -3 }],
    ['askew', { left: 3, top: 3 }],
]) {
    test(`a menu that has settled and glides ${what} settles anew`, () => {
        const { clock, settling } = settlingMenu();
        clock.time = 1000;
        assert.equal(settling.isOver, true);
        for (let steps = 1; steps <= 20; steps++) {
            clock.time += 16;
            settling.put({ left: 100 + steps * step.left, top: 132 + steps * step.top });
            assert.equal(settling.isOver, steps < 2);
        }
        clock.time += 499;
        assert.equal(settling.isOver, false);
        clock.time += 1;
        assert.equal(settling.isOver, true);
    });
}

/** Runs with computed style as `style` says, and everything else at its initial value. */
function withStyle(style, run) {
    const before = globalThis.getComputedStyle;
    globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => style[name] ?? initial[name] ?? '' });
    try {
        return run();
    } finally {
        globalThis.getComputedStyle = before;
    }
}

const initial = {
    opacity: '1',
    filter: 'none',
    transform: 'none',
    rotate: 'none',
    scale: 'none',
    translate: 'none',
    clip: 'auto',
    'clip-path': 'none',
    'mask-image': 'none',
    'mix-blend-mode': 'normal',
    zoom: '1',
    perspective: 'none',
    visibility: 'visible',
    'content-visibility': 'visible',
    display: 'block',
};

test('the initial style is harmless, also where the browser does not know a property', () => {
    assert.ok(withStyle({}, () => hasHarmlessStyle({})));
    assert.ok(withStyle({ zoom: '', 'content-visibility': '' }, () => hasHarmlessStyle({})));
});

for (const [property, value] of [
    ['opacity', '0.99'],
    ['filter', 'blur(1px)'],
    ['transform', 'matrix(1, 0, 0, 1, 0, 1)'],
    ['rotate', '1deg'],
    ['scale', '0.5'],
    ['translate', '1px'],
    ['clip', 'rect(0px, 9px, 9px, 0px)'],
    ['clip-path', 'inset(0px)'],
    ['mask-image', 'linear-gradient(red, red)'],
    ['mix-blend-mode', 'screen'],
    ['zoom', '0.1'],
    ['perspective', '1px'],
    ['visibility', 'hidden'],
    ['content-visibility', 'hidden'],
    ['display', 'none'],
]) {
    test(`${property}: ${value} is not harmless`, () => {
        assert.equal(
            withStyle({ [property]: value }, () => hasHarmlessStyle({})),
            false,
        );
    });
}

const unready = { suggestions: [], more: 0, providers: [], setUp: true };

test('where Keyway is not set up, the menu has one row, which says so', () => {
    const model = choosing(unready, passwords);
    assert.deepEqual(model.entries.map(({ type }) => type), ['setUp']);
    assert.deepEqual(entryOf(model.entries[0], translate), {
        title: 'menuSetUp',
        detail: 'menuSetUpDetail',
        spoken: 'menuSetUp. menuSetUpDetail',
    });
});

test('nobody is offered to set Keyway up under a field for a code, or for a passkey alone', () => {
    assert.equal(choosing(unready, { kinds: ['oneTimeCode'] }), undefined);
    assert.equal(choosing(unready, { kinds: ['passkey'] }), undefined);
});

test('Keyway can be set up also where the page could hide the menu', () => {
    assert.deepEqual(outside(choosing(unready, passwords)).entries.map(({ type }) => type), ['setUp']);
});
