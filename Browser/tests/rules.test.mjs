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

/** Sites that many people know, as pages write them. A rule about one of them would remember where it should explain. */
const bigSites = `
    adobe, airbnb, aliexpress, alipay, allegro, amazon, apple, avito, baidu, bilibili, coinbase, deviantart, discord, douyin,
    dropbox, ebay, etsy, facebook, flickr, github, gitlab, gmail, google, hotmail, icloud, imgur, instagram, kakao, linkedin,
    mercadolibre, messenger, microsoft, naver, netflix, outlook, paypal, pinterest, quora, rakuten, reddit, shopify, skype,
    snapchat, soundcloud, spotify, stackoverflow, taobao, telegram, tencent, tiktok, tumblr, twitch, twitter, vimeo, vkontakte,
    walmart, wechat, weibo, weixin, whats app, whatsapp, wikipedia, wordpress, yahoo, yandex, youtube, zalando,
    百度, 淘宝, 支付宝, 微信, 微博, 腾讯, 谷歌, 苹果, 微软, グーグル, アマゾン, 楽天, 네이버, 카카오, 구글, яндекс, вконтакте, гугл,
    госуслуги, فيسبوك, جوجل, أمازون
`.split(',').map((name) => name.trim());

/** What is no site where it stands, and why. */
const noSites = {
    'whats app': 'a telephone that codes are sent to: many pages ask for a “WhatsApp number” where others ask for a mobile one',
};

/** @param {string} source @returns {string[]} the big sites that it names, in whatever it says */
function sitesIn(source) {
    const text = source.toLowerCase();
    return bigSites.filter((name) => text.includes(name)).filter((name) => !(name in noSites));
}

test('no rule and no list of words names a site', () => {
    for (const name of ['rules.js', 'words.js']) {
        const source = readFileSync(new URL(`../src/detection/${name}`, import.meta.url), 'utf8');
        assert.deepEqual(sitesIn(source), [], name);
        // It would be found: in a pattern, in a list, within a longer word.
        for (const site of bigSites.filter((each) => !(each in noSites))) {
            assert.deepEqual(sitesIn(`${source}\n/短信|my${site.toUpperCase()}Code/`), [site], name);
        }
    }
});

test('what is excepted from that is a word for something else still', () => {
    assert.deepEqual(Object.keys(noSites).filter((name) => !fieldWords.telephone.test(name)), []);
    assert.ok(fieldWords.telephone.test(normalise('WhatsApp-Nummer')));
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
