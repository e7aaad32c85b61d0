/** What the window that a server's sign-in by HTTP opens asks of the background. */
import { required, text } from './shape.js';

/** The name of the port that the window opens. */
export const basicPortName = 'keyway-basic';

/**
 * @typedef {import('./host.js').SuggestResult & {
 *     host: string,
 *     realm: string,
 *     isEncrypted: boolean,
 *     isPrivate: boolean,
 *     isAgain: boolean,
 * }} BasicLook `isAgain`: what was chosen before was wrong
 */

/** @param {unknown} value @returns {{question: string}} @throws {import('./shape.js').ShapeError} */
export function parseBasicLook(value) {
    return { question: text(required(value, 'look', ['question']).question, 'look.question', { atMost: 64 }) };
}

/** @param {unknown} value @returns {{handle: string}} @throws {import('./shape.js').ShapeError} */
export function parseBasicFill(value) {
    const { handle } = required(value, 'fill', ['handle']);
    return { handle: text(handle, 'fill.handle', { atLeast: 1, atMost: 1024 }) };
}

/** @param {unknown} value @returns {{provider: string}} @throws {import('./shape.js').ShapeError} */
export function parseBasicList(value) {
    const { provider } = required(value, 'list', ['provider']);
    return { provider: text(provider, 'list.provider', { atLeast: 1, atMost: 256 }) };
}
