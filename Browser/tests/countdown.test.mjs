import assert from 'node:assert/strict';
import test from 'node:test';
import { lifeOf, timeText, untilNextSecond } from '../src/menu/countdown.js';
import { entryOf } from '../src/menu/model.js';

for (const [period, now, expected] of [
    [30, 0, { seconds: 30, share: 1, isShort: false }],
    [30, 15_000, { seconds: 15, share: 0.5, isShort: false }],
    [30, 15_001, { seconds: 15, share: 14_999 / 30_000, isShort: false }],
    [30, 24_000, { seconds: 6, share: 0.2, isShort: false }],
    [30, 25_000, { seconds: 5, share: 5 / 30, isShort: true }],
    [30, 29_999, { seconds: 1, share: 1 / 30_000, isShort: true }],
    [60, 1_800_000_030_000, { seconds: 30, share: 0.5, isShort: false }],
    [1, 500, { seconds: 1, share: 0.5, isShort: true }],
]) {
    test(`a code of ${period} s is, ${now} ms after 1970, good for ${expected.seconds} s`, () => {
        assert.deepEqual(lifeOf(period, now), expected);
    });
}

test('the time is written as the language has it, in minutes where it is long', () => {
    assert.equal(timeText(21, 'en', 'narrow'), '21s');
    assert.equal(timeText(21, 'en', 'long'), '21 seconds');
    assert.equal(timeText(1, 'de', 'long'), '1 Sekunde');
    assert.equal(timeText(119, 'en', 'long'), '119 seconds');
    assert.equal(timeText(120, 'en', 'long'), '2 minutes');
    assert.equal(timeText(3541, 'en', 'long'), '60 minutes');
});

test('the next beat is that of the clock', () => {
    assert.deepEqual([0, 1, 999].map(untilNextSecond), [1000, 999, 1]);
});

const translate = (name, values = []) => [name, ...values].join('|');

test('an entry for a code has its period, where that is known, and never a time in its name', () => {
    const provider = { identifier: 'p', name: 'Passwords' };
    const suggestion = { handle: 'h', user: 'ada', service: 'a.example', provider, match: 'origin', kind: 'oneTimeCode' };
    const entry = entryOf({ type: 'account', suggestion: { ...suggestion, period: 30 } }, translate);
    assert.equal(entry.period, 30);
    assert.equal(entry.spoken, 'menuCodeSpoken|ada|a.example|Passwords');
    assert.equal('period' in entryOf({ type: 'account', suggestion }, translate), false);
});
