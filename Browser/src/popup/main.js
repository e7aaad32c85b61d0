/**
 * The extension's own window, which the toolbar button and a shortcut open: the accounts for the page in the tab, to be
 * filled there; how things stand; and why nothing was offered. It never holds a secret.
 *
 * At the address `popup.html#NUMBER` it is about the tab with that number.
 */
import { AutoFillError, kindOf, toldInFull } from '../protocol/errors.js';
import { OwnSaving } from '../background/own-saving.js';
import { statusTextName } from '../background/status.js';
import { Beat } from '../menu/countdown.js';
import { Background } from './background.js';
import { groupsOf, isFillable, textsOf } from './model.js';
import { reasonFor } from './reasons.js';
import { button, count, element, groupParts } from './view.js';

/** @typedef {import('./model.js').Option} Option */
/** @typedef {import('../protocol/popup.js').Look} Look */

/** How long an answer may take before the person learns that somebody may be asking them, in milliseconds. */
const patience = 1500;

/** @type {import('./model.js').Translate} */
const translate = (name, values) => chrome.i18n.getMessage(name, values);

/** @template {Element} T @param {string} selector @returns {T} */
function part(selector) {
    return /** @type {T} */ (document.querySelector(selector));
}

const background = new Background();
/** @type {HTMLInputElement} */
const search = part('#search');
/** @type {HTMLElement} */
const list = part('#accounts');
/** @type {HTMLElement} */
const notes = part('#notes');
/** @type {HTMLElement} */
const status = part('#status');
/** @type {HTMLElement} */
const providers = part('#providers');
/** @type {HTMLElement} */
const whole = part('main');
/** @type {HTMLButtonElement} */
const siteSwitch = part('#site');
/** @type {HTMLButtonElement} */
const stop = part('#stop');

/** @type {number | undefined} */
let tab;
/** @type {Look | undefined} */
let look;
/** @type {Option[]} */
let options = [];
let selected = -1;
const ownSaving = new OwnSaving(chrome);
let tellsOwnSaving = false;
/** @type {AbortController | undefined} */
let choosing;
const beat = new Beat((now) => void count(list, now, translate));

document.documentElement.lang = translate('language');
document.documentElement.dir = translate('direction');
document.title = translate('extensionName');
for (const each of document.querySelectorAll('[data-text]')) {
    each.textContent = translate(/** @type {HTMLElement} */ (each).dataset.text ?? '');
}
search.placeholder = translate('popupSearch');
search.setAttribute('aria-label', translate('popupSearch'));
list.setAttribute('aria-label', translate('menuLabel'));

search.addEventListener('input', () => {
    selected = -1;
    show();
});
search.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
        // Or the same key presses the button that a question puts it on.
        event.preventDefault();
        choose(selected < 0 && search.value !== '' ? 0 : selected);
    } else if (event.key === 'Escape' && search.value !== '') {
        // The next one closes the window.
        event.preventDefault();
        search.value = '';
        show();
    }
});
// What was chosen is carried out even if the browser closes this window meanwhile; so taking it back is a choice too.
window.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !choosing) return;
    event.preventDefault();
    choosing.abort();
});
stop.addEventListener('click', () => choosing?.abort());
siteSwitch.addEventListener('click', () => void turn());
part('#options').addEventListener('click', () => {
    void chrome.runtime.openOptionsPage();
    window.close();
});
part('#help').addEventListener('click', () => {
    void chrome.tabs.create({ url: chrome.runtime.getURL('src/help/help.html') });
    window.close();
});
void start();

async function start() {
    const [named] = /^#\d+$/.test(location.hash) ? [Number(location.hash.slice(1))] : [];
    tab = named ?? (await chrome.tabs.query({ active: true, currentWindow: true }))[0]?.id;
    tellsOwnSaving = await ownSaving.isTold();
    await refresh();
}

/** @param {string[]} [texts] what to say of it */
async function refresh(texts = []) {
    if (tab === undefined) return;
    const timer = setTimeout(() => say([translate('menuUnanswered'), translate('menuUnansweredAdvice')]), patience);
    try {
        look = await background.look(tab);
        say(texts);
    } catch (error) {
        say([translate(statusTextName({ kind: kindOf(error) }))]);
    } finally {
        clearTimeout(timer);
    }
    selected = -1;
    show();
    document.body.dataset.state = 'shown';
    focusAgain();
}

