/**
 * Checks for values that came from outside: each returns the value with its type, or throws.
 * Messages name the place and never the content.
 */

/** A message that is not what the protocol says. */
export class ShapeError extends TypeError {
    name = 'ShapeError';
}

/**
 * @param {unknown} value
 * @param {string} place
 * @param {readonly string[]} known every field that may stand there
 * @returns {Record<string, unknown>}
 * @throws {ShapeError} on anything but a plain object, and on an unknown field
 */
export function record(value, place, known) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new ShapeError(`${place}: not an object`);
    }
    for (const name of Object.keys(value)) {
        if (!known.includes(name)) throw new ShapeError(`${place}: unknown field`);
    }
    return /** @type {Record<string, unknown>} */ (value);
}

/**
 * @param {unknown} value
 * @param {string} place
 * @param {{atMost?: number, atLeast?: number}} [limits] in UTF-16 code units
 * @returns {string}
 */
export function text(value, place, limits = {}) {
    const { atMost = 4096, atLeast = 0 } = limits;
    if (typeof value !== 'string') throw new ShapeError(`${place}: not a string`);
    if (value.length > atMost || value.length < atLeast) throw new ShapeError(`${place}: length out of bounds`);
    return value;
}

/**
 * @param {unknown} value
 * @param {string} place
 * @returns {number} a whole number from 0
 */
export function whole(value, place) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
        throw new ShapeError(`${place}: not a whole number`);
    }
    return value;
}

/**
 * @template T
 * @param {unknown} value
 * @param {string} place
 * @param {number} atMost
 * @param {(element: unknown, place: string) => T} parse
 * @returns {T[]}
 */
export function list(value, place, atMost, parse) {
    if (!Array.isArray(value)) throw new ShapeError(`${place}: not a list`);
    if (value.length > atMost) throw new ShapeError(`${place}: too long`);
    return Array.from(value, (element, index) => parse(element, `${place}[${index}]`));
}

/**
 * @template {string} T
 * @param {unknown} value
 * @param {string} place
 * @param {readonly T[]} choices
 * @returns {T}
 */
export function oneOf(value, place, choices) {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new ShapeError(`${place}: not one of the choices`);
    return found;
}

/**
 * @param {unknown} value
 * @param {string} place
 * @param {readonly string[]} needed every field that must stand there
 * @param {readonly string[]} [further] every other one that may
 * @returns {Record<string, unknown>}
 */
export function required(value, place, needed, further = []) {
    const fields = record(value, place, [...needed, ...further]);
    for (const name of needed) {
        if (fields[name] === undefined) throw new ShapeError(`${place}: a field is missing`);
    }
    return fields;
}

/** @param {unknown} value @param {string} place @returns {boolean} */
export function truth(value, place) {
    if (typeof value !== 'boolean') throw new ShapeError(`${place}: not true or false`);
    return value;
}

const base64url = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$/;

/**
 * @param {unknown} value
 * @param {string} place
 * @param {{atMost: number, atLeast?: number}} limits in bytes
 * @returns {string} base64url without padding
 */
export function bytes(value, place, { atMost, atLeast = 0 }) {
    const characters = text(value, place, { atMost: Math.ceil((atMost * 4) / 3) });
    const isText = base64url.test(characters);
    if (!isText || Math.floor((characters.length * 3) / 4) < atLeast) throw new ShapeError(`${place}: no such bytes`);
    return characters;
}
