import assert from 'node:assert/strict';
import test from 'node:test';
import { textOf } from '../src/credentials/base64url.js';
import { creationOptions, requestOptions } from '../src/credentials/dictionaries.js';
import * as webidl from '../src/credentials/webidl.js';

const { any, asReadBy, boolean, bufferSource, dictionary, foreign, long, oneOf, record, required } = webidl;
const { Refusal, sequence, signal, text, unsignedLong } = webidl;
const mine = new Error('thrown by the page');
const fail = () => {
    throw mine;
};

/** What the browser is shown of a value that is not of the type. */
function shown(type, value) {
    try {
        type.convert(value);
    } catch (refusal) {
        assert.ok(refusal instanceof Refusal, `${refusal}`);
        return refusal.shown;
    }
    return assert.fail('nothing was refused');
}

for (const [what, type, value, converted] of [
    ['null as text', text, null, 'null'],
    ['a number as text', text, 5, '5'],
    ['an object as text', text, { toString: () => 'x', valueOf: () => 'y' }, 'x'],
    ['an object as a truth', boolean, {}, true],
    ['an empty text as a truth', boolean, '', false],
    ['text as a number', long, '-7', -7],
    ['a fraction as a number', long, -7.9, -7],
    ['nothing as a number', long, NaN, 0],
    ['a number beyond 32 bits', long, 2 ** 31, -(2 ** 31)],
    ['a negative time', unsignedLong, -1, 2 ** 32 - 1],
    ['a time beyond 32 bits', unsignedLong, 2 ** 32 + 7, 7],
    ['an object as a word', oneOf(['a', 'b']), { toString: () => 'b' }, 'b'],
    ['a set as a list', sequence(text), new Set([1, 'x']), ['1', 'x']],
    ['a text in an object as a list', sequence(text), new String('ab'), ['a', 'b']],
    ['a list with a hole', sequence(text), Array(1), ['undefined']],
]) {
    test(`converts ${what}`, () => assert.deepEqual(type.convert(value), converted));
}

const language = [
    ['a symbol', text, Symbol('x')],
    ['an object without text', text, { toString: null, valueOf: null }],
    ['a large integer', long, 5n],
    ['a large integer', unsignedLong, 5n],
    ['an iterator that is a number', sequence(text), { [Symbol.iterator]: 5 }],
    ['an iterator without next', sequence(text), { [Symbol.iterator]: () => ({}) }],
    ['a step that is a number', sequence(text), { [Symbol.iterator]: () => ({ next: () => 5 }) }],
    ['a symbol among names', record(text), { [Symbol('x')]: 'y' }],
];
for (const [what, type, value] of language) {
    test(`throws a TypeError for ${what}`, () => assert.throws(() => type.convert(value), TypeError));
}

for (const [what, type, value] of [
    ['an object as text', text, { toString: fail }],
    ['an object as a number', long, { valueOf: fail }],
    ['an iterator', sequence(text), { [Symbol.iterator]: fail }],
    ['a step', sequence(text), { [Symbol.iterator]: () => ({ next: fail }) }],
    ['a member', dictionary({ a: text }), Object.defineProperty({}, 'a', { get: fail })],
    ['a name', record(text), new Proxy({}, { ownKeys: fail })],
]) {
    test(`what the page throws comes through: ${what}`, () => {
        assert.throws(() => type.convert(value), (error) => error === mine);
    });
}

for (const value of [null, true, 5, 'text', Symbol('x'), {}]) {
    test(`shows the browser what is no list: ${String(value)}`, () => {
        assert.equal(shown(sequence(text), value), value);
    });
}

for (const value of [true, 5, '', 5n]) {
    test(`shows the browser what is no dictionary: ${typeof value}`, () => {
        assert.equal(shown(dictionary({ a: text }), value), value);
        assert.equal(shown(dictionary({ a: required(dictionary({})) }), { a: value }).a, value);
    });
}

test('an unknown word is shown as the text that it was', () => {
    let times = 0;
    const word = { toString: () => `c${(times += 1)}` };
    assert.equal(shown(dictionary({ a: oneOf(['b']) }), { a: word }).a, 'c1');
});

const shared = () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer;
const resizable = () => new ArrayBuffer(4, { maxByteLength: 8 });
const canResize = 'resizable' in ArrayBuffer.prototype;
for (const [what, make, isThere = true] of [
    ['a shared buffer', shared],
    ['bytes of a shared buffer', () => new Uint8Array(shared())],
    ['a view of a shared buffer', () => new DataView(shared())],
    ['a resizable buffer', resizable, canResize],
    ['bytes of a resizable buffer', () => new Uint8Array(resizable()), canResize],
    ['what looks like a buffer', () => Object.create(ArrayBuffer.prototype)],
    ['what looks like bytes', () => Object.create(Uint8Array.prototype)],
    ['a proxy of bytes', () => new Proxy(new Uint8Array(1), {})],
    ['text', () => 'AQID'],
    ['null', () => null],
]) {
    if (!isThere) continue;
    test(`takes no bytes from ${what}`, () => {
        const value = make();
        assert.equal(shown(bufferSource, value), value);
    });
}

