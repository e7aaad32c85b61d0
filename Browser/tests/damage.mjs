/** Wrong messages, made from right ones and from nothing. */

const wrongValues = [undefined, null, true, -1, 1.5, NaN, 'x'.repeat(70000), Symbol.iterator, [], [null], {}, { x: 1 }];

/**
 * Every copy of `good` in which one field, at any depth, is left out, added, or of another type.
 * @param {unknown} good
 * @returns {Generator<{damaged: unknown, what: string}>}
 */
export function* everyDamage(good, place = '') {
    if (typeof good !== 'object' || good === null) {
        for (const value of wrongValues) {
            if (typeof value !== typeof good || value === 'x'.repeat(70000) || typeof value === 'number') {
                yield { damaged: value, what: `${place} = ${String(value).slice(0, 20)}` };
            }
        }
        return;
    }
    const isList = Array.isArray(good);
    if (!isList) yield { damaged: { ...good, unheardOf: 1 }, what: `${place} with more` };
    yield { damaged: isList ? {} : [], what: `${place} of the other kind` };
    for (const [name, value] of Object.entries(good)) {
        if (!isList) {
            const { [name]: _, ...rest } = good;
            yield { damaged: rest, what: `without ${place}.${name}` };
        }
        for (const { damaged, what } of everyDamage(value, `${place}.${name}`)) {
            // A field that is there and undefined is as good as missing, which has its own case.
            if (damaged === undefined) continue;
            const copy = isList ? [...good] : { ...good };
            copy[name] = damaged;
            yield { damaged: copy, what };
        }
    }
}

/**
 * @param {number} count
 * @param {number} seed the same seed gives the same values
 * @returns {Generator<unknown>} JSON values of all shapes, none of them a message
 */
export function* noise(count, seed) {
    let state = seed;
    const next = (limit) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state % limit;
    };
    const names = [
        'handle',
        'fields',
        'user',
        'password',
        'suggestions',
        'more',
        'providers',
        'protocol',
        'x',
        '__proto__',
    ];
    const make = (depth) => {
        switch (next(depth > 3 ? 5 : 7)) {
            case 0:
                return null;
            case 1:
                return next(2) === 0;
            case 2:
                return next(1000) - 500;
            case 3:
                return String.fromCodePoint(next(0xd800));
            case 4:
                return 'text';
            case 5:
                return Array.from({ length: next(4) }, () => make(depth + 1));
            default:
                // The first name is nobody's, so that no message comes out by chance.
                return Object.fromEntries([
                    ['noise', 1],
                    ...Array.from({ length: next(4) }, () => [names[next(names.length)], make(depth + 1)]),
                ]);
        }
    };
    for (let index = 0; index < count; index += 1) yield make(0);
}
