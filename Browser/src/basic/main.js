/**
 * The window that opens when a server asks to sign in by HTTP: names host and realm, and offers the accounts for them.
 * Nothing is sent without a choice; where it is closed, the browser asks as it always does. It never holds a secret.
 */
import { textsOf } from '../popup/model.js';
import { element } from '../popup/view.js';
import { Channel } from '../protocol/channel.js';
import { basicPortName } from '../protocol/basic.js';
import { AutoFillError, kindOf, toldInFull } from '../protocol/errors.js';

/** @typedef {{title: string, detail: string, spoken: string, choose: () => Promise<unknown>, who: string, isList: boolean}} Choice */

/** How long the window stands, in front, before a choice counts, in milliseconds: a page may have opened it at any key. */
const settling = 700;

/** @type {import('../popup/model.js').Translate} */
const translate = (name, values) => chrome.i18n.getMessage(name, values);

/** @template {Element} T @param {string} selector @returns {T} */
function part(selector) {
    return /** @type {T} */ (document.querySelector(selector));
}

/** @type {HTMLElement} */
const list = part('#accounts');
/** @type {HTMLElement} */
const decline = part('#decline');

const channel = new Channel(
    chrome.runtime.connect({ name: basicPortName }),
    () => window.close(),
    () => new AutoFillError('disconnected'),
);

/** @type {Choice[]} */
let choices = [];
let selected = -1;
let isBusy = false;
let isSettled = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

document.documentElement.lang = translate('language');
document.documentElement.dir = translate('direction');
document.title = translate('extensionName');
decline.textContent = translate(decline.dataset.text ?? '');
list.setAttribute('aria-label', translate('menuLabel'));
decline.addEventListener('click', () => window.close());
document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') window.close();
});
list.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        const step = event.key === 'ArrowDown' ? 1 : -1;
        const from = selected < 0 && step < 0 ? 0 : selected;
        selected = (from + step + choices.length) % choices.length;
        show();
    } else if (event.key === 'Enter') choose(selected);
});
window.addEventListener('focus', settle);
window.addEventListener('blur', settle);
settle();
void start();

/** Whenever the window comes to the front, the time begins anew. */
function settle() {
    isSettled = false;
    delete document.body.dataset.settled;
    clearTimeout(timer);
    timer = setTimeout(() => {
        isSettled = true;
        document.body.dataset.settled = '';
    }, settling);
}

async function start() {
    try {
        const answer = await channel.call('look', { question: location.hash.slice(1) });
        tell(/** @type {import('../protocol/basic.js').BasicLook} */ (answer));
    } catch {
        window.close();
    }
}

/** @param {import('../protocol/basic.js').BasicLook} look */
function tell({ host, realm, isEncrypted, isPrivate, isAgain, suggestions, providers }) {
    const parts = [element('h1', { text: translate('basicAsks', [host]) })];
    // What the server calls itself is its own word.
    if (realm !== '') {
        parts.push(element('p', { text: translate('basicRealm') }));
        const said = element('p', { className: 'realm', text: realm });
        said.dir = 'auto';
        parts.push(said);
    }
    if (!isEncrypted) parts.push(element('p', { className: 'warning', text: translate('basicUnencrypted') }));
    if (isAgain) parts.push(element('p', { className: 'warning', text: translate('basicAgain') }));
    if (isPrivate) parts.push(element('p', { text: translate('popupPrivate') }));
    part('#asked').replaceChildren(...parts);
    const frame = { number: 0, host, form: 'shown', fields: ['username', 'password'] };
    choices = suggestions.map((suggestion) => {
        const texts = textsOf(/** @type {any} */ ({ type: 'account', frame, suggestion }), translate);
        const choosing = () => ask('fill', { handle: suggestion.handle });
        return Object.assign(texts, { who: suggestion.provider.name, isList: false, choose: choosing });
    });
    for (const provider of providers.filter(({ lists }) => lists.includes('password'))) {
        const texts = textsOf(/** @type {any} */ ({ type: 'list', frame, provider, kind: 'password' }), translate);
        const choosing = () => ask('list', { provider: provider.identifier });
        choices.push({ ...texts, who: provider.name, isList: true, choose: choosing });
    }
    show();
    list.hidden = false;
    list.focus();
    document.body.dataset.state = 'shown';
}

function show() {
    list.replaceChildren(...choices.map((choice, index) => choicePart(choice, index)));
    if (selected >= 0) list.setAttribute('aria-activedescendant', `option-${selected}`);
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
}

/** @param {Choice} choice @param {number} index */
function choicePart({ title, detail, spoken, isList }, index) {
    const line = element('div', { className: isList ? 'option all' : 'option' });
    line.id = `option-${index}`;
    line.setAttribute('role', 'option');
    line.setAttribute('aria-label', spoken);
    line.setAttribute('aria-selected', String(index === selected));
    line.append(element('span', { className: 'title', text: title }));
    if (detail !== '') line.append(element('span', { className: 'detail', text: detail }));
    line.addEventListener('click', () => choose(index));
    return line;
}

/** @param {number} index */
async function choose(index) {
    const choice = choices[index];
    if (!choice || isBusy || !isSettled) return;
    isBusy = true;
    say([translate(choice.isList ? 'menuChoosing' : 'menuFilling', [choice.isList ? choice.who : choice.title])]);
    try {
        await choice.choose();
        document.body.dataset.state = 'filled';
        window.close();
    } catch (error) {
        const kind = kindOf(error);
        const isSaid = error instanceof AutoFillError && toldInFull.has(kind);
        say(kind === 'cancelled' ? [] : [isSaid ? error.message : translate('menuFailed', [choice.who])]);
        isBusy = false;
    }
}

/** @param {string} method @param {object} params */
function ask(method, params) {
    return channel.call(method, params, {
        onWaiting: ({ provider, message, command }) => {
            const texts = command === '' ? [message] : [translate('menuTypeThis'), command];
            say([translate('menuNeeded', [provider]), ...texts]);
        },
    });
}

/** @param {string[]} texts read out as they come */
function say(texts) {
    part('#status').replaceChildren(...texts.map((text) => element('p', { text })));
}