test('bytes are those of the buffer, whatever the page calls its length, its prototype or its buffer', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const other = { value: new ArrayBuffer(9) };
    Object.defineProperties(bytes, { byteLength: { value: 1 }, byteOffset: { value: 2 }, buffer: other });
    assert.equal(textOf(bufferSource.convert(bytes)), 'AQID');
    assert.equal(textOf(bufferSource.convert(Object.setPrototypeOf(new Uint8Array([1, 2, 3]), null))), 'AQID');
    assert.equal(textOf(bufferSource.convert(new DataView(new Uint8Array([0, 1, 2, 3]).buffer, 1))), 'AQID');
});

test('a buffer that was given away has no bytes', () => {
    for (const make of [(buffer) => buffer, (buffer) => new Uint8Array(buffer), (buffer) => new DataView(buffer)]) {
        const buffer = new ArrayBuffer(4);
        const source = make(buffer);
        structuredClone(buffer, { transfer: [buffer] });
        assert.equal(textOf(bufferSource.convert(source)), '');
    }
});

test('a signal is one by what it is', () => {
    const { signal: real } = new AbortController();
    assert.equal(signal.convert(real), real);
    for (const wrong of [null, true, {}, EventTarget]) shown(signal, wrong);
});

/** An object that notes what is read of it. */
function noting(notes, members) {
    return new Proxy(members, {
        get(target, name) {
            notes.push(name);
            return target[name];
        },
    });
}

test('members are read once, the inherited ones first and then by name', () => {
    const notes = [];
    const type = dictionary({ name: required(text) }, { id: text, displayName: required(text) });
    const found = type.convert(noting(notes, { id: 1, name: 2, displayName: 3, other: 4 }));
    assert.deepEqual(notes, ['name', 'displayName', 'id']);
    assert.deepEqual({ ...found }, { name: '2', displayName: '3', id: '1' });
});

test('what is not there is not looked for again, and what nobody knows is left to the browser', () => {
    const options = { unknown: 'x' };
    const found = dictionary({ a: text }).convert(options);
    options.a = 'late';
    assert.deepEqual([found.a, found.unknown], [undefined, 'x']);
    for (const nothing of [null, undefined]) {
        assert.deepEqual({ ...dictionary({ a: text }).convert(nothing) }, { a: undefined });
    }
});

test('a member that is missing is seen where it is read, and nothing is read after it', () => {
    const notes = [];
    const type = dictionary({ a: text, b: required(text), c: text });
    const seen = shown(type, noting(notes, { a: 1, c: 3 }));
    assert.deepEqual(notes, ['a', 'b']);
    assert.deepEqual([seen.a, Object.hasOwn(seen, 'b'), Object.hasOwn(seen, 'c')], ['1', true, false]);
});

test('setters of the page are not called', () => {
    const options = Object.create({ set a(_) { fail(); }, get a() { return 'x'; } });
    assert.equal(dictionary({ a: text }).convert(options).a, 'x');
});

test('what is refused deep inside is shown in its place, with what was read around it', () => {
    const type = dictionary({ a: text, list: sequence(dictionary({ id: required(bufferSource) })) });
    const id = new Uint8Array(1);
    const once = [{ id }, { id: 'text' }, { id }].values();
    const seen = shown(type, { a: 5, list: once });
    assert.equal(seen.a, '5');
    assert.deepEqual(seen.list.map((each) => each.id), [id, 'text']);
    const salts = shown(record(dictionary({ first: required(bufferSource) })), { x: { first: id }, y: { first: 5 } });
    assert.deepEqual([salts.x.first, salts.y.first], [id, 5]);
});

test('names of a record are its own that can be listed', () => {
    const value = Object.create({ inherited: 'x' }, { hidden: { value: 'y' }, seen: { value: 5, enumerable: true } });
    assert.deepEqual({ ...record(text).convert(value) }, { seen: '5' });
    assert.deepEqual(Object.keys(record(text).convert(JSON.parse('{"__proto__": "z"}'))), ['__proto__']);
});

const nested = () => ({ a: 1, b: 2, inner: { c: 3, d: 4 } });
const members = ({ a, b, inner: { c, d } }) => [a, b, c, d];

test('a foreign member is read only where the browser reads it', () => {
    const type = dictionary({ a: text, b: foreign(text), inner: dictionary({ c: foreign(any), d: text }) });
    const knows = asReadBy(type, (sample) => void [sample.b, sample.inner.c]);
    const knowsNot = asReadBy(type, (sample) => void [sample.a, sample.inner.d]);
    assert.deepEqual(members(knows.convert(nested())), ['1', '2', 3, '4']);
    assert.deepEqual(members(knowsNot.convert(nested())), ['1', undefined, undefined, '4']);
    assert.throws(() => knows.convert({ b: { toString: fail } }), (error) => error === mine);
    knowsNot.convert({ b: { toString: fail } });
});

for (const [what, type] of [
    ['registrations', creationOptions],
    ['sign-ins', requestOptions],
]) {
    test(`the sample of ${what} is right, and its signal has fired`, () => {
        const sample = type.sample(new Map());
        assert.equal(sample.signal.aborted, true);
        type.convert(sample);
    });
}
