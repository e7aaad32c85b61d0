/** Whether this frame is the page itself, or a part of it that nobody else stands around. */

/**
 * Whether the browser keeps this frame apart from every site: it has no origin, or it is credentialless (Chromium), like
 * all that stands in such a frame. That one has its origin, and nothing of what the origin keeps.
 * @param {Window} window
 */
export function isKeptApart(window) {
    if (window.origin === 'null') return true;
    try {
        /** @type {Window} */
        let at = window;
        while (!isCredentialless(at)) {
            if (at === at.parent) return false;
            at = at.parent;
        }
        return true;
    } catch {
        return false; // Further out stands another origin; of what is in a credentialless frame, each says so itself.
    }
}

/**
 * @param {Window} window
 * @returns {boolean} nothing but `true` counts: in other browsers a page can give a frame that name
 */
function isCredentialless(window) {
    return Reflect.get(window, 'credentialless') === true;
}

/** @param {Window} window */
export function isFrameOfThePage(window) {
    if (isKeptApart(window)) return false;
    try {
        /** @type {Window} */
        let at = window;
        while (at !== at.parent) {
            at = at.parent;
            if (at.origin !== window.origin) return false;
        }
        return true;
    } catch {
        return false; // The browser does not let us look into a frame of another origin.
    }
}

/**
 * How a frame stands in its page, for a request of passkeys: `excluded` where it may not ask us, and the browser says
 * why.
 *
 * @typedef {'sameOrigin' | 'crossOrigin' | 'excluded'} Standing
 * @typedef {{standing: (policy: string) => Standing, isVisible: () => boolean, hasGesture: () => boolean}} Surroundings
 */

/** @param {Window} window @returns {Surroundings} */
export function surroundingsOf(window) {
    const { document } = window;
    // Chromium alone says what a page allows its frames; in Firefox those of other origins are the browser's matter.
    // A page can name elements like properties of its document, so the prototype is asked.
    /** @type {{allowsFeature: (name: string) => boolean} | undefined} */
    const policies = Reflect.get(Document.prototype, 'featurePolicy', document);
    return {
        standing: (policy) => {
            if (!window.isSecureContext || isKeptApart(window)) return 'excluded';
            if (policies && !policies.allowsFeature(policy)) return 'excluded';
            if (isFrameOfThePage(window)) return 'sameOrigin';
            return policies ? 'crossOrigin' : 'excluded';
        },
        isVisible: () => Reflect.get(Document.prototype, 'visibilityState', document) === 'visible',
        hasGesture: () => Reflect.get(Navigator.prototype, 'userActivation', window.navigator)?.isActive === true,
    };
}
