/**
 * What a page gives, converted as the browser's own functions convert it (Web IDL, section 3.2): each member is read
 * once, those of the inherited dictionary first and then by name, and whatever the page throws there comes through.
 *
 * A value that is not of its type is not refused here: the browser is shown what was read and says so itself, in its own
 * words. It is shown that in every case, so that the page's code runs once, whoever answers in the end.
 *
 * @typedef {Map<object, Record<string, true>>} Names of the members that were read, by their dictionary
 */
import { apply, bufferOf, create, defineProperty, getOwnPropertyDescriptor, getter, isBuffer, isView, ownKeys } from './natives.js';

const { Object, Proxy, Symbol, TypeError } = globalThis;
const { get, set } = Map.prototype;
const { push } = Array.prototype;
const { iterator } = Symbol;
const isAborted = getter(AbortSignal.prototype, 'aborted');
const isResizable = getOwnPropertyDescriptor(ArrayBuffer.prototype, 'resizable')?.get;

/** Thrown for a value that is not of its type; `shown` is what the browser is to see in its place. */
export class Refusal extends Error {
    /** @param {unknown} shown */
    constructor(shown) {
        super('not of its type');
        this.shown = shown;
    }
}

/**
 * A type of Web IDL.
 * @typedef {object} Type
 * @property {(value: any) => any} convert throws a `Refusal`, or what the language or the page's code throws
 * @property {(read: Names, isRequired?: boolean) => unknown} sample a value of the type that notes the members that are
 *     read of it; one that has none only where there has to be a value
 * @property {(read: Names) => Type} narrowed the type with the members that were read, or are ours
 */

/**
 * @param {(value: any) => any} convert
 * @param {unknown} [sample] needed where a member of the type is required
 * @returns {Type}
 */
function simple(convert, sample) {
    /** @type {Type} */
    const type = { convert, sample: (_, isRequired) => (isRequired ? sample : undefined), narrowed: () => type };
    return type;
}

/** What we do not look into; the browser converts it. */
export const any = simple((value) => value);

/** `boolean` */
export const boolean = simple((value) => !!value);

/** `DOMString` */
export const text = simple((value) => `${value}`, '');

/** `long` */
export const long = simple((value) => value | 0, 0);

/** `unsigned long`, without `[EnforceRange]` or `[Clamp]` */
export const unsignedLong = simple((value) => value >>> 0);

/**
 * `AbortSignal` of whichever window; a function that is given the sample does nothing.
 * @type {Type}
 */
export const signal = {
    convert(value) {
        try {
            apply(isAborted, value, []);
        } catch {
            throw new Refusal(value);
        }
        return value;
    },
    sample: abortedSignal,
    narrowed: () => signal,
};

/** `BufferSource`, without `[AllowShared]` or `[AllowResizable]`; the bytes are copied when everything was read. */
export const bufferSource = simple((value) => {
    const buffer = isView(value) ? bufferOf(value) : value;
    if (!isBuffer(buffer) || (isResizable && apply(isResizable, buffer, []))) throw new Refusal(value);
    return value;
}, new Uint8Array(1));

function abortedSignal() {
    const controller = new AbortController();
    controller.abort();
    return controller.signal;
}

/**
 * An enumeration.
 * @param {readonly string[]} words
 */
export function oneOf(words) {
    return simple((value) => {
        const word = `${value}`;
        for (let at = 0; at < words.length; at += 1) if (words[at] === word) return word;
        throw new Refusal(word);
    });
}

/**
 * `sequence<T>`
 * @param {Type} element
 * @returns {Type}
 */
export function sequence(element) {
    return {
        convert(value) {
            const method = isObject(value) ? value[iterator] : undefined;
            if (method === undefined || method === null) throw new Refusal(value);
            const steps = apply(method, value, []);
            if (!isObject(steps)) throw new TypeError('The iterator is no object.');
            const { next } = steps;
            /** @type {unknown[]} */
            const found = [];
            for (;;) {
                const step = apply(next, steps, []);
                if (!isObject(step)) throw new TypeError('The step of an iterator is no object.');
                if (step.done) return found;
                const { value: each } = step;
                const converted = shownWithin(element, each, (shown) => {
                    apply(push, found, [shown]);
                    return found;
                });
                apply(push, found, [converted]);
            }
        },
        sample(read, isRequired) {
            const one = element.sample(read, isRequired);
            return one === undefined ? undefined : [one];
        },
        narrowed: (read) => sequence(element.narrowed(read)),
    };
}

