import assert from 'node:assert/strict';
import test from 'node:test';
import { MenuContent } from '../src/menu/content.js';
import { choosing, chosen, failed, hindered, moved, needing, outside, unanswered } from '../src/menu/model.js';
import { openDocument } from './corpus.mjs';

const provider = { identifier: 'p', name: 'Passwords' };
const suggestion = (user) => ({
    handle: user,
    user,
    service: 'example.org',
    provider,
    match: 'origin',
    kind: 'password',
});
const passwords = { kinds: ['password'] };
const listed = { ...provider, lists: ['password'], isSilent: false };
const model = choosing({ suggestions: [suggestion('ada'), suggestion('')], more: 0, providers: [] }, passwords);
const withList = choosing({ suggestions: [suggestion('ada')], more: 4, providers: [listed] }, passwords);
const onlyList = choosing({ suggestions: [], more: 0, providers: [listed] }, passwords);
const refusal = { kind: 'notApproved', message: 'Run keyway clients.' };
const waiting = chosen(model, 0);
const need = { request: 1, provider: 'Passwords', message: 'Passwords is locked.', command: 'keyway passwords unlock' };

const translate = (name, values = []) => [name, ...values].join('|');

/** What is shown and what is spoken, with the names of the texts in place of the texts. */
function render(...models) {
    const content = new MenuContent(openDocument(''), translate);
    const region = content.spoken;
    const parts = models.map((each) => content.partsOf(each)).at(-1);
    assert.equal(content.spoken, region);
    return { parts, spoken: region.dataset.t, region };
}

const textsIn = (parts) =>
    parts.flatMap((part) => [...part.querySelectorAll('[data-t]')].map((element) => element.dataset.t));

test('accounts are options of a named list box', () => {
    const [list] = render(model).parts;
    assert.deepEqual([list.getAttribute('role'), list.getAttribute('aria-label')], ['listbox', 'menuLabel']);
    const options = [...list.children];
    assert.deepEqual(
        options.map((option) => [option.getAttribute('role'), option.getAttribute('aria-label')]),
        [
            ['option', 'menuEntrySpoken|ada|example.org|Passwords'],
            ['option', 'menuEntrySpoken|menuNoUserName|example.org|Passwords'],
        ],
    );
});

test('no text stands where the page could search for it', () => {
    for (const each of [model, waiting, needing(waiting, need), failed(waiting, { kind: 'timedOut', message: '' }), withList, hindered(refusal)]) {
        const { parts, region } = render(each);
        assert.deepEqual(
            [...parts, region].map(({ textContent }) => textContent),
            [...parts, region].map(() => ''),
        );
    }
});

test('markup in a name stays text', () => {
    const hostile = choosing({ suggestions: [suggestion('<img src=x onerror=alert(1)>')], more: 0, providers: [] }, passwords);
    const [list] = render(hostile).parts;
    assert.equal(list.querySelector('img'), null);
    assert.equal(textsIn([list])[0], '<img src=x onerror=alert(1)>');
});

test('the selected account is marked and spoken', () => {
    const { parts, spoken } = render(moved(model, 1));
    assert.deepEqual(
        [...parts[0].children].map((entry) => entry.getAttribute('aria-selected')),
        ['true', 'false'],
    );
    assert.equal(parts[0].getAttribute('aria-activedescendant'), 'entry-0');
    assert.equal(spoken, 'menuEntrySpoken|ada|example.org|Passwords');
});

for (const [what, given, shown, spoken] of [
    ['opening', model, ['ada', 'example.org · Passwords', 'menuNoUserName', 'example.org · Passwords'], 'menuOpened|2'],
    ['filling', waiting, ['menuFilling|ada'], 'menuFilling|ada'],
    [
        'a need with a command',
        needing(waiting, need),
        ['menuNeeded|Passwords', 'menuTypeThis', 'keyway passwords unlock'],
        'menuNeeded|Passwords. menuTypeThis. keyway passwords unlock',
    ],
    [
        'a need without one',
        needing(waiting, { ...need, command: '' }),
        ['menuNeeded|Passwords', 'Passwords is locked.'],
        'menuNeeded|Passwords. Passwords is locked.',
    ],
    ['no answer', failed(waiting, { kind: 'timedOut', message: 'm' }), ['menuTimedOut|Passwords'], 'menuTimedOut|Passwords'],
    ['a lost account', failed(waiting, { kind: 'notFound', message: 'm' }), ['menuNotFound|Passwords'], 'menuNotFound|Passwords'],
    ['another failure', failed(waiting, { kind: 'providerFailed', message: 'm' }), ['menuFailed|Passwords'], 'menuFailed|Passwords'],
    ['that nobody can be asked', failed(waiting, { kind: 'needsPerson', message: 'Go there.' }), ['Go there.'], 'Go there.'],
    [
        'accounts, more of them and a list',
        withList,
        ['ada', 'example.org · Passwords', 'menuMore|4', 'menuAllPasswords|Passwords'],
        'menuOpened|1',
    ],
    ['a list alone', onlyList, ['menuAllPasswords|Passwords'], 'menuOpenedWithout'],
    ['a list that is open', chosen(onlyList, 0), ['menuChoosing|Passwords'], 'menuChoosing|Passwords'],
    [
        'a list that failed',
        failed(chosen(onlyList, 0), { kind: 'refused', message: 'm' }),
        ['menuFailed|Passwords'],
        'menuFailed|Passwords',
    ],
    [
        'a browser that is not allowed',
        hindered(refusal),
        ['menuNotApproved', 'Run keyway clients.'],
        'menuNotApproved. Run keyway clients.',
    ],
    [
        'a browser that asked too much',
        hindered({ kind: 'rateLimited', message: '' }),
        ['menuRateLimited', 'menuRateLimitedAdvice'],
        'menuRateLimited. menuRateLimitedAdvice',
    ],
    [
        'no answer for a while',
        unanswered(),
        ['menuUnanswered', 'menuUnansweredAdvice'],
        'menuUnanswered. menuUnansweredAdvice',
    ],
]) {
    test(`${what} is shown and spoken`, () => {
        const rendered = render(model, given);
        assert.deepEqual(textsIn(rendered.parts), shown);
        assert.equal(rendered.spoken, spoken);
    });
}

test('what the person ended is no failure', () => {
    assert.equal(failed(waiting, { kind: 'cancelled', message: '' }), undefined);
});

for (const [isEncrypted, expected] of [
    [true, 'menuSendsTo|evil.test'],
    [false, 'menuSendsUnencrypted|evil.test'],
]) {
    test(`${expected} stands above the accounts`, () => {
        const foreign = choosing(
            { suggestions: [suggestion('ada')], more: 4, providers: [] },
            { kinds: ['password'], destination: { host: 'evil.test', isEncrypted } },
        );
        const { parts } = render(foreign);
        assert.deepEqual(textsIn([parts[0]]), [expected]);
        assert.equal(textsIn([parts[1]]).at(-1), 'menuMore|4');
    });
}

test('where a choice could be hidden, it says so above the lists, and to who listens', () => {
    const { parts, spoken } = render(outside(withList));
    assert.deepEqual(textsIn(parts), ['menuOutside', 'menuAllPasswords|Passwords']);
    assert.equal(spoken, 'menuOutside');
});
