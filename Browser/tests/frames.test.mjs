import assert from 'node:assert/strict';
import test from 'node:test';
import { boxThrough, framesAround, movedOut } from '../src/detection/frames.js';
import { isMostlyIn, screenPartOf, viewportOf } from '../src/menu/share.js';

const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
const entry = box(100, 100, 200, 50);
const everywhere = box(0, 0, 1000, 700);

test('what stands in frames is found through all of them', () => {
    const places = [
        { left: 10, top: 20, scale: 1 },
        { left: 100, top: 200, scale: 0.5 },
    ];
    assert.deepEqual(movedOut({ left: 1, top: 2 }, places[1]), { left: 100.5, top: 201 });
    assert.deepEqual(boxThrough(box(2, 4, 20, 10), places), box(106, 212, 10, 5));
    assert.deepEqual(boxThrough(entry, []), entry);
});

test('the page of the tab stands in no frame', () => {
    const top = {};
    top.parent = top;
    assert.deepEqual(framesAround(top), []);
});

for (const [what, frame] of [
    ['does not let itself be looked at', { get: () => { throw new Error('SecurityError'); } }],
    ['hides its frame', { get: () => null }],
]) {
    test(`a page around a frame that ${what} is none that can be judged`, () => {
        const top = {};
        top.parent = top;
        assert.equal(framesAround(Object.defineProperty({ parent: top }, 'frameElement', frame)), undefined);
    });
}

for (const [what, visible, expected] of [
    ['all of it', [everywhere], true],
    ['nine tenths of it', [box(0, 0, 280, 700)], true],
    ['less than nine tenths', [box(0, 0, 279, 700)], false],
    ['nine tenths of its height', [everywhere, box(0, 105, 1000, 595)], true],
    ['less, by two that each leave enough', [box(0, 0, 281, 700), box(0, 105, 1000, 595)], false],
    ['nothing, although both sides are cut off', [box(400, 400, 100, 100)], false],
    ['nothing between two that do not meet', [box(0, 0, 150, 700), box(250, 0, 750, 700)], false],
]) {
    test(`an entry is ${expected ? '' : 'not '}seen where ${what} can be seen`, () => {
        assert.equal(isMostlyIn(entry, visible), expected);
    });
}

test('an entry of no size is not seen', () => {
    assert.equal(isMostlyIn(box(100, 100, 0, 50), [everywhere]), false);
});

test('what the person zoomed past is outside of the window', () => {
    const window = { innerWidth: 1000, innerHeight: 700 };
    assert.deepEqual(viewportOf(window), everywhere);
    const visualViewport = { offsetLeft: 100, offsetTop: 50, width: 500, height: 350 };
    assert.deepEqual(viewportOf({ ...window, visualViewport }), box(100, 50, 500, 350));
    const wider = { offsetLeft: 0, offsetTop: 0, width: 2000, height: 2000 };
    assert.deepEqual(viewportOf({ ...window, visualViewport: wider }), everywhere);
});

const screen = { availLeft: 0, availTop: 0, availWidth: 1920, availHeight: 1080 };
const second = { ...screen, availLeft: 1920 };
/** A window of 1000 × 800, with a page of 1000 × 700 in it. */
const windowAt = (screenX, screenY, more = {}) => ({
    screenX,
    screenY,
    outerWidth: 1000,
    outerHeight: 800,
    innerWidth: 1000,
    innerHeight: 700,
    screen,
    ...more,
});

for (const [what, window, expected] of [
    ['on the screen', windowAt(10, 10), everywhere],
    ['half off to the left', windowAt(-500, 10), box(500, 0, 500, 700)],
    ['half off to the right', windowAt(1420, 10), box(0, 0, 500, 700)],
    ['off above', windowAt(10, -100), box(0, 100, 1000, 600)],
    ['off below', windowAt(10, 480), box(0, 0, 1000, 500)],
    ['on a second screen', windowAt(1930, 10, { screen: second }), everywhere],
    ['on a second screen, half on the first', windowAt(1420, 10, { screen: second }), box(500, 0, 500, 700)],
    ['nobody knows where', windowAt(0, 0, { screen: second }), everywhere],
    ['half off, zoomed out', windowAt(-500, 10, { innerWidth: 2000, innerHeight: 1400 }), box(1000, 0, 1000, 1400)],
    ['half off, zoomed in', windowAt(-500, 10, { innerWidth: 500, innerHeight: 350 }), box(500, 0, 0, 350)],
    ['where screens have no place', windowAt(10, 10, { screen: { availWidth: 1920, availHeight: 1080 } }), everywhere],
]) {
    test(`of a window ${what}, what is on the screen counts`, () => {
        assert.deepEqual(screenPartOf(window), expected);
    });
}
