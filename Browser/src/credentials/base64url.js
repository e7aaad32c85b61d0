/** Base64url without padding, both ways. */
import { apply, atob, btoa, bufferOf, fromCharCode, isView, lengthOf, offsetOf } from './natives.js';

const { charCodeAt, replace } = String.prototype;
const Bytes = Uint8Array;

/** @param {BufferSource} source as it is now; one that was given away has no bytes */
export function textOf(source) {
    const length = lengthOf(source);
    if (length === 0) return '';
    const bytes = isView(source) ? new Bytes(bufferOf(source), offsetOf(source), length) : new Bytes(source);
    let binary = '';
    for (let at = 0; at < length; at += 1) binary += fromCharCode(bytes[at]);
    return apply(replace, apply(replace, apply(replace, btoa(binary), [/\+/g, '-']), [/\//g, '_']), [/=+$/, '']);
}

/** @param {string} text base64url @returns {ArrayBuffer} */
export function bufferFrom(text) {
    const binary = atob(apply(replace, apply(replace, text, [/-/g, '+']), [/_/g, '/']));
    const bytes = new Bytes(binary.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = apply(charCodeAt, binary, [at]);
    return bufferOf(bytes);
}
