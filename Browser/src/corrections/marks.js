/**
 * What a field is known again by when its page is loaded anew: a number made from what the page's author calls it and
 * what stands at it, never from what is typed. Two fields that look alike are told apart by their order.
 *
 * @typedef {import('../detection/facts.js').FormDescription} FormDescription
 */

/** Labels may go on with the last error; their beginning stays. */
const labelLimit = 60;
/** FNV-1a, 64 bits (draft-eastlake-fnv). */
const offset = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** @param {FormDescription} form @returns {string[]} the mark of each field, in their order */
export function marksOf(form) {
    const name = steady(form.names);
    /** @type {Map<string, number>} */
    const seen = new Map();
    return form.fields.map(({ type, names, labels }) => {
        const look = [name, type === 'password', steady(names), steady(labels).slice(0, labelLimit)].join('\n');
        const order = seen.get(look) ?? 0;
        seen.set(look, order + 1);
        return digest(`${look}\n${order}`);
    });
}

/**
 * Without numbers: generated names count on from one load to the next.
 * @param {string} text normalised
 */
function steady(text) {
    return text.replace(/\p{N}+/gu, '#');
}

/** @param {string} text @returns {string} 16 hexadecimal digits */
function digest(text) {
    let hash = offset;
    for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
    return hash.toString(16).padStart(16, '0');
}
