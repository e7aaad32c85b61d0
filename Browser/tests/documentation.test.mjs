import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { picturesOf } from '../src/background/status.js';
import {
    parseFillResult,
    parseFillWaiting,
    parseHelloResult,
    parseHostState,
    parseInsertResult,
    parseSetUpResult,
    parseSuggestResult,
    parseTextsResult,
} from '../src/protocol/host.js';
import { parseIncoming } from '../src/protocol/jsonrpc.js';
import {
    parseCancel,
    parsePageCreate,
    parsePageGet,
    parsePageInsert,
    parsePageReport,
    parsePageSetUp,
    parsePageSuggest,
    parsePageTexts,
} from '../src/protocol/page.js';
import { parseAssertion, parseAvailability, parseRegistration } from '../src/protocol/passkeys.js';
import {
    parseChangePage,
    parseGenerated,
    parseNothing,
    parseSavingSupport,
    parseSettled,
    parseUnsavedSites,
} from '../src/protocol/saving.js';
import { record } from '../src/protocol/shape.js';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('Docs/browser-protocol.md', root), 'utf8');

const parsers = {
    hello: parseHelloResult,
    suggest: parseSuggestResult,
    'setUp.offered': parseSuggestResult,
    setUp: parseSetUpResult,
    fill: (value) => parseFillResult(value, ['username', 'password']),
    list: (value) => parseFillResult(value, ['oneTimeCode']),
    texts: parseTextsResult,
    insert: parseInsertResult,
    code: (value) => parseFillResult(value, ['oneTimeCode']),
    'fill.waiting': parseFillWaiting,
    state: parseHostState,
    lock: (value) => record(value, 'lock', []),
    cancel: parseCancel,
    'passkeys.available': parseAvailability,
    'passkeys.get': parseAssertion,
    'passkeys.create': parseRegistration,
    'passkeys.report': (value) => record(value, 'report', []),
    'passwords.available': parseSavingSupport,
    'passwords.generate': parseGenerated,
    'passwords.keep': parseNothing,
    'passwords.submit': parseNothing,
    'passwords.settle': parseSettled,
    'passwords.unsaved': parseUnsavedSites,
    'passwords.askAgain': parseNothing,
    'passwords.changePage': parseChangePage,
    error: (error) => {
        const { type } = parseIncoming({ jsonrpc: '2.0', id: 1, error });
        assert.equal(type, 'error');
    },
};

for (const [name, parse] of Object.entries(parsers)) {
    test(`the documented ${name} is what the extension takes`, () => {
        const example = new RegExp(`\`\`\`json ${name}\\n(.*?)\`\`\``, 's').exec(text);
        parse(JSON.parse(example[1]));
    });
}

/** What the host is asked, without what the background adds to it. */
const questions = {
    // The realm is the browser's word, and no page's.
    suggest: ({ passkeys }) => parsePageSuggest({ passkeys }),
    setUp: ({ url: _url, private: _private, ...asked }) => parsePageSetUp(asked),
    texts: ({ url: _url, private: _private, ...asked }) => parsePageTexts(asked),
    insert: ({ provider }) => parsePageInsert({ provider }),
    'passkeys.get': ({ request }) => parsePageGet({ request, isCrossOrigin: false }),
    'passkeys.create': ({ request, isConditional }) => parsePageCreate({ request, isConditional, isCrossOrigin: true }),
    'passkeys.report': ({ report }) => parsePageReport({ report }),
};

for (const [name, parse] of Object.entries(questions)) {
    test(`the documented question of ${name} is one that a page may bring about`, () => {
        const [, section] = new RegExp(`\n## \`${name}\`\n(.*?)\n## `, 's').exec(`${text}\n## `);
        const examples = [...section.matchAll(/```json\n(.*?)```/gs)];
        assert.notEqual(examples.length, 0);
        for (const [, example] of examples) parse(JSON.parse(example));
    });
}

test('every text that the code names is there, and no other', () => {
    const messages = JSON.parse(readFileSync(new URL('Browser/_locales/en/messages.json', root), 'utf8'));
    const folder = fileURLToPath(new URL('Browser/src', root));
    const files = readdirSync(folder, { recursive: true }).filter((file) => /\.(?:js|html)$/.test(file));
    const manifest = readFileSync(fileURLToPath(new URL('Browser/manifest.json', root)), 'utf8');
    const source = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n') + manifest;
    const used = new Set(
        [...source.matchAll(/['"]((?:menu|trouble|extension|icon|command|popup|why|options|correct|basic|help)[A-Z]\w+)['"]|__MSG_(\w+)__/g)].map(
            (found) => found[1] ?? found[2],
        ),
    );
    // Of the language itself: read by every page of the extension's own.
    for (const name of ['language', 'direction']) {
        assert.match(source, new RegExp(`translate\\('${name}'\\)`));
        used.add(name);
    }
    assert.deepEqual(new Set(used), new Set(Object.keys(messages)));
});

const readTexts = (name) => JSON.parse(readFileSync(new URL(`Browser/_locales/${name}/messages.json`, root), 'utf8'));
const placesIn = (message) => new Set([...message.matchAll(/\$\w+\$/g)].map(([place]) => place));

for (const language of ['de', 'ar']) {
    test(`${language} has each text, with the same places for names`, () => {
        const [english, translated] = [readTexts('en'), readTexts(language)];
        assert.deepEqual(Object.keys(translated), Object.keys(english));
        for (const [name, { message, placeholders }] of Object.entries(english)) {
            const other = translated[name];
            assert.deepEqual(other.placeholders, placeholders, name);
            assert.deepEqual(placesIn(other.message), placesIn(message), name);
            assert.notEqual(other.message, '', name);
            // A command is typed as it is.
            for (const [command] of message.matchAll(/keyway [a-z]+(?: [a-z-]+)?$/g)) assert.ok(other.message.includes(command), name);
        }
    });
}

test('each picture of the toolbar button is there, in its size', () => {
    for (const state of ['ready', 'locked', 'trouble', 'off']) {
        for (const [size, path] of Object.entries(picturesOf(state))) {
            const picture = readFileSync(new URL(`Browser${path}`, root));
            assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [Number(size), Number(size)]);
        }
    }
});

test('the manifest asks for nothing that is not used', () => {
    const manifest = JSON.parse(readFileSync(new URL('Browser/manifest.json', root), 'utf8'));
    assert.deepEqual(manifest.permissions, [
        'contextMenus',
        'nativeMessaging',
        'storage',
        'webRequest',
        'webRequestAuthProvider',
    ]);
    assert.deepEqual(manifest.optional_permissions, ['privacy']);
    assert.equal(manifest.web_accessible_resources, undefined);
    assert.equal(manifest.externally_connectable, undefined);
});

test('every kind of error of the native host is documented, in both places', () => {
    const table = new Set([...text.matchAll(/^\| `(\w+)` \|/gm)].map((found) => found[1]));
    const host = readFileSync(new URL('Sources/BrowserHost/HostFailure.swift', root), 'utf8');
    const kinds = new Set([...host.matchAll(/^ {8}case (\w+)$/gm)].map((found) => found[1]));
    assert.deepEqual(table, kinds);
    const errors = readFileSync(new URL('Browser/src/protocol/errors.js', root), 'utf8');
    for (const kind of kinds) assert.match(errors, new RegExp(`\`${kind}\``));
});
