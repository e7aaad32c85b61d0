import assert from 'node:assert/strict';
import test from 'node:test';
import { hasWorked, Submissions } from '../src/background/submissions.js';
import { AutoFillError } from '../src/protocol/errors.js';

const requester = { url: 'https://example.org/login', private: false };
const form = { user: 'ada', password: 's3cret', isGenerated: false };
const place = { tab: 1, frame: 0 };
const fine = { status: 200, hasPassword: false, isComplaining: false };

const refused = (error) => error instanceof AutoFillError && error.kind === 'notAllowed';

function open(look = fine) {
    const told = [];
    const state = { now: 0, next: 0, isFollowing: false, troubles: [] };
    const submissions = new Submissions(
        {
            submitPassword: async (params) => void told.push(['submit', params]),
            settlePassword: async (params) => {
                told.push(['settle', params]);
                if (state.fails) throw state.fails;
                return 'saved';
            },
            keepPassword: async (params) => void told.push(['keep', params]),
        },
        {
            makeIdentifier: () => `session-${(state.next += 1)}`,
            now: () => state.now,
            look: async (where) => {
                const seen = typeof look === 'function' ? look(where) : look;
                if (seen instanceof Error) throw seen;
                return seen;
            },
            wait: async (milliseconds) => void (state.now += milliseconds),
            follow: (isWanted) => {
                state.isFollowing = isWanted;
            },
            trouble: (error) => state.troubles.push(error.kind),
        },
    );
    return { submissions, told, state };
}

test('a form that led to another page worked', async () => {
    const { submissions, told, state } = open();
    await submissions.submit(place, requester, form, 'signIn');
    assert.deepEqual(told[0], ['submit', { ...requester, ...form, session: 'session-1' }]);
    assert.equal(state.isFollowing, true);
    await submissions.arrived(1);
    assert.deepEqual(told[1], ['settle', { session: 'session-1', worked: true }]);
    assert.equal(state.isFollowing, false);
});

test('each form is settled once', async () => {
    const { submissions, told } = open();
    await submissions.submit(place, requester, form, 'signIn');
    await submissions.settle(place, true);
    await submissions.settle(place, true);
    await submissions.arrived(1);
    assert.equal(told.filter(([name]) => name === 'settle').length, 1);
});

for (const [what, look, kind, worked] of [
    ['another page', {}, 'signIn', true],
    ['the form again', { hasPassword: true }, 'signIn', false],
    ['the form again after a sign-up', { hasPassword: true }, 'signUp', false],
    ['the form again after a change', { hasPassword: true }, 'change', true],
    ['a complaint after a change', { hasPassword: true, isComplaining: true }, 'change', false],
    ['an error of the server', { status: 401 }, 'signIn', false],
    ['an error after a change', { status: 500 }, 'change', false],
    ['a browser that tells no status', { status: 0 }, 'signIn', true],
]) {
    test(`${what} means that it ${worked ? 'worked' : 'failed'}`, () => {
        assert.equal(hasWorked({ ...fine, ...look }, kind), worked);
    });
}

test('nothing of a private window is passed on, not even for a moment', async () => {
    const { submissions, told } = open();
    const hidden = { ...requester, private: true };
    await assert.rejects(submissions.submit(place, hidden, form, 'signIn'), refused);
    await assert.rejects(submissions.keep(hidden, form), refused);
    submissions.name(place, hidden, 'ada');
    await submissions.submit(place, requester, { ...form, user: '' }, 'signIn');
    assert.deepEqual(told.map(([, { user }]) => user), ['']);
});

test('the same form again takes the place of what it sent before', async () => {
    const { submissions, told } = open();
    await submissions.submit(place, requester, form, 'signIn');
    await submissions.submit(place, requester, { ...form, password: 'other' }, 'signIn');
    assert.deepEqual(told.map(([, { session }]) => session), ['session-1', 'session-1']);
});

