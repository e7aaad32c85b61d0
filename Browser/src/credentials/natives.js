/**
 * What this world is made of, as it was when the page had not begun: a page that replaces functions later makes its own
 * requests fail, and reaches nothing of ours.
 */
const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
const { create, entries, keys } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { fromCharCode } = String;
const { stringify, parse } = JSON;
const { btoa, atob, setTimeout, clearTimeout, queueMicrotask } = globalThis;
const byteLengthOf = getter(ArrayBuffer.prototype, 'byteLength');
const viewBuffer = getter(Object.getPrototypeOf(Uint8Array.prototype), 'buffer');

export {
    apply,
    atob,
    btoa,
    clearTimeout,
    construct,
    create,
    defineProperty,
    entries,
    fromCharCode,
    getOwnPropertyDescriptor,
    isArray,
    isView,
    keys,
    parse,
    queueMicrotask,
    setTimeout,
    stringify,
};

/** @param {object} prototype @param {string} name @returns {Function} */
export function getter(prototype, name) {
    const found = getOwnPropertyDescriptor(prototype, name)?.get;
    if (!found) throw new TypeError(`no getter: ${name}`);
    return found;
}

/** @param {unknown} value @returns {value is ArrayBuffer} of whichever realm */
export function isBuffer(value) {
    try {
        apply(byteLengthOf, value, []);
        return true;
    } catch {
        return false;
    }
}

/** @param {Uint8Array} view @returns {ArrayBuffer} */
export function bufferOf(view) {
    return apply(viewBuffer, view, []);
}
