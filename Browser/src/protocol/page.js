/**
 * What a content script may ask of the background. It never says where it stands: the background takes the address
 * and the origin from the browser.
 *
 * @typedef {import('./host.js').CredentialField} CredentialField
 * @typedef {{handle: string, fields: CredentialField[]}} PageFill
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
    const wanted = list(fields.fields, 'fill.fields', credentialFields.length, (element, place) =>
        oneOf(element, place, credentialFields),
    );
    if (wanted.length === 0 || new Set(wanted).size !== wanted.length) {
        throw new ShapeError('fill.fields: empty or repeated');
    }
    return { handle: text(fields.handle, 'fill.handle', { atLeast: 1, atMost: 1024 }), fields: wanted };
}

/** @param {unknown} value @returns {number} the id of the request to cancel @throws {ShapeError} */
export function parseCancel(value) {
    return whole(record(value, 'cancel', ['id']).id, 'cancel.id');
}