/** Where nothing can be searched, reading begins at the top, and no key presses a button by chance. */
function focusAgain() {
    (search.hidden ? whole : search).focus();
}

function show() {
    if (!look) return;
    const { page, isOff } = look;
    const groups = groupsOf(look, search.value);
    options = groups.flatMap((group) => group.options);
    list.replaceChildren(...groupParts(groups, selected, page?.host ?? '', translate, choose));
    beat.run(count(list, Date.now(), translate));
    if (selected >= 0) search.setAttribute('aria-activedescendant', `option-${selected}`);
    else search.removeAttribute('aria-activedescendant');
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
    search.hidden = options.length === 0 && search.value === '';
    list.hidden = options.length === 0;
    search.setAttribute('aria-expanded', String(options.length > 0));
    notes.replaceChildren(...notesOf(look));
    providers.replaceChildren(...look.providers.map(providerPart));
    siteSwitch.hidden = !page || page.isPrivate;
    siteSwitch.textContent = translate(isOff ? 'popupTurnOn' : 'popupTurnOff', [page?.host ?? '']);
}

/** @param {Look} shown */
function notesOf(shown) {
    const parts = [];
    const reason = reasonFor(shown);
    if (reason) {
        if (options.length === 0) parts.push(element('h2', { text: translate('popupWhy') }));
        parts.push(element('p', { className: 'reason', text: translate(reason.name, reason.values) }));
        const said = shown.trouble?.message ?? '';
        if (said !== '' && ['notApproved', 'forbidden'].includes(shown.trouble?.kind ?? '')) parts.push(element('p', { text: said }));
        if (reason.name.startsWith('trouble')) parts.push(element('p', { text: translate('popupDoctor') }));
    } else if (options.length === 0) {
        parts.push(element('p', { text: translate('popupNothingFound') }));
    } else if (!options.some(isFillable)) {
        parts.push(element('p', { text: translate('whyNoFields') }));
    }
    const more = shown.frames.reduce((sum, frame) => sum + frame.more, 0);
    if (more > 0) parts.push(element('p', { text: translate('menuMore', [String(more)]) }));
    if (tellsOwnSaving) parts.push(ownSavingPart());
    if (shown.page?.isPrivate) parts.push(element('p', { text: translate('popupPrivate') }));
    return parts;
}

/** That the browser saves passwords, too: said until the person has decided. */
function ownSavingPart() {
    const line = element('div', { className: 'own-saving' });
    line.append(
        element('p', { text: translate('popupOwnSaving') }),
        button(translate('popupOwnSavingChange'), async () => {
            await settleOwnSaving();
            // The browser's question would close this window.
            await chrome.tabs.create({ url: chrome.runtime.getURL('src/options/options.html#saving-title') });
            window.close();
        }),
        button(translate('popupOwnSavingKeep'), async () => {
            await settleOwnSaving();
            show();
            focusAgain();
        }),
    );
    return line;
}

async function settleOwnSaving() {
    tellsOwnSaving = false;
    await ownSaving.tell(false);
}

/** @param {import('./model.js').ShownProvider} provider */
function providerPart({ identifier, name, state, lists }) {
    const line = element('div', { className: 'provider' });
    line.append(element('span', { className: 'name', text: name }));
    if (state) {
        const word = element('span', { className: `state ${state}`, text: translate(state === 'ready' ? 'popupReady' : 'popupLocked') });
        line.append(word);
    }
    if (state === 'ready') line.append(button(translate('popupLock', [name]), () => void lock(identifier)));
    if (state === 'locked' && lists.some((kind) => kind !== 'passkey')) {
        line.append(button(translate('popupUnlock', [name]), () => void unlock(identifier, name)));
    }
    return line;
}

/** @param {1 | -1} step */
function move(step) {
    if (options.length === 0) return;
    const from = selected < 0 && step < 0 ? 0 : selected;
    selected = (from + step + options.length) % options.length;
    show();
}

