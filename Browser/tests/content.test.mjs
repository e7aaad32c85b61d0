import assert from 'node:assert/strict';
import test from 'node:test';
import { MenuContent } from '../src/menu/content.js';
import { choosing, chosen, failed, moved, needing } from '../src/menu/model.js';
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
const model = choosing({ suggestions: [suggestion('ada'), suggestion('')], more: 0, providers: [provider] });
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
    for (const each of [model, waiting, needing(waiting, need), failed(waiting, 'timedOut')]) {
        const { parts, region } = render(each);
        assert.deepEqual(
            [...parts, region].map(({ textContent }) => textContent),
            [...parts, region].map(() => ''),
        );
    }
});

test('markup in a name stays text', () => {
    const hostile = choosing({ suggestions: [suggestion('<img src=x onerror=alert(1)>')], more: 0, providers: [] });
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
    ['no answer', failed(waiting, 'timedOut'), ['menuTimedOut|Passwords'], 'menuTimedOut|Passwords'],
    ['a lost account', failed(waiting, 'notFound'), ['menuNotFound|Passwords'], 'menuNotFound|Passwords'],
    ['another failure', failed(waiting, 'providerFailed'), ['menuFailed|Passwords'], 'menuFailed|Passwords'],
]) {
    test(`${what} is shown and spoken`, () => {
        const rendered = render(model, given);
        assert.deepEqual(textsIn(rendered.parts), shown);
        assert.equal(rendered.spoken, spoken);
    });
}

test('what the person ended is no failure', () => {
    assert.equal(failed(waiting, 'cancelled'), undefined);
});

for (const [isEncrypted, expected] of [
    [true, 'menuSendsTo|evil.test'],
    [false, 'menuSendsUnencrypted|evil.test'],
]) {
    test(`${expected} stands above the accounts`, () => {
        const foreign = choosing(
            { suggestions: [suggestion('ada')], more: 4, providers: [] },
            { host: 'evil.test', isEncrypted },
        );
        const { parts } = render(foreign);
        assert.deepEqual([textsIn([parts[0]]), textsIn([parts[2]])], [[expected], ['menuMore|4']]);
    });
}
