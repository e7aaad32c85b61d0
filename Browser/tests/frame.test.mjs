import assert from 'node:assert/strict';
import test from 'node:test';
import { ChoiceDesk } from '../src/page/chosen.js';
import { isFrameOfThePage, isKeptApart, surroundingsOf } from '../src/page/frame.js';
import { openDocument } from './corpus.mjs';

const own = { origin: 'https://example.org', isSecureContext: true };
/** What the browser does not let a script look into. */
const stranger = new Proxy({}, {
    get: () => {
        throw new Error('SecurityError');
    },
});

/** The innermost of windows that stand in each other, the outermost first. */
function within(...windows) {
    const made = windows.map((window) => (window === stranger ? stranger : Object.assign({}, own, window)));
    for (const [index, window] of made.entries()) {
        if (window !== stranger) window.parent = index === 0 ? window : made[index - 1];
    }
    return made.at(-1);
}

/** What the toolbar button's window, and a request of passkeys, take a frame for. */
async function standingsOf(window, allows) {
    const document = openDocument('<p>Nothing</p>');
    // Chromium alone says what a page allows its frames.
    const policy = { get: () => allows && { allowsFeature: () => true }, configurable: true };
    Object.defineProperty(Document.prototype, 'featurePolicy', policy);
    Object.assign(window, { document, length: 0 });
    const corrections = { isKnown: true, rolesIn: () => [] };
    const chosen = new ChoiceDesk(window, { focused: () => undefined, filling: (during) => during(), corrections });
    const { standing } = await chosen.perform('look', {});
    return [isFrameOfThePage(window), standing, surroundingsOf(window).standing('publickey-credentials-get')];
}

const apart = [false, 'opaque', 'excluded'];
const ofThePage = [true, 'page', 'sameOrigin'];

for (const [what, window, expected] of [
    ['the page', within({}), ofThePage],
    ['a page of a browser that has such frames', within({ credentialless: false }), ofThePage],
    ['a frame of the page', within({}, {}), ofThePage],
    ['a frame of another origin', within(stranger, {}), [false, 'foreign', 'crossOrigin']],
    ['a frame without an origin', within({}, { origin: 'null' }), apart],
    ['a page without an origin', within({ origin: 'null' }), apart],
    ['a credentialless frame', within({}, { credentialless: true }), apart],
    ['a frame in a credentialless one', within({}, { credentialless: true }, {}, {}), apart],
    ['a credentialless frame of another origin', within(stranger, { credentialless: true }), apart],
    ['a frame in a page that calls another frame so', within({ credentialless: {} }, { credentialless: {} }), ofThePage],
]) {
    test(`${what} is taken for what it is by menu, window and passkeys`, async () => {
        assert.equal(isKeptApart(window), expected === apart);
        assert.deepEqual(await standingsOf(window, true), expected);
    });
}

test('where the browser says nothing of what pages allow, a frame of another origin asks for no passkeys', async () => {
    assert.deepEqual(await standingsOf(within(stranger, {}), false), [false, 'foreign', 'excluded']);
    assert.deepEqual(await standingsOf(within({}), false), ofThePage);
});
