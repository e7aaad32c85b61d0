/**
 * Who asks, as the browser tells it. The page and the content script are never asked who they are.
 *
 * @typedef {{url: string, private: boolean}} Requester `url` is the origin and the path of the frame
 * @typedef {Requester & {top?: string}} FramedRequester `top`: the page's origin, around a frame of another one
 */
import { AutoFillError } from '../protocol/errors.js';

/**
 * @param {chrome.MessageSender} sender
 * @returns {Requester}
 * @throws {AutoFillError} `refused` for an opaque origin, another scheme, and a frame of another origin than the page
 */
export function requesterOf(sender) {
    const origin = webOrigin(sender.origin);
    if (!origin) throw new AutoFillError('refused', 'the frame has no web origin');
    if (sender.frameId !== 0 && webOrigin(sender.tab?.url) !== origin) {
        throw new AutoFillError('refused', 'the frame is of another origin than the page');
    }
    return named(sender, origin);
}

/**
 * Who asks for a passkey: a frame of another origin may, where the page lets it; its request says where it stands.
 *
 * @param {chrome.MessageSender} sender
 * @param {boolean} isCrossOrigin what the content script saw around itself: a stranger between two frames of one origin
 *     is not seen from here
 * @returns {FramedRequester}
 * @throws {AutoFillError} `refused` for an opaque origin and for another scheme, of the frame or of the page
 */
export function passkeyRequesterOf(sender, isCrossOrigin) {
    const origin = webOrigin(sender.origin);
    const isTop = sender.frameId === 0;
    const top = isTop ? origin : webOrigin(sender.tab?.url);
    if (!origin || !top) throw new AutoFillError('refused', 'the frame has no web origin');
    const requester = named(sender, origin);
    return !isTop && (isCrossOrigin || top !== origin) ? { ...requester, top } : requester;
}

/**
 * Who is filled by a choice in the extension's own window, where the person read the names: also a frame of another
 * origin than the page.
 *
 * @param {chrome.MessageSender} sender
 * @returns {{requester: Requester, isForeign: boolean}}
 * @throws {AutoFillError} `refused` for an opaque origin and for another scheme
 */
export function chosenRequesterOf(sender) {
    const origin = webOrigin(sender.origin);
    if (!origin) throw new AutoFillError('refused', 'the frame has no web origin');
    const isForeign = sender.frameId !== 0 && webOrigin(sender.tab?.url) !== origin;
    return { requester: named(sender, origin), isForeign };
}

/**
 * @param {Pick<chrome.Tab, 'url' | 'incognito'>} tab
 * @returns {Requester | undefined} nothing where it shows no page of the web
 */
export function pageOfTab(tab) {
    const origin = webOrigin(tab.url);
    return origin === undefined ? undefined : { url: origin + pathOf(tab.url, origin), private: tab.incognito };
}

/**
 * Whether a frame stands in the page that a tab showed when it was looked at, and not in the next one.
 * @param {chrome.MessageSender} sender
 * @param {chrome.Tab} tab
 */
export function isOfPage(sender, tab) {
    return webOrigin(sender.tab?.url) === webOrigin(tab.url);
}

/**
 * Whether one of the extension's own pages speaks, and not a content script.
 * @param {chrome.MessageSender} sender
 * @param {string} home the extension's own address, with a slash at its end
 */
export function isOwnPage(sender, home) {
    const isHere = sender.url?.startsWith(home) === true;
    return isHere && (sender.origin === undefined || `${sender.origin}/` === home);
}

/** @param {chrome.MessageSender} sender @param {string} origin @returns {Requester} */
function named(sender, origin) {
    return { url: origin + pathOf(sender.url, origin), private: sender.tab?.incognito === true };
}

/**
 * @param {string | undefined} address an origin or a whole address
 * @returns {string | undefined} nothing for an opaque origin (`null`) and for schemes other than http and https
 */
function webOrigin(address) {
    const url = parse(address);
    return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.origin : undefined;
}

/**
 * The address of an `about:srcdoc` or `blob:` frame is not that of the document it inherits its origin from.
 * @param {string | undefined} address
 * @param {string} origin
 */
function pathOf(address, origin) {
    return webOrigin(address) === origin ? (parse(address)?.pathname ?? '/') : '/';
}

/** @param {string | undefined} address */
function parse(address) {
    try {
        return new URL(address ?? '');
    } catch {
        return undefined;
    }
}
