/** The tree as it is drawn: elements together with what stands in their shadow roots, open and closed. */

/** @param {Element} element @returns {ShadowRoot | null} */
export function shadowRootOf(element) {
    if (element.shadowRoot) return element.shadowRoot;
    if (typeof chrome !== 'undefined' && chrome.dom && element instanceof HTMLElement)
        return chrome.dom.openOrClosedShadowRoot(element);
    return element.openOrClosedShadowRoot ?? null;
}

/** @param {Node} node @returns {Element | null} the parent element, or the host of the shadow root */
export function composedParent(node) {
    const parent = node.parentNode;
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
}

/** @param {Node} node @returns {Document | ShadowRoot | null} */
export function ownerRoot(node) {
    const root = node.getRootNode();
    return root instanceof Document || root instanceof ShadowRoot ? root : null;
}

/**
 * Every element under `root`, in the order of the page; an element's shadow tree comes before its children.
 * @param {Element | ShadowRoot | Document} root
 * @returns {Generator<Element>}
 */
export function* descendants(root) {
    if (root instanceof Element) yield* shadowDescendants(root);
    const walker = (root.ownerDocument ?? /** @type {Document} */ (root)).createTreeWalker(
        root,
        NodeFilter.SHOW_ELEMENT,
    );
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
    let element = document.activeElement;
    for (let root = element && shadowRootOf(element); root?.activeElement; root = shadowRootOf(root.activeElement)) {
        element = root.activeElement;
    }
    return element;
}

/**
 * The shadow roots around a node, innermost first.
 * @param {Node} node
 * @returns {ShadowRoot[]}
 */
export function rootsAround(node) {
    /** @type {ShadowRoot[]} */
    const roots = [];
    for (let root = node.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) roots.push(root);
    return roots;
}
