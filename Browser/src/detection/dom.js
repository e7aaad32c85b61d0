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
 * @returns {Node | null}
 */
export function nextSiblingOf(node) {
    return Reflect.get(Node.prototype, 'nextSibling', node);
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
 * @param {Element} element
 * @returns {number} how many elements are under it
 */
export function countAll(element) {
    return Element.prototype.querySelectorAll.call(element, '*').length;
}

/**
 * @param {Element} container
 * @param {Element} element
 * @param {number} reach
 * @returns {Element[]} the elements under the container from `reach` before the element to as many after it; none where
 *     it stands in a shadow tree
 */
export function elementsAround(container, element, reach) {
    const all = Element.prototype.querySelectorAll.call(container, '*');
    let [from, to] = [0, all.length];
    while (from < to) {
        const middle = (from + to) >> 1;
        const order = Node.prototype.compareDocumentPosition.call(all[middle], element);
        if (order & Node.DOCUMENT_POSITION_FOLLOWING) from = middle + 1;
        else to = middle;
    }
    if (all[from] !== element) return [];
    const around = [];
    for (let at = Math.max(0, from - reach); at < Math.min(all.length, from + reach); at += 1) around.push(all[at]);
    return around;
}

/**
 * @param {Element} element
 * @returns {boolean} whether so many elements stand in it, side by side, that it is no part of one field
 */
export function isWide(element) {
    return Reflect.get(Element.prototype, 'childElementCount', element) > 30;
}

/**
 * @param {Element} element
 * @returns {boolean} whether its style draws dots for what is typed, as fields of type password do by themselves
 */
export function isMasked(element) {
    const inline = attributeOf(element, 'style');
    if (/-webkit-text-security\s*:\s*(?!none)/i.test(inline)) return true;
    const style = ownerDocumentOf(element).defaultView?.getComputedStyle(element);
    const drawn = style?.getPropertyValue('-webkit-text-security') ?? '';
    return drawn !== '' && drawn !== 'none';
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

/** What stands in these is no text that anybody reads. */
const unread = new Set(['script', 'style', 'template', 'noscript', 'option', 'textarea']);

/**
 * @param {Node} root
 * @returns {Generator<string>} the pieces of text under it, or itself, that are there to be read
 */
export function* textsUnder(root) {
    for (let node = /** @type {Node | null} */ (root); node; node = nodeAfter(node, root)) {
        if (typeOf(node) === Node.TEXT_NODE) yield textOf(node);
    }
}

/**
 * @param {Node} node
 * @param {Node} root
 * @returns {Node | null} the next one of the tree under `root` in the order of the page, without what is not read
 */
function nodeAfter(node, root) {
    const isUnread = isElement(node) && unread.has(nameOf(node));
    const child = isUnread ? null : Reflect.get(Node.prototype, 'firstChild', node);
    if (child) return child;
    for (let at = /** @type {Node | null} */ (node); at && at !== root; at = parentNodeOf(at)) {
        const next = nextSiblingOf(at);
        if (next) return next;
    }
    return null;
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
