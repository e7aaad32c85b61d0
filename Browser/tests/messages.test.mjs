import assert from 'node:assert/strict';
import test from 'node:test';
import { AutoFillError } from '../src/protocol/errors.js';
import { parseFillResult, parseFillWaiting, parseHelloResult, parseSetUpResult, parseSuggestResult } from '../src/protocol/host.js';
import { failure, parseIncoming } from '../src/protocol/jsonrpc.js';
import { parseCancel, parsePageFill, parsePageList, parsePageSuggest } from '../src/protocol/page.js';
import { everyDamage, noise } from './damage.mjs';

const provider = { identifier: 'org.keyway.passwords', name: 'Passwords' };
const suggestion = {
    handle: 'h1',
    user: 'ada',
    service: 'example.org',
    provider,
    match: 'origin',
    kind: 'password',
};

const listed = { ...provider, lists: ['password', 'oneTimeCode'], isSilent: false };

/** Every parser of a message's content, with one message that it takes. */
const parsers = {
    hello: [parseHelloResult, { protocol: { major: 1, minor: 0 }, version: '0.1.0' }],
    suggest: [
        parseSuggestResult,
        {
            suggestions: [suggestion, { ...suggestion, user: '' }, { ...suggestion, kind: 'oneTimeCode' }, { ...suggestion, period: 30 }],
            more: 3,
            providers: [listed],
        },
    ],
    setUp: [(value) => ({ outcome: parseSetUpResult(value) }), { outcome: 'notNow' }],
    fill: [(value) => parseFillResult(value, ['username', 'password']), { user: 'ada', password: 'päss' }],
    'fill.waiting': [
        parseFillWaiting,
        { request: 4, provider: 'Passwords', message: 'Passwords is locked.', command: 'keyway passwords unlock' },
    ],
    code: [(value) => parseFillResult(value, ['oneTimeCode']), { code: '123456', secondsLeft: 20 }],
    'page fill': [parsePageFill, { handle: 'h1', fields: ['username', 'password'] }],
    'page fill of a code': [parsePageFill, { handle: 'h1', fields: ['oneTimeCode'] }],
    'page list': [parsePageList, { provider: 'org.keyway.passwords', fields: ['oneTimeCode'] }],
};

for (const [name, [parse, good]] of Object.entries(parsers)) {
    test(`${name}: gives back what it takes, field by field`, () => {
        assert.deepEqual(parse(structuredClone(good)), good);
    });

    test(`${name}: refuses every field missing, mistyped or added`, () => {
        for (const { damaged, what } of everyDamage(good)) {
            // Each field of a fill's answer may be missing; both may not (below).
            if (name === 'fill' && what.startsWith('without')) continue;
            if (name === 'code' && what === 'without .secondsLeft') continue;
            if (/^without .*period$/.test(what)) continue;
            assert.throws(() => parse(damaged), { name: 'ShapeError' }, what);
        }
    });

    test(`${name}: refuses noise with a ShapeError and nothing else`, () => {
        for (const value of noise(2000, 7)) {
            try {
                parse(value);
            } catch (error) {
                assert.equal(error.name, 'ShapeError');
                continue;
            }
            assert.fail(`took ${JSON.stringify(value)}`);
        }
    });
}

test('page suggest: codes come alone', () => {
    assert.deepEqual(parsePageSuggest({ codes: true }), { codes: true });
    assert.deepEqual(parsePageSuggest({}), {});
    for (const wrong of [{ codes: false }, { codes: 1 }, { codes: true, passkeys: {} }, { codes: true, kinds: [] }]) {
        assert.throws(() => parsePageSuggest(wrong), { name: 'ShapeError' });
    }
});

test('suggest: a longer list than the limit is refused', () => {
    const value = { suggestions: Array.from({ length: 101 }, () => suggestion), more: 0, providers: [] };
    assert.throws(() => parseSuggestResult(value), { name: 'ShapeError' });
});

test('fill: a field that nobody asked for is refused', () => {
    assert.throws(() => parseFillResult({ user: 'ada', password: 'x' }, ['username']), { name: 'ShapeError' });
    assert.throws(() => parseFillResult({}, ['username']), { name: 'ShapeError' });
    assert.deepEqual(parseFillResult({ password: '' }, ['password']), { password: '' });
});

test('page fill: a repeated, unknown or missing field name is refused', () => {
    for (const fields of [[], ['password', 'password'], ['secret'], ['username', 'password', 'username']]) {
        assert.throws(() => parsePageFill({ handle: 'h1', fields }), { name: 'ShapeError' });
    }
});

test('page suggest: takes no address', () => {
    parsePageSuggest({});
    assert.throws(() => parsePageSuggest({ url: 'https://example.org/' }), { name: 'ShapeError' });
});

test('cancel: names one request', () => {
    assert.equal(parseCancel({ id: 3 }), 3);
    for (const value of [{}, { id: '3' }, { id: -1 }, { id: 1.5 }, { id: NaN }, null]) {
        assert.throws(() => parseCancel(value), { name: 'ShapeError' });
    }
});

const envelopes = [
    [
        { jsonrpc: '2.0', id: 1, result: null },
        { type: 'result', id: 1, result: null },
    ],
    [
        { jsonrpc: '2.0', method: 'a', params: {} },
        { type: 'notification', method: 'a', params: {} },
    ],
    [
        { jsonrpc: '2.0', id: 0, method: 'a' },
        { type: 'request', id: 0, method: 'a', params: undefined },
    ],
];

for (const [message, expected] of envelopes) {
    test(`envelope ${JSON.stringify(message)} is a ${expected.type}`, () => {
        assert.deepEqual(parseIncoming(message), expected);
    });
}

for (const message of [
    null,
    1,
    'x',
    [],
    {},
    { jsonrpc: '1.0', id: 1, result: 1 },
    { id: 1, result: 1 },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, result: 1, error: { code: 1, message: '' } },
    { jsonrpc: '2.0', id: '1', result: 1 },
    { jsonrpc: '2.0', result: 1 },
    { jsonrpc: '2.0', id: null, result: 1 },
    { jsonrpc: '2.0', id: 1, method: '' },
    { jsonrpc: '2.0', id: 1, method: 'a', result: 1 },
    { jsonrpc: '2.0', id: 1, error: 'no' },
    { jsonrpc: '2.0', params: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: '' } },
    { jsonrpc: '2.0', id: 1, error: { code: 1 } },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: '', data: { kind: 5 } } },
    { jsonrpc: '2.0', id: 1, result: 1, more: 1 },
]) {
    test(`envelope ${JSON.stringify(message)} is refused`, () => {
        assert.throws(() => parseIncoming(message), { name: 'ShapeError' });
    });
}

test('an error answer keeps its kind', () => {
    const answer = { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'locked', data: { kind: 'refused' } } };
    const { error } = parseIncoming(answer);
    assert.ok(error instanceof AutoFillError);
    assert.deepEqual([error.kind, error.message], ['refused', 'locked']);
});

test('what went wrong inside is not told', () => {
    const answer = failure(1, new Error('password was hunter2'));
    assert.deepEqual(answer.error, { code: -32000, message: 'internal', data: { kind: 'internal' } });
});
