/** The tree as it is drawn: elements together with what stands in their shadow roots, open and closed. */

import {
    activeElementOf,
    allIn,
    elementsAt,
    elementsUnder,
    isDocument,
    isElement,
    isShadowRoot,
    nameOf,
    parentNodeOf,
} from './dom.js';

const htmlNamespace = 'http://www.w3.org/1999/xhtml';

/** What may have a shadow root, besides custom elements (DOM, "valid shadow host name"). */
const hostNames = new Set(
    'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** @param {Element} element @returns {ShadowRoot | null} */
export function shadowRootOf(element) {
    const name = nameOf(element);
    if (!hostNames.has(name) && !name.includes('-')) return null;
    if (element.shadowRoot) return element.shadowRoot;
    if (typeof chrome === 'undefined' || !chrome.dom) return element.openOrClosedShadowRoot ?? null;
    return element.namespaceURI === htmlNamespace ? chrome.dom.openOrClosedShadowRoot(element) : null;
}

/** @param {Node} node @returns {Element | null} the parent element, or the host of the shadow root */
export function composedParent(node) {
    const parent = parentNodeOf(node);
    if (isShadowRoot(parent)) return parent.host;
    return isElement(parent) ? parent : null;
}

/**
 * @param {Element} element
 * @returns {Element | null} what it is drawn in: its slot, where an open shadow root has one for it, else its parent
 */
export function drawnParent(element) {
    return Reflect.get(Element.prototype, 'assignedSlot', element) ?? composedParent(element);
}

/** @param {Node} node @returns {Document | ShadowRoot | null} */
export function ownerRoot(node) {
    let at = node;
    for (let parent = parentNodeOf(at); parent; parent = parentNodeOf(at)) at = parent;
    return isDocument(at) || isShadowRoot(at) ? at : null;
}

/**
 * Every element under `root`, in the order of the page; an element's shadow tree comes before its children.
 * @param {Element | ShadowRoot | Document} root
 * @returns {Generator<Element>}
 */
export function* descendants(root) {
    if (isElement(root)) yield* shadowDescendants(root);
    const walker = elementsUnder(root);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = /** @type {Element} */ (node);
        yield element;
        yield* shadowDescendants(element);
    }
}

/** @param {Element} host @returns {Generator<Element>} */
function* shadowDescendants(host) {
    const shadow = shadowRootOf(host);
    if (shadow) yield* descendants(shadow);
}

/**
 * @param {Document} document
 * @returns {ShadowRoot[]} all in it, also those inside others
 */
export function shadowRootsIn(document) {
    /** @type {ShadowRoot[]} */
    const roots = [];
    for (const root of pending(document, roots)) {
        for (const element of allIn(root, '*')) {
            const shadow = shadowRootOf(element);
            if (shadow) roots.push(shadow);
        }
    }
    return roots;
}

/**
 * @param {Document} document
 * @param {ShadowRoot[]} roots grows while this goes on
 * @returns {Generator<Document | ShadowRoot>}
 */
function* pending(document, roots) {
    yield document;
    yield* roots;
}

/**
 * The element that has the focus, through all shadow roots.
 * @param {Document} document
 * @returns {Element | null}
 */
export function focusedElement(document) {
    /** @type {Element | null} */
    let found = null;
    for (let root = /** @type {Document | ShadowRoot | null} */ (document); root; root = found && shadowRootOf(found)) {
        const inner = activeElementOf(root);
        if (!inner || inner === found) break;
        found = inner;
    }
    return found;
}

/**
 * @param {Document} document
 * @param {import('./frames.js').Point} point
 * @param {Element} [except] what does not count
 * @returns {Element | undefined} the uppermost element there, through all shadow roots
 */
export function elementAt(document, { left, top }, except) {
    /** @type {Element | undefined} */
    let hit;
    for (
        let root = /** @type {Document | ShadowRoot | null} */ (document);
        root;
        root = hit ? shadowRootOf(hit) : null
    ) {
        const inner = elementsAt(root, left, top).find((element) => element !== except);
        if (!inner || inner === hit) break;
        hit = inner;
    }
    return hit;
}

/**
 * The shadow roots around a node, innermost first.
 * @param {Node} node
 * @returns {ShadowRoot[]}
 */
export function rootsAround(node) {
    /** @type {ShadowRoot[]} */
    const roots = [];
    for (let root = ownerRoot(node); isShadowRoot(root); root = ownerRoot(root.host)) roots.push(root);
    return roots;
}
