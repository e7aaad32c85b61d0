/**
 * What the extension's own window and its page of options ask of the background. Both are pages of the extension, at an
 * address of its own, so only their questions are looked at closely.
 *
 * @typedef {import('./host.js').ListKind} ListKind
 * @typedef {import('./host.js').ListedProvider} ListedProvider
 * @typedef {import('./host.js').ProviderState} ProviderState
 * @typedef {import('./host.js').Suggestion} Suggestion
 * @typedef {import('./frame.js').FrameReport} FrameReport
 * @typedef {FrameReport & {number: number, host: string, suggestions: Suggestion[], more: number}} ShownFrame
 *     `number` is good for this look alone; `host` is empty for a frame without an origin
 * @typedef {{host: string, isEncrypted: boolean, isPrivate: boolean}} ShownPage
 * @typedef {ListedProvider & {state?: ProviderState}} ShownProvider
 * @typedef {object} Look
 * @property {ShownPage} [page] missing where the tab shows no page of the web
 * @property {boolean} isOff whether the person turned Keyway off there
 * @property {{kind: string, message: string}} [trouble] what stands between this browser and the accounts
 * @property {ShownProvider[]} providers
 * @property {ShownFrame[]} frames the page itself first; none where nobody answered
 */
import { credentialFields } from './host.js';
import { required, text, truth, whole } from './shape.js';

/** The name of the port that the window opens. */
export const popupPortName = 'keyway-popup';

/** @param {unknown} value @returns {{tab: number}} @throws {import('./shape.js').ShapeError} */
export function parsePopupLook(value) {
    return { tab: whole(required(value, 'look', ['tab']).tab, 'look.tab') };
}

/** @param {unknown} value @returns {{frame: number, handle: string}} @throws {import('./shape.js').ShapeError} */
export function parsePopupFill(value) {
    const { frame, handle } = required(value, 'fill', ['frame', 'handle']);
    return {
        frame: whole(frame, 'fill.frame'),
        handle: text(handle, 'fill.handle', { atLeast: 1, atMost: 1024 }),
    };
}

/**
 * @param {unknown} value
 * @returns {{frame: number, provider: string}}
 * @throws {import('./shape.js').ShapeError}
 */
export function parsePopupList(value) {
    const { frame, provider } = required(value, 'list', ['frame', 'provider']);
    return {
        frame: whole(frame, 'list.frame'),
        provider: text(provider, 'list.provider', { atLeast: 1, atMost: 256 }),
    };
}

/** @param {unknown} value of `lock` and `unlock` @returns {{provider: string}} @throws {import('./shape.js').ShapeError} */
export function parsePopupLock(value) {
    const { provider } = required(value, 'lock', ['provider']);
    return { provider: text(provider, 'lock.provider', { atLeast: 1, atMost: 256 }) };
}

/** @param {unknown} value @returns {{host: string, isOff: boolean}} @throws {import('./shape.js').ShapeError} */
export function parseTurn(value) {
    const { host, isOff } = required(value, 'turn', ['host', 'isOff']);
    return { host: text(host, 'turn.host', { atLeast: 1, atMost: 255 }), isOff: truth(isOff, 'turn.isOff') };
}

/** @type {Record<string, string[]>} */
const takenOf = { password: ['username', 'password'], oneTimeCode: ['oneTimeCode'] };

/**
 * What a frame's field takes of an account of some kind.
 * @param {string} kind of a suggestion or of a list
 * @param {readonly string[]} fields
 */
export function fieldsFor(kind, fields) {
    const wanted = takenOf[kind] ?? [];
    return credentialFields.filter((field) => wanted.includes(field) && fields.includes(field));
}

/** @param {readonly import('./host.js').CredentialField[]} fields @returns {'password' | 'oneTimeCode'} of the list */
export function kindFor(fields) {
    return fields.includes('oneTimeCode') ? 'oneTimeCode' : 'password';
}
