/**
 * Folders of labelled pages, in a jsdom that runs nothing and fetches nothing: our own, and the development set of real
 * pages where it lies beside the repository.
 */
import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export const ownPages = fileURLToPath(new URL('../../Tests/Forms/', import.meta.url));
export const realPages = fileURLToPath(new URL('../../../shared/fixtures/login-forms/', import.meta.url));

// Debian installs modules here; a node that is not Debian's does not look there by itself.
process.env.NODE_PATH = '/usr/share/nodejs';
Module._initPaths();
const require = createRequire(import.meta.url);

export const corpusIsHere = existsSync(realPages);

/** @param {string} folder */
export function labels(folder) {
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
    attachShadowRoots(window.document);
    window.HTMLInputElement.prototype.checkVisibility = isDrawn;
    return window.document;
}

/** What jsdom does not know of HTML: templates that are shadow roots. */
function attachShadowRoots(root) {
    for (const template of root.querySelectorAll('template[shadowrootmode]')) {
        if (!template.parentNode) continue;
        const shadow = template.parentNode.attachShadow({ mode: template.getAttribute('shadowrootmode') });
        shadow.append(template.content);
        template.remove();
        attachShadowRoots(shadow);
    }
}

/** What jsdom does not know of CSSOM View: whether the field's style, or that of what it stands in, draws it. */
function isDrawn() {
    const { defaultView } = this.ownerDocument;
    for (let at = this; at; at = at.parentNode ?? at.host) {
        if (at.nodeType === 1 && defaultView.getComputedStyle(at).display === 'none') return false;
    }
    return true;
}

/** Asks once for each element: these pages do not change, and jsdom takes long for a style. */
function onceEach(method) {
    const known = new Map();
    return function () {
        if (!known.has(this)) known.set(this, method.call(this));
        return known.get(this);
    };
}

/** Opens a page without its answers; returns the document and the element of each labelled field. */
export function openPage(folder, file, url) {
    const document = openDocument(readFileSync(`${folder}pages/${file}`, 'utf8'), url ?? undefined);
    document.defaultView.HTMLInputElement.prototype.checkVisibility = onceEach(isDrawn);
    const byNumber = new Map();
    strip(document, byNumber);
    return { document, byNumber };
}

function strip(root, byNumber) {
    for (const element of root.querySelectorAll('*')) {
        if (element.hasAttribute('data-fx-field')) {
            byNumber.set(Number(element.getAttribute('data-fx-field')), element);
            element.removeAttribute('data-fx-field');
        }
        element.removeAttribute('data-fx-submit');
        if (element.shadowRoot) strip(element.shadowRoot, byNumber);
    }
}
