/**
 * What this world is made of, as it was when the page had not begun: a page that replaces functions later makes its own
 * requests fail, and reaches nothing of ours.
 */
const { apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { create, entries, keys } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { fromCharCode } = String;
const { stringify, parse } = JSON;
const { btoa, atob, setTimeout, clearTimeout, queueMicrotask } = globalThis;
const byteLengthOf = getter(ArrayBuffer.prototype, 'byteLength');
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);

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
    ownKeys,
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

/** What the page calls these properties of its own objects does not count. */
export const bufferOf = /** @type {(view: ArrayBufferView) => ArrayBuffer} */ (ofView('buffer'));
export const offsetOf = /** @type {(view: ArrayBufferView) => number} */ (ofView('byteOffset'));
const viewLengthOf = /** @type {(view: ArrayBufferView) => number} */ (ofView('byteLength'));

/** @param {BufferSource} source none is left where the buffer was given away; the language has no length for some of these */
export function lengthOf(source) {
    if (!isView(source)) return apply(byteLengthOf, source, []);
    try {
        return viewLengthOf(source);
    } catch {
        return 0;
    }
}

/** @param {'buffer' | 'byteOffset' | 'byteLength'} name @returns {(view: ArrayBufferView) => unknown} */
function ofView(name) {
    const ofArray = getter(TypedArrayPrototype, name);
    const ofDataView = getter(DataView.prototype, name);
    return (view) => {
        try {
            return apply(ofArray, view, []);
        } catch {
            return apply(ofDataView, view, []);
        }
    };
}
