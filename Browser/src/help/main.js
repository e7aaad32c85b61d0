/** The page of help: what to do where Keyway is missing or offers nothing, and the keys. It asks nobody anything. */
import { keyParts } from '../options/keys.js';

/** @param {string} name */
const translate = (name) => chrome.i18n.getMessage(name);

document.documentElement.lang = translate('language');
document.documentElement.dir = translate('direction');
document.title = translate('helpTitle');
for (const each of document.querySelectorAll('[data-text]')) {
    each.textContent = translate(/** @type {HTMLElement} */ (each).dataset.text ?? '');
}
const keys = document.querySelector('#keys');
void keyParts(translate).then((parts) => keys?.replaceChildren(...parts));
