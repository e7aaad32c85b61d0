/**
 * JSON-RPC 2.0 envelopes, both directions. What the methods carry is parsed elsewhere (`host.js`, `page.js`).
 *
 * @typedef {{jsonrpc: '2.0', id: number, method: string, params: object}} RequestMessage
 * @typedef {{jsonrpc: '2.0', method: string, params: object}} NotificationMessage
 * @typedef {{jsonrpc: '2.0', id: number, result: unknown}} ResultMessage
 * @typedef {{jsonrpc: '2.0', id: number, error: {code: number, message: string, data: {kind: string}}}} ErrorMessage
 *
 * @typedef {{type: 'request', id: number, method: string, params: unknown}} IncomingRequest
 * @typedef {{type: 'notification', method: string, params: unknown}} IncomingNotification
 * @typedef {{type: 'result', id: number, result: unknown}} IncomingResult
 * @typedef {{type: 'error', id: number | null, error: import('./errors.js').AutoFillError}} IncomingError
 * @typedef {IncomingRequest | IncomingNotification | IncomingResult | IncomingError} Incoming
 */
import { AutoFillError, kindOf } from './errors.js';
import { record, ShapeError, text, whole } from './shape.js';

/** The code of every error that this side answers with; `data.kind` tells them apart. */
const serverError = -32000;

/** @param {number} id @param {string} method @param {object} params @returns {RequestMessage} */
export function request(id, method, params) {
    return { jsonrpc: '2.0', id, method, params };
}

/** @param {string} method @param {object} params @returns {NotificationMessage} */
export function notification(method, params) {
    return { jsonrpc: '2.0', method, params };
}

/** @param {number} id @param {unknown} value @returns {ResultMessage} */
export function success(id, value) {
    return { jsonrpc: '2.0', id, result: value };
}

/** @param {number} id @param {unknown} error @returns {ErrorMessage} */
export function failure(id, error) {
    const kind = kindOf(error);
    const message = error instanceof AutoFillError ? error.message : kind;
    return { jsonrpc: '2.0', id, error: { code: serverError, message, data: { kind } } };
}

/**
 * @param {unknown} message
 * @returns {Incoming}
 * @throws {ShapeError} on anything that is no JSON-RPC 2.0 request, notification or response
 */
export function parseIncoming(message) {
    const fields = record(message, 'message', ['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
    if (fields.jsonrpc !== '2.0') throw new ShapeError('message: not JSON-RPC 2.0');
    if ('method' in fields) return parseCall(fields);
    if ('params' in fields) throw new ShapeError('message: parameters without a method');
    if ('result' in fields === 'error' in fields) throw new ShapeError('message: neither result nor error, or both');
    if ('error' in fields) return parseError(fields);
    return { type: 'result', id: whole(fields.id, 'id'), result: fields.result };
}

/** @param {Record<string, unknown>} fields @returns {IncomingRequest | IncomingNotification} */
function parseCall(fields) {
    if ('result' in fields || 'error' in fields) throw new ShapeError('message: a call with an answer');
    const method = text(fields.method, 'method', { atLeast: 1, atMost: 64 });
    if (!('id' in fields)) return { type: 'notification', method, params: fields.params };
    return { type: 'request', id: whole(fields.id, 'id'), method, params: fields.params };
}

/** @param {Record<string, unknown>} fields @returns {IncomingError} */
function parseError(fields) {
    const id = fields.id === null ? null : whole(fields.id, 'id');
    const error = record(fields.error, 'error', ['code', 'message', 'data']);
    if (!Number.isSafeInteger(error.code)) throw new ShapeError('error.code: not a whole number');
    const message = text(error.message, 'error.message');
    const data = error.data === undefined ? {} : record(error.data, 'error.data', ['kind']);
    const kind = data.kind === undefined ? 'invalid' : text(data.kind, 'error.data.kind', { atMost: 64 });
    return { type: 'error', id, error: new AutoFillError(kind, message) };
}
