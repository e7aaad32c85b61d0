import assert from 'node:assert/strict';
import test from 'node:test';
import { OwnSaving } from '../src/background/own-saving.js';

/** A browser with its setting, of which only what is permitted can be seen. */
function makeBrowser({ isGranted = false, grants = true, levelOfControl = 'controllable_by_this_extension', has = true } = {}) {
    const said = { value: true, level: levelOfControl, kept: {}, asked: [] };
    const passwordSavingEnabled = {
        get: async () => ({ value: said.value, levelOfControl: said.level }),
        set: async ({ value }) => Object.assign(said, { value, level: 'controlled_by_this_extension' }),
        clear: async () => Object.assign(said, { value: true, level: levelOfControl }),
    };
    const browser = {
        permissions: {
            contains: async (wanted) => wanted.permissions[0] === 'privacy' && isGranted,
            request: async (wanted) => {
                said.asked.push(wanted);
                isGranted = grants;
                return isGranted;
            },
            remove: async () => !(isGranted = false),
        },
        get privacy() {
            return isGranted && has ? { services: { passwordSavingEnabled } } : undefined;
        },
        storage: { local: { get: async () => said.kept, set: async (values) => Object.assign(said.kept, values) } },
    };
    return { said, own: new OwnSaving(browser) };
}

test('nothing is known, and nothing asked for, before the person wants it', async () => {
    const { own, said } = makeBrowser();
    assert.equal(await own.state(), 'unknown');
    assert.deepEqual(said.asked, []);
});

test('turning it off asks for the permission at once, and for no other', async () => {
    const { own, said } = makeBrowser();
    const turned = own.turnOff();
    // A moment later it would be no gesture any more.
    assert.deepEqual(said.asked, [{ permissions: ['privacy'] }]);
    assert.equal(await turned, true);
    assert.equal(said.value, false);
    assert.equal(await own.state(), 'off');
});

test('a permission that is refused leaves everything as it was', async () => {
    const { own, said } = makeBrowser({ grants: false });
    assert.equal(await own.turnOff(), false);
    assert.equal(said.value, true);
    assert.equal(await own.state(), 'unknown');
});

test('turning it on again gives the setting and the permission back', async () => {
    const { own, said } = makeBrowser();
    await own.turnOff();
    await own.turnOn();
    assert.equal(said.value, true);
    assert.equal(await own.state(), 'unknown');
});

for (const levelOfControl of ['not_controllable', 'controlled_by_other_extensions']) {
    test(`a setting that others decide is told as such: ${levelOfControl}`, async () => {
        const { own } = makeBrowser({ isGranted: true, levelOfControl });
        assert.equal(await own.state(), 'fixed');
    });
}

test('a browser without the setting is told as one where nothing can be changed', async () => {
    const { own } = makeBrowser({ isGranted: true, has: false });
    assert.equal(await own.state(), 'fixed');
});

test('the window says it once Keyway was set up, until it is turned off or the person keeps both', async () => {
    const { own } = makeBrowser();
    assert.equal(await own.isTold(), false);
    await own.tell(true);
    assert.equal(await own.isTold(), true);
    await own.turnOff();
    assert.equal(await own.isTold(), false);
    await own.tell(true);
    await own.tell(false);
    assert.equal(await own.isTold(), false);
});
