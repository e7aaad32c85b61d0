/**
 * What a content script may ask of the background. It never says where it stands: the background takes the address
 * and the origin from the browser.
 *
 * @typedef {import('./host.js').CredentialField} CredentialField
 * @typedef {{handle: string, fields: CredentialField[]}} PageFill
 * @typedef {{provider: string, fields: CredentialField[]}} PageList
 */
import { credentialFields } from './host.js';
import { list, oneOf, record, ShapeError, text, whole } from './shape.js';

/** The name of the port that a content script opens. */
export const portName = 'keyway-page';

/** @param {unknown} value @throws {ShapeError} */
export function parsePageSuggest(value) {
    record(value, 'suggest', []);
}

/** @param {unknown} value @returns {PageFill} @throws {ShapeError} */
export function parsePageFill(value) {
    const fields = record(value, 'fill', ['handle', 'fields']);
    const wanted = parseFields(fields.fields, 'fill.fields');
    if (wanted.includes('oneTimeCode')) throw new ShapeError('fill.fields: codes come from a list');
    return { handle: text(fields.handle, 'fill.handle', { atLeast: 1, atMost: 1024 }), fields: wanted };
}

/** @param {unknown} value @returns {PageList} @throws {ShapeError} */
export function parsePageList(value) {
    const fields = record(value, 'list', ['provider', 'fields']);
    const wanted = parseFields(fields.fields, 'list.fields');
    return { provider: text(fields.provider, 'list.provider', { atLeast: 1, atMost: 256 }), fields: wanted };
}

/** @param {unknown} value @param {string} place @returns {CredentialField[]} */
function parseFields(value, place) {
    const wanted = list(value, place, credentialFields.length, (element, at) => oneOf(element, at, credentialFields));
    if (wanted.length === 0 || new Set(wanted).size !== wanted.length) {
        throw new ShapeError(`${place}: empty or repeated`);
    }
    if (wanted.includes('oneTimeCode') && wanted.length > 1) throw new ShapeError(`${place}: a code comes alone`);
    return wanted;
}

/** @param {unknown} value @returns {number} the id of the request to cancel @throws {ShapeError} */
export function parseCancel(value) {
    return whole(record(value, 'cancel', ['id']).id, 'cancel.id');
}
