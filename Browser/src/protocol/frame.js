/**
 * What the background asks of the frames of a tab while the person looks at the extension's own window: which fields
 * they have, and to fill what was chosen there. The frames are called with a message that says nothing; each opens a
 * port, and so says nothing of itself that the browser does not say.
 *
 * @typedef {import('./host.js').CredentialField} CredentialField
 * @typedef {import('./host.js').FillResult} FillResult
 * @typedef {import('../fill/destination.js').Destination} Destination
 * @typedef {'page' | 'foreign' | 'opaque'} Standing the page itself or one with it; a frame of another origin, or
 *     inside one; a frame that the browser keeps apart from every site
 * @typedef {'none' | 'hidden' | 'shown'} FormState whether there is a field that takes an account, and is seen
 * @typedef {object} FrameReport
 * @property {Standing} standing
 * @property {FormState} form
 * @property {CredentialField[]} fields what can be filled
 * @property {boolean} isFocused whether it is the field that the person was in
 * @property {number} frames how many frames there are below
 * @property {Destination} [destination] where the form sends, if not home
 */
import { credentialFields } from './host.js';
import { list, oneOf, record, required, text, truth, whole } from './shape.js';

/** The name of the port that a frame opens when it is called. */
export const framePortName = 'keyway-frame';

/** Calls every frame of a tab. */
export const lookMessage = 'keyway.look';
/** Tells every frame of a tab that the person wants the menu at the field that they are in. */
export const menuMessage = 'keyway.menu';

/** @param {unknown} value @returns {FrameReport} @throws {import('./shape.js').ShapeError} */
export function parseFrameReport(value) {
    const needed = ['standing', 'form', 'fields', 'isFocused', 'frames'];
    const fields = required(value, 'look', needed, ['destination']);
    /** @type {FrameReport} */
    const report = {
        standing: oneOf(fields.standing, 'look.standing', /** @type {const} */ (['page', 'foreign', 'opaque'])),
        form: oneOf(fields.form, 'look.form', /** @type {const} */ (['none', 'hidden', 'shown'])),
        fields: parseFields(fields.fields, 'look.fields'),
        isFocused: truth(fields.isFocused, 'look.isFocused'),
        frames: whole(fields.frames, 'look.frames'),
    };
    if (fields.destination !== undefined) {
        const { host, isEncrypted } = required(fields.destination, 'look.destination', ['host', 'isEncrypted']);
        report.destination = {
            host: text(host, 'look.destination.host', { atMost: 1024 }),
            isEncrypted: truth(isEncrypted, 'look.destination.isEncrypted'),
        };
    }
    return report;
}

/** @param {unknown} value @returns {FillResult} @throws {import('./shape.js').ShapeError} */
export function parsePut(value) {
    const { values } = required(value, 'put', ['values']);
    const fields = record(values, 'put.values', ['user', 'password', 'code']);
    /** @type {FillResult} */
    const result = {};
    if (fields.user !== undefined) result.user = text(fields.user, 'put.values.user');
    if (fields.password !== undefined) result.password = text(fields.password, 'put.values.password', { atMost: 65536 });
    if (fields.code !== undefined) result.code = text(fields.code, 'put.values.code', { atMost: 1024 });
    return result;
}

/** @param {unknown} value @returns {CredentialField[]} what was filled @throws {import('./shape.js').ShapeError} */
export function parsePutResult(value) {
    return parseFields(required(value, 'put', ['filled']).filled, 'put.filled');
}

/** @param {unknown} value @param {string} place @returns {CredentialField[]} */
function parseFields(value, place) {
    return list(value, place, credentialFields.length, (element, at) => oneOf(element, at, credentialFields));
}
