import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseFillResult, parseFillWaiting, parseHelloResult, parseSuggestResult } from '../src/protocol/host.js';
import { parseIncoming } from '../src/protocol/jsonrpc.js';
import { parseCancel, parsePageCreate, parsePageGet, parsePageReport, parsePageSuggest } from '../src/protocol/page.js';
import { parseAssertion, parseAvailability, parseRegistration } from '../src/protocol/passkeys.js';
import { record } from '../src/protocol/shape.js';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('Docs/browser-protocol.md', root), 'utf8');

const parsers = {
    hello: parseHelloResult,
    suggest: parseSuggestResult,
    fill: (value) => parseFillResult(value, ['username', 'password']),
    list: (value) => parseFillResult(value, ['oneTimeCode']),
    'fill.waiting': parseFillWaiting,
    cancel: parseCancel,
    'passkeys.available': parseAvailability,
    'passkeys.get': parseAssertion,
    'passkeys.create': parseRegistration,
    'passkeys.report': (value) => record(value, 'report', []),
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
    suggest: ({ passkeys }) => parsePageSuggest({ passkeys }),
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
    const files = ['menu/content.js', 'menu/model.js', 'background/status.js'];
    const manifest = readFileSync(fileURLToPath(new URL('Browser/manifest.json', root)), 'utf8');
    const source =
        files.map((file) => readFileSync(new URL(`Browser/src/${file}`, root), 'utf8')).join('\n') + manifest;
    const used = new Set(
        [...source.matchAll(/'((?:menu|trouble|extension)[A-Z]\w+)'|__MSG_(\w+)__/g)].map(
            (found) => found[1] ?? found[2],
        ),
    );
    assert.deepEqual(new Set(used), new Set(Object.keys(messages)));
});

test('the manifest asks for nothing that is not used', () => {
    const manifest = JSON.parse(readFileSync(new URL('Browser/manifest.json', root), 'utf8'));
    assert.deepEqual(manifest.permissions, ['nativeMessaging', 'storage']);
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
