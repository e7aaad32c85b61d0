import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { certain, fair, fieldRules, formRules, roleRules, slight, strong } from '../src/detection/rules.js';
import { fieldWords, formWords, lookWords, normalise } from '../src/detection/words.js';

const tables = {
    'What is typed into a field': fieldRules,
    'What a form is for': formRules,
    'Which role a field has': roleRules,
};

/** The verdicts as the documentation says them. */
const said = {
    signIn: 'sign-in',
    signUp: 'sign-up',
    current: 'stored password',
    new: 'new password',
    user: 'user name',
};

function documented() {
    return Object.entries(tables)
        .map(([title, rules]) => {
            const rows = rules.map(
                ({ name, looks, says, points, why }) =>
                    `| \`${name}\` | ${looks} | ${said[says] ?? says} | ${points} | ${why} |`,
            );
            return [`### ${title}`, '', '| rule | looks at | speaks for | points | because |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
        })
        .join('\n\n');
}

test('the documented rules are those of the code', () => {
    const path = fileURLToPath(new URL('../../Docs/forms.md', import.meta.url));
    const text = readFileSync(path, 'utf8');
    const current = text.replace(
        /(<!-- rules:.*?-->\n).*?(<!-- \/rules -->)/s,
        (_, start, end) => `${start}${documented()}\n${end}`,
    );
    if (process.env.UPDATE_DOCS) writeFileSync(path, current);
    else assert.equal(text, current, 'UPDATE_DOCS=1 node --test Browser/tests/rules.test.mjs');
});

for (const [title, rules] of Object.entries(tables)) {
    test(`${title}: each rule has its own name, a reason and one of few weights`, () => {
        assert.equal(new Set(rules.map(({ name, says }) => `${name} ${says}`)).size, rules.length);
        for (const { name, why, looks, points } of rules) {
            assert.match(name, /^[a-z-]+$/);
            assert.ok(why.length > 10 && looks.length > 3, name);
            assert.ok([certain, strong, fair, slight].includes(Math.abs(points)), name);
        }
    });
}

test('no list of words matches everything or nothing', () => {
    for (const lists of [fieldWords, formWords, lookWords]) {
        for (const [name, words] of Object.entries(lists)) {
            assert.ok(!words.test(''), name);
            assert.ok(!words.test('zzz 000'), name);
        }
    }
});

test('lists of words cost a page nothing before its first text, and ask where a word begins once', async () => {
    /** @type {string[]} */
    const made = [];
    const { RegExp } = globalThis;
    globalThis.RegExp = new Proxy(RegExp, {
        construct(target, [source, flags]) {
            made.push(source);
            return new target(source, flags);
        },
    });
    try {
        const fresh = await import('../src/detection/words.js?fresh');
        assert.deepEqual(made, []);
        const all = [fresh.fieldWords, fresh.formWords, fresh.lookWords].flatMap((words) => Object.values(words));
        const lists = all.filter((words) => !(words instanceof RegExp));
        for (const words of [...lists, ...lists]) words.test('sign in');
        assert.equal(made.length, lists.length);
    } finally {
        globalThis.RegExp = RegExp;
    }
    for (const source of made) {
        assert.ok(source.split('(?<!').length <= 2, source);
        assert.ok(source.split('(?!').length <= 3, source);
    }
});

for (const [text, topic] of [
    ['Kullanıcı adı', 'userName'],
    ['Użytkownik', 'userName'],
    ['اسم المستخدم', 'userName'],
    ['والمستخدم', 'userName'],
    ['שם המשתמש', 'userName'],
    ['請輸入帳號', 'userName'],
    ['Adresse e-mail', 'mail'],
    ['البريد الإلكتروني', 'mail'],
    ['Номер телефона', 'telephone'],
    ['パスワード', 'password'],
    ['Hasło', 'password'],
    ['รหัสผ่าน', 'password'],
    ['Mật khẩu', 'password'],
    ['短信验证码', 'code'],
    ['एक ओटीपी', 'code'],
    ['Mot de passe actuel', 'current'],
    ['Повторите пароль', 'repeat'],
]) {
    test(`"${text}" is about ${topic}`, () => {
        assert.ok(fieldWords[topic].test(normalise(text)));
    });
}

for (const [text, topic] of [
    ['Tango', 'code'],
    ['renewal', 'fresh'],
    ['golden', 'current'],
    ['nomad', 'personal'],
    ['fuser', 'userName'],
]) {
    test(`"${text}" is not about ${topic}`, () => {
        assert.ok(!fieldWords[topic].test(normalise(text)));
    });
}
