import assert from 'node:assert/strict';
import test from 'node:test';
import { classify } from '../src/detection/classify.js';
import { formAround, isField } from '../src/detection/describe.js';
import { normalise } from '../src/detection/words.js';
import { corpusIsHere, labels, openDocument, openPage } from './corpus.mjs';
import { knownFailures } from './known-failures.mjs';

/** The roles of all fields of a form, asked from its first field. */
function rolesIn(html) {
    const field = openDocument(html).querySelector('input');
    const { description } = formAround(field);
    return classify(description);
}

const forms = [
    [
        'a plain sign-in',
        '<form><input name=user><input type=password><button>Sign in</button></form>',
        ['username', 'current-password'],
    ],
    [
        'no form at all',
        '<div><input id=mail type=email><input type=password><button>Log in</button></div>',
        ['username', 'current-password'],
    ],
    ['no word at all', '<form><input><input type=password></form>', ['username', 'current-password']],
    [
        'German',
        `<form><label>Benutzername <input></label><label>Kennwort <input type=password></label>
            <button>Anmelden</button></form>`,
        ['username', 'current-password'],
    ],
    [
        'Japanese',
        '<form><label>ユーザー名 <input></label><input type=password><button>ログイン</button></form>',
        ['username', 'current-password'],
    ],
    [
        'a user name alone',
        '<h1>Sign in</h1><form><input autocomplete=username><button>Next</button></form>',
        ['username'],
    ],
    [
        'a user name for a passkey',
        '<form><input autocomplete="username webauthn"><button>Next</button></form>',
        ['username'],
    ],
    [
        'a password alone',
        '<h1>Welcome back</h1><form><input type=password><button>Sign in</button></form>',
        ['current-password'],
    ],
    [
        'a mail address on a sign-in page',
        '<h1>Log in</h1><form><input type=email><button>Continue</button></form>',
        ['username'],
    ],
    ['a newsletter', '<form><input type=email name=email><button>Subscribe</button></form>', ['none']],
    ['a search', '<form role=search><input name=q><button>Search</button></form>', ['none']],
    [
        'a sign-up',
        `<form><input name=first_name><input type=email name=email><input type=password name=password>
            <input type=password name=confirm><button>Create account</button></form>`,
        ['none', 'username', 'new-password', 'new-password'],
    ],
    [
        'a change of password',
        `<form><input type=password name=old><input type=password name=new><input type=password name=again>
            <button>Change password</button></form>`,
        ['current-password', 'new-password', 'new-password'],
    ],
    ['a code', '<form><input autocomplete=one-time-code><button>Verify</button></form>', ['one-time-code']],
    ['a code by name', '<form><input name=otp><button>Verify</button></form>', ['one-time-code']],
    [
        'a password with a code',
        '<form><input name=user><input type=password><input name=totp></form>',
        ['username', 'current-password', 'one-time-code'],
    ],
    [
        'a sign-in that says new-password to be left alone',
        `<form><input name=user><input type=password autocomplete=new-password><button>Log in</button>
            <a>Forgot password?</a></form>`,
        ['username', 'current-password'],
    ],
    [
        'a card',
        '<form><input name=card_number><input type=password name=cvv><button>Pay</button></form>',
        ['none', 'none'],
    ],
];

for (const [what, html, expected] of forms) {
    test(`${what}: ${expected.join(', ')}`, () => {
        assert.deepEqual(rolesIn(html), expected);
    });
}

test('fields of one form in several shadow roots belong together', () => {
    const document = openDocument('<form><p></p><p></p><button>Sign in</button></form>');
    const [first, second] = [...document.querySelectorAll('p')].map((host) => host.attachShadow({ mode: 'open' }));
    first.innerHTML = '<input name=user>';
    second.innerHTML = '<input type=password>';
    const { fields, description } = formAround(second.querySelector('input'));
    assert.deepEqual(fields, [first.querySelector('input'), second.querySelector('input')]);
    assert.deepEqual(classify(description), ['username', 'current-password']);
});

test('two forms of a page are told apart', () => {
    const document = openDocument(`<form><input id=a name=email type=email><button>Subscribe</button></form>
        <form><input id=b name=user><input type=password><button>Log in</button></form>`);
    assert.deepEqual(rolesOf(document.querySelector('#a')), 'none');
    assert.deepEqual(rolesOf(document.querySelector('#b')), 'username');
});

function rolesOf(field) {
    if (!isField(field)) return 'none';
    const { fields, description } = formAround(field);
    return classify(description)[fields.indexOf(field)] ?? 'none';
}

for (const [text, expected] of [
    ['userName', 'user name'],
    ['LOGIN_form-email', 'login form email'],
    ['Contraseña', 'contrasena'],
    ['  Über  uns! ', 'uber uns'],
]) {
    test(`"${text}" reads as "${expected}"`, () => {
        assert.equal(normalise(text), expected);
    });
}

test('a page of ten thousand elements is read in a moment', () => {
    const document = openDocument(
        `<form>${'<div><span>x</span></div>'.repeat(5000)}<input name=user><input type=password></form>`,
    );
    const started = performance.now();
    assert.equal(rolesOf(document.querySelector('input')), 'username');
    assert.ok(performance.now() - started < 1000);
});

test(
    'the corpus of real forms',
    { skip: corpusIsHere ? false : 'shared/fixtures/login-forms is not beside the repository' },
    () => {
        const score = { right: 0, offered: 0, labelled: 0, pages: 0 };
        /** @type {string[]} */
        const failures = [];
        for (const [file, page] of Object.entries(labels())) {
            const { byNumber } = openPage(file, page.url);
            const before = failures.length;
            for (const { field, role } of page.fields) {
                const wanted = role === 'email' ? 'none' : role;
                const given = rolesOf(byNumber.get(field));
                const isRight = given === wanted || (wanted === 'password' && given.endsWith('-password'));
                if (wanted !== 'none') {
                    score.labelled += 1;
                    score.right += isRight ? 1 : 0;
                } else if (!isRight) score.offered += 1;
                if (!isRight) failures.push(`${file} ${field}: ${wanted}, not ${given}`);
            }
            score.pages += failures.length === before ? 1 : 0;
        }
        assert.deepEqual(failures, knownFailures);
        assert.deepEqual(score, { right: 137, offered: 6, labelled: 147, pages: 49 });
    },
);
