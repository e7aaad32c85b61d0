/** The page of options: where Keyway is off, corrected fields, the keys, the browser's own saving, and what is kept. */
import { OwnSaving } from '../background/own-saving.js';
import { Sites } from '../background/sites.js';
import { Corrections } from '../corrections/store.js';
import { keyParts } from './keys.js';

/** @param {string} name @param {string[]} [values] */
const translate = (name, values) => chrome.i18n.getMessage(name, values);

const sites = new Sites(chrome.storage.local);
const corrections = new Corrections(chrome.storage.local);
const ownSaving = new OwnSaving(chrome);
/** @type {import('../background/own-saving.js').OwnSavingState} */
let savingState = 'unknown';

/** @template {Element} T @param {string} selector @returns {T} */
function part(selector) {
    return /** @type {T} */ (document.querySelector(selector));
}

/** @type {HTMLInputElement} */
const host = part('#host');

document.documentElement.lang = translate('language');
document.documentElement.dir = translate('direction');
document.title = translate('optionsTitle');
for (const each of document.querySelectorAll('[data-text]')) {
    each.textContent = translate(/** @type {HTMLElement} */ (each).dataset.text ?? '');
}
part('#add').addEventListener('submit', (event) => {
    event.preventDefault();
    void add();
});
// What the toolbar's window changes is seen here too.
chrome.storage.onChanged.addListener(() => {
    void showSites();
    void showCorrections();
});
void showSites();
void showCorrections();
void showKeys();
void showPrivate();
void showSaving();
/** @type {HTMLButtonElement} */
const savingTurn = part('#saving-turn');
savingTurn.addEventListener('click', () => void turnSaving());

async function add() {
    const name = host.value.trim();
    const isTaken = name !== '' && (await sites.turn(name, true)) !== undefined;
    part('#said').textContent = isTaken ? '' : translate('optionsNoSite');
    if (isTaken) host.value = '';
    host.focus();
    await showSites();
}

async function showSites() {
    const parts = (await sites.list()).map((name) =>
        lineOf(name, translate('optionsRemove'), translate('optionsRemoveSite', [name]), async () => {
            await sites.turn(name, false);
            await showSites();
            host.focus();
        }),
    );
    part('#sites').replaceChildren(...parts);
}

async function showCorrections() {
    const names = new Set((await corrections.list()).map(({ site }) => site));
    const parts = [...names].map((name) =>
        lineOf(name, translate('optionsDecide'), translate('optionsDecideSite', [name]), async () => {
            await corrections.remove(name);
            await showCorrections();
            host.focus();
        }),
    );
    part('#corrections').replaceChildren(...parts);
    /** @type {HTMLElement} */ (part('#no-corrections')).hidden = parts.length > 0;
}

/**
 * A site in a list, with what undoes its being there.
 * @param {string} name
 * @param {string} title of the button
 * @param {string} spoken how a screen reader says it, apart from the list
 * @param {() => Promise<void>} undo
 */
function lineOf(name, title, spoken, undo) {
    const line = document.createElement('li');
    const text = document.createElement('span');
    text.textContent = name;
    text.dir = 'ltr';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = title;
    button.setAttribute('aria-label', spoken);
    button.addEventListener('click', () => void undo());
    line.append(text, button);
    return line;
}

async function showKeys() {
    part('#keys').replaceChildren(...(await keyParts(translate)));
}

async function turnSaving() {
    await (savingState === 'off' ? ownSaving.turnOn() : ownSaving.turnOff());
    await showSaving();
}

async function showSaving() {
    savingState = await ownSaving.state();
    const texts = { unknown: 'optionsSavingUnknown', on: 'optionsSavingOn', off: 'optionsSavingOff', fixed: 'optionsSavingFixed' };
    part('#saving').textContent = translate(texts[savingState]);
    savingTurn.hidden = savingState === 'fixed';
    savingTurn.textContent = translate(savingState === 'off' ? 'optionsSavingTurnOn' : 'optionsSavingTurnOff');
}

async function showPrivate() {
    const isAllowed = await chrome.extension?.isAllowedIncognitoAccess();
    part('#private').textContent = translate(isAllowed ? 'optionsPrivateYes' : 'optionsPrivateNo');
}