/** @param {number} index */
function choose(index) {
    const option = options[index];
    if (!option || choosing || !isFillable(option)) return;
    if (option.frame.standing === 'foreign') ask(option);
    else void fill(option);
}

/**
 * What goes into a frame of another origin is confirmed with both names.
 * @param {Option} option
 */
function ask(option) {
    const { title } = textsOf(option, translate);
    const host = look?.page?.host ?? '';
    const text = element('p', { text: translate('popupAskFrame', [title, option.frame.host, host]) });
    text.id = 'asked';
    const no = button(translate('popupCancel'), () => answer(false), 'no');
    const yes = button(translate('popupFill', [option.frame.host]), () => answer(true), 'yes');
    /** @param {boolean} isAllowed */
    const answer = (isAllowed) => {
        dialog.remove();
        whole.inert = false;
        focusAgain();
        if (isAllowed) void fill(option);
    };
    const dialog = element('div', { className: 'question' });
    dialog.setAttribute('role', 'alertdialog');
    dialog.setAttribute('aria-modal', 'true');
    dialog.setAttribute('aria-labelledby', text.id);
    dialog.append(text, no, yes);
    dialog.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        answer(false);
    });
    document.body.append(dialog);
    whole.inert = true;
    no.focus();
}

/** @param {Option} option */
async function fill(option) {
    const { title } = textsOf(option, translate);
    const { signal } = begin();
    const isList = option.type === 'list';
    const provider = isList ? option.provider.name : option.suggestion.provider.name;
    say([isList ? translate('menuChoosing', [provider]) : translate('menuFilling', [title])]);
    const calling = { signal, onWaiting: sayNeed };
    const frame = option.frame.number;
    try {
        if (isList) await background.list({ frame, provider: option.provider.identifier }, calling);
        else await background.fill({ frame, handle: option.suggestion.handle }, calling);
        say([translate('popupFilled')]);
        document.body.dataset.state = 'filled';
        window.close();
    } catch (error) {
        say([failureOf(error, provider)]);
    } finally {
        end();
    }
}

/** @returns {AbortController} what takes the choice back that begins now */
function begin() {
    choosing = new AbortController();
    stop.hidden = false;
    return choosing;
}

function end() {
    choosing = undefined;
    const hadFocus = document.activeElement === stop;
    stop.hidden = true;
    if (hadFocus) focusAgain();
}

/** @param {import('../protocol/host.js').FillWaiting} need */
function sayNeed(need) {
    const texts = need.command === '' ? [need.message] : [translate('menuTypeThis'), need.command];
    say([translate('menuNeeded', [need.provider]), ...texts]);
}

/** @param {unknown} error @param {string} provider */
function failureOf(error, provider) {
    const kind = kindOf(error);
    if (kind === 'cancelled') return '';
    if (kind === 'notFilled' || kind === 'disconnected') return translate('popupNotFilled');
    if (kind === 'timedOut') return translate('menuTimedOut', [provider]);
    if (kind === 'notFound') return translate('menuNotFound', [provider]);
    const isSaid = error instanceof AutoFillError && toldInFull.has(kind);
    return isSaid && error.message !== kind ? error.message : translate('menuFailed', [provider]);
}

/** @param {string} provider */
async function lock(provider) {
    if (choosing) return;
    /** @type {string[]} */
    let texts = [];
    try {
        await background.lock(provider);
    } catch {
        texts = [translate('popupNotLocked')];
    }
    await refresh(texts);
}

/**
 * The provider asks in a window of its own; browsers close this one then.
 * @param {string} provider
 * @param {string} name
 */
async function unlock(provider, name) {
    if (choosing) return;
    const { signal } = begin();
    say([translate('popupUnlocking', [name])]);
    /** @type {string[]} */
    let texts = [];
    try {
        await background.unlock(provider, { signal, onWaiting: sayNeed });
    } catch (error) {
        texts = [failureOf(error, name)];
    } finally {
        end();
    }
    await refresh(texts);
}

async function turn() {
    const page = look?.page;
    if (!look || !page || choosing) return;
    await background.turn(page.host, !look.isOff);
    await refresh();
}

/** @param {string[]} texts read out as they come */
function say(texts) {
    status.replaceChildren(...texts.filter((text) => text !== '').map((text) => element('p', { text })));
}
