import assert from 'node:assert/strict';
import test from 'node:test';
import { readProfile } from '../src/background/profile.js';

const made = '0b7e3c52-6d9c-4c40-9a53-2f1b4cd8a1f0';

/** What a browser keeps for the extension. */
function openStorage(kept = {}) {
    return {
        kept,
        get: async (key) => (key in kept ? { [key]: kept[key] } : {}),
        set: async (values) => void Object.assign(kept, values),
    };
}

const brands = (...names) => ({ userAgentData: { brands: names.map((brand) => ({ brand, version: '1' })) } });

function read(storage, { navigator = {}, runtime = {}, makeIdentifier = () => made } = {}) {
    return readProfile({ storage, runtime, navigator, makeIdentifier });
}

test('an identifier is made once and kept', async () => {
    const storage = openStorage();
    assert.equal((await read(storage)).profile, made);
    assert.equal((await read(storage, { makeIdentifier: () => assert.fail('made another') })).profile, made);
});

const makeIdentifier = () => crypto.randomUUID();

test('two profiles have two identifiers', async () => {
    const one = await read(openStorage(), { makeIdentifier });
    const other = await read(openStorage(), { makeIdentifier });
    assert.notEqual(one.profile, other.profile);
    assert.match(one.profile, /^[A-Za-z0-9-]{16,64}$/);
});

for (const wrong of ['', 'short', 'x'.repeat(65), 'with spaces in it, and more', 7, null, {}]) {
    test(`what is no identifier is replaced: ${JSON.stringify(wrong)}`, async () => {
        const storage = openStorage({ profile: wrong });
        assert.equal((await read(storage)).profile, made);
        assert.equal(storage.kept.profile, made);
    });
}

test('an identifier that cannot be kept is not said', async () => {
    const storage = { ...openStorage(), set: () => Promise.reject(new Error('full')) };
    await assert.rejects(read(storage), { message: 'full' });
});

for (const [what, surroundings, name] of [
    ['Firefox, by itself', { runtime: { getBrowserInfo: async () => ({ name: 'Firefox' }) } }, 'Firefox'],
    ['Chromium', { navigator: brands('Not(A:Brand', 'Chromium') }, 'Chromium'],
    ['a relative of it', { navigator: brands('Chromium', 'Example Browser', 'Not_A Brand') }, 'Example Browser'],
    ['nobody', {}, 'Browser'],
    ['a name with signs in it', { navigator: brands('Ex\u202Eample\n') }, 'Example'],
    ['a long name', { navigator: brands('x'.repeat(100)) }, 'x'.repeat(64)],
]) {
    test(`the browser is called as people call it: ${what}`, async () => {
        assert.equal((await read(openStorage(), surroundings)).browser, name);
    });
}