test('a form of another page in the tab makes the first one forgotten', async () => {
    const { submissions, told } = open();
    await submissions.submit(place, requester, form, 'signIn');
    await submissions.submit(place, { ...requester, url: 'https://evil.example/' }, form, 'signIn');
    assert.deepEqual(told.map(([name, { session }]) => [name, session]), [
        ['submit', 'session-1'],
        ['settle', 'session-1'],
        ['submit', 'session-2'],
    ]);
    assert.equal(told[1][1].worked, false);
});

test('another frame settles nothing', async () => {
    const { submissions, told } = open();
    await submissions.submit(place, requester, form, 'signIn');
    await submissions.settle({ tab: 1, frame: 7 }, true);
    await submissions.settle({ tab: 2, frame: 0 }, true);
    assert.equal(told.length, 1);
});

test('a tab that goes takes its form along', async () => {
    const { submissions, told, state } = open();
    await submissions.submit(place, requester, form, 'signIn');
    submissions.gone(1);
    assert.deepEqual(told[1], ['settle', { session: 'session-1', worked: false }]);
    assert.equal(state.isFollowing, false);
});

test('what was sent too long ago is not asked about', async () => {
    const { submissions, told, state } = open();
    await submissions.submit(place, requester, form, 'signIn');
    state.now = 300_001;
    await submissions.arrived(1);
    assert.equal(told[1][1].worked, false);
});

test('a page that nobody may look into says nothing', async () => {
    const { submissions, told } = open(new Error('no such frame'));
    await submissions.submit(place, requester, form, 'signIn');
    await submissions.arrived(1);
    assert.equal(told.length, 1);
});

test('the page that comes into a frame is looked at, without a word of the browser', async () => {
    let looks = 0;
    const { submissions, told } = open(({ frame }) => ((looks += 1) < 4 || frame !== 3 ? new Error('not whole') : fine));
    await submissions.submit({ tab: 1, frame: 3 }, requester, form, 'signIn');
    await submissions.departed({ tab: 1, frame: 4 });
    assert.equal(told.length, 1);
    await submissions.departed({ tab: 1, frame: 3 });
    assert.deepEqual(told[1], ['settle', { session: 'session-1', worked: true }]);
    assert.equal(looks, 4);
});

test('the page around a frame tells what became of it once the frame is gone', async () => {
    const { submissions, told } = open(({ frame }) => (frame === 0 ? { ...fine, hasPassword: true } : new Error('gone')));
    await submissions.submit({ tab: 1, frame: 3 }, requester, form, 'signIn');
    await submissions.departed({ tab: 1, frame: 3 });
    assert.deepEqual(told[1], ['settle', { session: 'session-1', worked: false }]);
});

test('the page of a tab is not looked at before the browser says that it came', async () => {
    const { submissions, told } = open();
    await submissions.submit(place, requester, form, 'signIn');
    await submissions.departed(place);
    assert.equal(told.length, 1);
});

test('the user name of the page before counts, of the same site alone', async () => {
    const { submissions, told, state } = open();
    submissions.name(place, requester, 'ada');
    await submissions.submit(place, { ...requester, url: 'https://evil.example/' }, { ...form, user: '' }, 'signIn');
    await submissions.submit(place, requester, { ...form, user: '' }, 'signIn');
    const users = told.filter(([name]) => name === 'submit').map(([, { user }]) => user);
    assert.deepEqual(users, ['', '']);
    submissions.name(place, requester, 'ada');
    await submissions.submit(place, requester, { ...form, user: '' }, 'signIn');
    assert.equal(told.at(-1)[1].user, 'ada');
    state.now = 600_001;
    await submissions.submit(place, requester, { ...form, user: '' }, 'signIn');
    assert.equal(told.at(-1)[1].user, '');
});

test('a generated password is kept at once', async () => {
    const { submissions, told } = open();
    await submissions.keep(requester, { ...form, isGenerated: true });
    assert.deepEqual(told, [['keep', { ...requester, ...form, isGenerated: true, session: 'session-1' }]]);
});

test('trouble of the question is told', async () => {
    const { submissions, state } = open();
    state.fails = new AutoFillError('needsPerson', 'Run: keyway save');
    await submissions.submit(place, requester, form, 'signIn');
    await submissions.settle(place, true);
    assert.deepEqual(state.troubles, ['needsPerson']);
});
