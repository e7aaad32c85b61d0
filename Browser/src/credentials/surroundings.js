/** What a browser looks at beside the options. */
import { apply, getOwnPropertyDescriptor, getter } from './natives.js';

const { PublicKeyCredential, URL, location, navigator } = globalThis;
const { lastIndexOf, slice } = String.prototype;
const originOf = getter(URL.prototype, 'origin');
const protocolOf = getter(URL.prototype, 'protocol');
const hostOf = getter(URL.prototype, 'hostname');
const parseRequest = PublicKeyCredential && Reflect.get(PublicKeyCredential, 'parseRequestOptionsFromJSON');
const activation = navigator && getOwnPropertyDescriptor(Object.getPrototypeOf(navigator), 'userActivation')?.get;

/** Where Google's sites keep the list of their facets. */
const gstatic = 'https://www.gstatic.com';

/** @type {Record<string, unknown> | undefined} the extensions of a request that asks for none */
let filledIn;

/**
 * Whether this browser itself says `false` for an input that a page left out, where it makes options of JSON: then a
 * `false` asks for nothing, and else it is there.
 * @param {string} name
 */
export function fillsIn(name) {
    try {
        filledIn ??= apply(parseRequest, PublicKeyCredential, [{ challenge: '', extensions: {} }]).extensions ?? {};
        return name in /** @type {object} */ (filledIn);
    } catch {
        return true;
    }
}

/** Whether the person did something in this page a moment ago. */
export function hasGesture() {
    return activation !== undefined && apply(activation, navigator, []).isActive === true;
}

/**
 * @param {string} appid of the predecessor of WebAuthn
 * @returns {boolean} whether this page may well use it; a browser alone knows which domains are nobody's own
 */
export function isFacet(appid) {
    if (location?.protocol !== 'https:') return false;
    if (appid === '') return true;
    try {
        const url = new URL(appid);
        const site = siteOf(location.hostname);
        if (apply(originOf, url, []) === gstatic) return site === 'google.com';
        return apply(protocolOf, url, []) === 'https:' && siteOf(apply(hostOf, url, [])) === site;
    } catch {
        return false;
    }
}

/** @param {string} host its last two labels */
function siteOf(host) {
    const last = apply(lastIndexOf, host, ['.']);
    return apply(slice, host, [apply(lastIndexOf, host, ['.', last - 1]) + 1]);
}
