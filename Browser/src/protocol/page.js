/**
 * What a content script may ask of the background. It never says where it stands: the background takes the address
 * and the origin from the browser.
 *
 * @typedef {import('./host.js').CredentialField} CredentialField
 * @typedef {import('./passkeys.js').AssertionRequest} AssertionRequest
 * @typedef {import('./passkeys.js').RegistrationRequest} RegistrationRequest
 * @typedef {{passkeys?: import('./passkeys.js').PasskeyFilter, codes?: true}} PageSuggest
 *     `codes`: one-time codes and nothing else
 * @typedef {{handle: string, fields: CredentialField[]}} PageFill
 * @typedef {{provider: string, fields: CredentialField[], passkey?: AssertionRequest}} PageList
 * @typedef {{handle: string, request: AssertionRequest}} PagePasskey
 */
import { credentialFields } from './host.js';
import { parseAssertionRequest, parsePasskeyFilter, parseRegistrationRequest, parseReport } from './passkeys.js';
import { list, oneOf, record, required, ShapeError, text, truth, whole } from './shape.js';

/** The name of the port that a content script opens for the fields of its page. */
export const portName = 'keyway-page';
/** The name of the port for what the page itself asks: passkeys, and nothing else. */
export const passkeyPortName = 'keyway-passkeys';

/** @param {unknown} value @returns {PageSuggest} @throws {ShapeError} */
export function parsePageSuggest(value) {
    const { passkeys, codes } = record(value, 'suggest', ['passkeys', 'codes']);
    if (codes !== undefined) {
        if (codes !== true || passkeys !== undefined) throw new ShapeError('suggest.codes: codes come alone');
        return { codes: true };
    }
    return passkeys === undefined ? {} : { passkeys: parsePasskeyFilter(passkeys, 'suggest.passkeys') };
}

/** @param {unknown} value @returns {PageFill} @throws {ShapeError} */
export function parsePageFill(value) {
    const fields = record(value, 'fill', ['handle', 'fields']);
    const handle = text(fields.handle, 'fill.handle', { atLeast: 1, atMost: 1024 });
    return { handle, fields: parseFields(fields.fields, 'fill.fields') };
}

/** @param {unknown} value @returns {PageList} @throws {ShapeError} */
export function parsePageList(value) {
    const fields = record(value, 'list', ['provider', 'fields', 'passkey']);
    const provider = text(fields.provider, 'list.provider', { atLeast: 1, atMost: 256 });
    if (fields.passkey === undefined) return { provider, fields: parseFields(fields.fields, 'list.fields') };
    // A field that takes no password may still take a passkey.
    const wanted = parseFields(fields.fields, 'list.fields', 0);
    if (wanted.includes('oneTimeCode')) throw new ShapeError('list.fields: a code comes alone');
    return { provider, fields: wanted, passkey: parseAssertionRequest(fields.passkey, 'list.passkey') };
}

/** @param {unknown} value @returns {PagePasskey} @throws {ShapeError} */
export function parsePagePasskey(value) {
    const fields = required(value, 'passkey', ['handle', 'request']);
    const handle = text(fields.handle, 'passkey.handle', { atLeast: 1, atMost: 1024 });
    return { handle, request: parseAssertionRequest(fields.request) };
}

/** @param {unknown} value @throws {ShapeError} */
export function parsePageSetUp(value) {
    record(value, 'setUp', []);
}

/** @param {unknown} value @throws {ShapeError} */
export function parsePageTexts(value) {
    record(value, 'texts', []);
}

/** @param {unknown} value @returns {{provider: string}} @throws {ShapeError} */
export function parsePageInsert(value) {
    const { provider } = required(value, 'insert', ['provider']);
    return { provider: text(provider, 'insert.provider', { atLeast: 1, atMost: 256 }) };
}

// On the port for passkeys. `isCrossOrigin` is the content script's, which looks at the frames around it; the background
// believes it where it makes the request stricter.

/** @param {unknown} value @throws {ShapeError} */
export function parsePageAvailable(value) {
    record(value, 'available', []);
}

/** @param {unknown} value @returns {{request: AssertionRequest, isCrossOrigin: boolean}} @throws {ShapeError} */
export function parsePageGet(value) {
    const fields = required(value, 'get', ['request', 'isCrossOrigin']);
    return {
        request: parseAssertionRequest(fields.request),
        isCrossOrigin: truth(fields.isCrossOrigin, 'get.isCrossOrigin'),
    };
}

/**
 * @param {unknown} value
 * @returns {{request: RegistrationRequest, isConditional: boolean, isCrossOrigin: boolean}}
 * @throws {ShapeError}
 */
export function parsePageCreate(value) {
    const fields = required(value, 'create', ['request', 'isConditional', 'isCrossOrigin']);
    return {
        request: parseRegistrationRequest(fields.request),
        isConditional: truth(fields.isConditional, 'create.isConditional'),
        isCrossOrigin: truth(fields.isCrossOrigin, 'create.isCrossOrigin'),
    };
}

/** @param {unknown} value @returns {import('./passkeys.js').Report} @throws {ShapeError} */
export function parsePageReport(value) {
    return parseReport(required(value, 'report', ['report']).report);
}

/** @param {unknown} value @param {string} place @param {number} [atLeast] @returns {CredentialField[]} */
function parseFields(value, place, atLeast = 1) {
    const wanted = list(value, place, credentialFields.length, (element, at) => oneOf(element, at, credentialFields));
    if (wanted.length < atLeast || new Set(wanted).size !== wanted.length) {
        throw new ShapeError(`${place}: empty or repeated`);
    }
    if (wanted.includes('oneTimeCode') && wanted.length > 1) throw new ShapeError(`${place}: a code comes alone`);
    return wanted;
}

/** @param {unknown} value @returns {number} the id of the request to cancel @throws {ShapeError} */
export function parseCancel(value) {
    return whole(record(value, 'cancel', ['id']).id, 'cancel.id');
}
