/** The corpus of login forms that lies beside the repository, in a jsdom that runs nothing and fetches nothing. */
import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../shared/fixtures/login-forms/', import.meta.url));

// Debian installs modules here; a node that is not Debian's does not look there by itself.
process.env.NODE_PATH = '/usr/share/nodejs';
Module._initPaths();
const require = createRequire(import.meta.url);

export const corpusIsHere = existsSync(folder);

export function labels() {
    return JSON.parse(readFileSync(`${folder}labels.json`, 'utf8')).pages;
}

/** @param {string} html @param {string} url */
export function openDocument(html, url = 'https://site.test/') {
    const { JSDOM } = require('jsdom');
    const { window } = new JSDOM(html, { url });
    for (const name of [
        'Element',
        'HTMLElement',
        'ShadowRoot',
        'Document',
        'Node',
        'NodeFilter',
        'HTMLInputElement',
        'HTMLFormElement',
    ]) {
        globalThis[name] = window[name];
    }
    return window.document;
}

/** Opens a page without its answers; returns the document and the element of each labelled field. */
export function openPage(file, url) {
    const document = openDocument(readFileSync(`${folder}pages/${file}`, 'utf8'), url ?? undefined);
    const byNumber = new Map();
    for (const element of document.querySelectorAll('[data-fx-field]')) {
        byNumber.set(Number(element.getAttribute('data-fx-field')), element);
        element.removeAttribute('data-fx-field');
    }
    for (const element of document.querySelectorAll('[data-fx-submit]')) element.removeAttribute('data-fx-submit');
    return { document, byNumber };
}
