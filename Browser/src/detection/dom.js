/**
 * Reads that a page cannot redirect. In a form and in a document, an element named `parentNode` or `documentElement`
 * stands before the property of that name (HTML, LegacyOverrideBuiltIns), also for content scripts; so both are asked
 * through their prototypes.
 */

/**
 * By its number and not by `instanceof`: the elements of a parent page are of another realm.
 * @param {Node} node
 * @returns {number}
 */
function typeOf(node) {
    return Reflect.get(Node.prototype, 'nodeType', node);
}

/**
 * @param {Node | null} node
 * @returns {node is Element}
 */
export function isElement(node) {
    return node !== null && typeOf(node) === Node.ELEMENT_NODE;
}

/**
 * @param {Node | null} node
 * @returns {node is Document}
 */
export function isDocument(node) {
    return node !== null && typeOf(node) === Node.DOCUMENT_NODE;
}

/**
 * @param {Node | null} node
 * @returns {node is ShadowRoot}
 */
export function isShadowRoot(node) {
    return node !== null && typeOf(node) === Node.DOCUMENT_FRAGMENT_NODE && 'host' in node;
}

/**
 * @param {Node} node
 * @returns {Node | null}
 */
export function parentNodeOf(node) {
    return Reflect.get(Node.prototype, 'parentNode', node);
}

/**
 * @param {Node} node
 * @returns {Node | null}
 */
export function previousSiblingOf(node) {
    return Reflect.get(Node.prototype, 'previousSibling', node);
}

/**
 * @param {Node} node
 * @returns {string}
 */
export function textOf(node) {
    return Reflect.get(Node.prototype, 'textContent', node) ?? '';
}

/**
 * @param {Element} element
 * @returns {string}
 */
export function nameOf(element) {
    // What stands before a property is an element and never a string; this is read for every element of a page.
    const { localName } = element;
    return typeof localName === 'string' ? localName : Reflect.get(Element.prototype, 'localName', element);
}

/**
 * @param {Element} element
 * @param {string} name
 * @returns {string} empty when there is no such attribute
 */
export function attributeOf(element, name) {
    return Element.prototype.getAttribute.call(element, name) ?? '';
}

/**
 * @param {Element} element
 * @param {string} selector
 */
export function isMatching(element, selector) {
    return Element.prototype.matches.call(element, selector);
}

/**
 * @param {Element | Document | ShadowRoot} root
 * @param {string} selector
 * @returns {Element[]}
 */
export function allIn(root, selector) {
    const prototype = isElement(root) ? Element.prototype : prototypeOf(root);
    return [...prototype.querySelectorAll.call(root, selector)];
}

/**
 * @param {Node} node
 * @returns {Document}
 */
export function ownerDocumentOf(node) {
    return Reflect.get(Node.prototype, 'ownerDocument', node);
}

/**
 * @param {Document} document
 * @returns {Element}
 */
export function rootElementOf(document) {
    return Reflect.get(Document.prototype, 'documentElement', document);
}

/**
 * @param {Document | ShadowRoot} root
 * @returns {Element | null}
 */
export function activeElementOf(root) {
    return Reflect.get(prototypeOf(root), 'activeElement', root);
}

/**
 * @param {Document | ShadowRoot} root
 * @param {number} x
 * @param {number} y
 * @returns {Element[]} what is drawn there, the uppermost first
 */
export function elementsAt(root, x, y) {
    return prototypeOf(root).elementsFromPoint.call(root, x, y);
}

/**
 * @param {Document | ShadowRoot} root
 * @param {string} id
 * @returns {Element | null}
 */
export function elementById(root, id) {
    return isDocument(root) ? Document.prototype.getElementById.call(root, id) : root.getElementById(id);
}

/**
 * @param {Document} document
 * @returns {string}
 */
export function titleOf(document) {
    return Reflect.get(Document.prototype, 'title', document);
}

/**
 * @param {Node} root
 * @returns {TreeWalker} over the elements under it
 */
export function elementsUnder(root) {
    const document = isDocument(root) ? root : ownerDocumentOf(root);
    return Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT);
}

/**
 * @param {Document} document
 * @param {'div' | 'span'} name
 * @returns {HTMLElement}
 */
export function createElement(document, name) {
    return Document.prototype.createElement.call(document, name);
}

/** @param {Document | ShadowRoot} root */
function prototypeOf(root) {
    return isDocument(root) ? Document.prototype : ShadowRoot.prototype;
}
