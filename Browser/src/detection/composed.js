/** The tree as it is drawn: elements together with what stands in their shadow roots, open and closed. */

import { activeElementOf, elementsUnder, isDocument, isElement, isShadowRoot, nameOf, parentNodeOf } from './dom.js';

const htmlNamespace = 'http://www.w3.org/1999/xhtml';

/** @param {Element} element @returns {ShadowRoot | null} */
export function shadowRootOf(element) {
    // Forms and the like have no shadow tree; what is read from them could be an element of the page.
    if (nameOf(element) === 'form') return null;
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