/**
 * `record<DOMString, T>`
 * @param {Type} element
 * @returns {Type}
 */
export function record(element) {
    return {
        convert(value) {
            if (!isObject(value)) throw new Refusal(value);
            const found = create(null);
            const names = ownKeys(value);
            for (let at = 0; at < names.length; at += 1) {
                if (!getOwnPropertyDescriptor(value, names[at])?.enumerable) continue;
                // There is no text for a symbol, here as there.
                const name = `${/** @type {string} */ (names[at])}`;
                found[name] = shownWithin(element, value[name], (shown) => {
                    found[name] = shown;
                    return found;
                });
            }
            return found;
        },
        sample: () => undefined,
        narrowed: (read) => record(element.narrowed(read)),
    };
}

/**
 * A member of a dictionary: its type, whether it has to be there, and whether it is the browser's alone: then it is not
 * read where the browser does not know it, so that the page's code runs as often as without us.
 * @typedef {{type: Type, isRequired?: true, isForeign?: true}} Member
 */

/** @param {Type} type @returns {Member} */
export const required = (type) => ({ type, isRequired: true });

/** @param {Type} type @returns {Member} */
export const foreign = (type) => ({ type, isForeign: true });

/**
 * A dictionary. What it is converted to has each member as its own, also those that are missing; below it lies the page's
 * object, where the browser finds members that nobody here has heard of.
 *
 * @param {...Record<string, Type | Member>} levels the inherited dictionary first
 * @returns {Type}
 */
export function dictionary(...levels) {
    /** @type {(Member & {name: string})[]} in the order in which they are read */
    const members = [];
    for (const level of levels) {
        const names = Object.keys(level);
        names.sort();
        for (const name of names) {
            const member = level[name];
            members.push('type' in member ? { name, ...member } : { name, type: member });
        }
    }
    return dictionaryOf(members);
}

/** @param {(Member & {name: string, isUnread?: boolean})[]} members @returns {Type} */
function dictionaryOf(members) {
    /** @type {Type} */
    const self = {
        convert(value) {
            if (value !== undefined && value !== null && !isObject(value)) throw new Refusal(value);
            const isThere = value !== undefined && value !== null;
            const found = create(isThere ? value : null);
            for (let at = 0; at < members.length; at += 1) {
                const { name, type, isRequired, isUnread } = members[at];
                const given = isThere && !isUnread ? value[name] : undefined;
                own(found, name, given);
                if (given === undefined && isRequired) throw new Refusal(found);
                if (given === undefined) continue;
                const converted = shownWithin(type, given, (shown) => {
                    own(found, name, shown);
                    return found;
                });
                own(found, name, converted);
            }
            return found;
        },
        sample(read) {
            const known = create(null);
            const names = create(null);
            for (let at = 0; at < members.length; at += 1) {
                const { name, type, isRequired } = members[at];
                known[name] = type.sample(read, isRequired);
            }
            apply(set, read, [self, names]);
            return new Proxy(known, {
                get(_, name) {
                    names[name] = true;
                    return known[name];
                },
            });
        },
        narrowed(read) {
            const names = apply(get, read, [self]);
            /** @type {typeof members} */
            const narrowed = [];
            for (let at = 0; at < members.length; at += 1) {
                const { name, type, isForeign } = members[at];
                const isUnread = names && isForeign && !(name in names);
                apply(push, narrowed, [{ ...members[at], type: type.narrowed(read), isUnread }]);
            }
            return dictionaryOf(narrowed);
        },
    };
    return self;
}

/**
 * @param {Type} type
 * @param {unknown} value
 * @param {(shown: unknown) => unknown} place what the browser is shown of the whole, with what it is shown of this part
 */
function shownWithin(type, value, place) {
    try {
        return type.convert(value);
    } catch (refusal) {
        if (refusal instanceof Refusal) throw new Refusal(place(refusal.shown));
        throw refusal;
    }
}

/** @param {object} object @param {string} name @param {unknown} value past all setters of the page */
function own(object, name, value) {
    defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** @param {any} value also a function, and `document.all` */
function isObject(value) {
    return Object(value) === value;
}

/**
 * A dictionary with what this browser reads of it, learnt by having its function read a sample that notes what is read.
 * @param {Type} type
 * @param {(sample: unknown) => void} read
 * @returns {Type}
 */
export function asReadBy(type, read) {
    const names = new Map();
    read(type.sample(names));
    return type.narrowed(names);
}
