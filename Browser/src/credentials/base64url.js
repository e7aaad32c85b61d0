/** Base64url without padding, both ways. */
import { apply, atob, btoa, bufferOf, fromCharCode, isBuffer, isView } from './natives.js';

const { charCodeAt, replace } = String.prototype;
const Bytes = Uint8Array;

/**
 * @param {unknown} source
 * @returns {string | undefined} nothing for what is no ArrayBuffer and no view of one
 */
export function textOf(source) {
    const bytes = bytesIn(source);
    if (!bytes) return undefined;
    let binary = '';
    for (let at = 0; at < bytes.length; at += 1) binary += fromCharCode(bytes[at]);
    return apply(replace, apply(replace, apply(replace, btoa(binary), [/\+/g, '-']), [/\//g, '_']), [/=+$/, '']);
}

/** @param {string} text base64url @returns {ArrayBuffer} */
export function bufferFrom(text) {
    const binary = atob(apply(replace, apply(replace, text, [/-/g, '+']), [/_/g, '/']));
    const bytes = new Bytes(binary.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = apply(charCodeAt, binary, [at]);
    return bufferOf(bytes);
}

/** @param {unknown} source @returns {Uint8Array | undefined} */
function bytesIn(source) {
    if (isView(source)) return new Bytes(source.buffer, source.byteOffset, source.byteLength);
    return isBuffer(source) ? new Bytes(source) : undefined;
}
