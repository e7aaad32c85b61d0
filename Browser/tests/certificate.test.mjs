import assert from 'node:assert/strict';
import test from 'node:test';
import { Certificate } from '../src/page/certificate.js';
import { settle } from './ports.mjs';

const tls = new DOMException('WebAuthn is not supported on sites with TLS certificate errors.', 'NotAllowedError');
const notAllowed = new DOMException('The request is not allowed by the user agent.', 'NotAllowedError');
const policy = new DOMException('CredentialsContainer request is not allowed.', 'NotAllowedError');
const security = new DOMException('This is an invalid domain.', 'SecurityError');
const busy = new DOMException('A request is already pending.', 'OperationError');
const aborted = new DOMException('The operation was aborted.', 'AbortError');
const unsupported = new DOMException('', 'NotSupportedError');

/**
 * A page in a browser that answers the requests in turn, and the last one from then on; `undefined`: it waits until it is
 * aborted.
 */
function open({ failures, isChromium = true, origin = 'https://example.org', allowed = true, isForeign = false, isSilent = false }) {
    const asked = [];
    const take = () => (failures.length > 1 ? failures.shift() : failures[0]);
    const request = (method) => (options) => {
        asked.push([method, options]);
        const failure = take();
        if (failure instanceof TypeError) throw failure;
        return new Promise((_, reject) => {
            options.signal.addEventListener('abort', () => reject(options.signal.reason));
            if (failure instanceof Promise) failure.catch(reject);
            else if (failure) reject(failure);
        });
    };
    const policies = { allowsFeature: (name) => allowed || name !== 'publickey-credentials-get' };
    const timers = [];
    const window = {
        origin,
        Document: { prototype: isChromium ? { featurePolicy: policies } : {} },
        document: {},
        navigator: { credentials: { get: request('get'), create: request('create') } },
        PublicKeyCredential: {
            isUserVerifyingPlatformAuthenticatorAvailable: async () => {
                asked.push(['other']);
                await (isSilent ? new Promise(() => {}) : settle());
                return false;
            },
        },
        setTimeout: (body, milliseconds) => timers.push([body, milliseconds]),
    };
    window.parent = isForeign ? { origin: 'https://other.example', parent: undefined } : window;
    const pass = async () => {
        await settle();
        for (const [body] of timers.splice(0)) body();
    };
    return { certificate: new Certificate(window), asked, timers, pass };
}

/** What it comes to, however long the browser takes. */
async function outcome({ certificate, pass }) {
    const state = { isOver: false };
    const asking = certificate.isRefused().finally(() => {
        state.isOver = true;
    });
    while (!state.isOver) await pass();
    return asking;
}

for (const [what, failures, isChromium, isRefused] of [
    ['Chromium that names the certificate', [tls], true, true],
    ['Chromium that came as far as whose it is', [security], true, false],
    ['Chromium that allows nothing for another reason', [notAllowed], true, false],
    ['Chromium that knows no such request', [unsupported], true, false],
    ['Chromium that says nothing', [undefined], true, false],
    ['Chromium that was busy once, and names the certificate then', [busy, busy, tls], true, true],
    ['Chromium that was busy once, and has nothing against it then', [busy, busy, security], true, false],
    ['Chromium that is busy with this page all the time', [busy], true, true],
    ['Chromium that is busy with another frame all the time', Array(4).fill([busy, security]).flat(), true, false],
    ['Firefox that refuses', [security], false, true],
    ['Firefox that lets it wait', [undefined], false, false],
    ['Firefox that knows no such request', [unsupported], false, false],
    ['Firefox that was asked twice, and refuses then', [aborted, notAllowed, security], false, true],
    ['Firefox that this page asks all the time', [aborted], false, true],
    ['Firefox that other frames ask all the time', [notAllowed], false, false],
    ['Firefox that lets this frame get none', [policy], false, true],
    ['Chromium that throws', [new TypeError('no')], true, false],
    ['Firefox that throws', [new TypeError('no')], false, false],
]) {
    test(`${what} ${isRefused ? 'refuses' : 'refuses nothing'}`, async () => {
        const page = open({ failures: [...failures], isChromium });
        assert.equal(await outcome(page), isRefused);
    });
}

for (const origin of ['http://localhost:8080', 'http://127.0.0.1', 'null']) {
    test(`a page at ${origin} has no certificate, and its browser is asked nothing`, async () => {
        const page = open({ failures: [tls], origin });
        assert.equal(await outcome(page), false);
        assert.deepEqual(page.asked, []);
    });
}

test('no request could open a window', async () => {
    for (const isChromium of [true, false]) {
        for (const allowed of [true, false]) {
            const page = open({ failures: [security], isChromium, allowed });
            await outcome(page);
            for (const [, options] of page.asked.filter(([method]) => method !== 'other')) {
                assert.equal(options.mediation, 'conditional');
            }
        }
    }
});

test('Chromium is asked for what is nobody’s, and ends it itself', async () => {
    const page = open({ failures: [security] });
    await outcome(page);
    assert.deepEqual(page.asked.map(([method]) => method), ['get']);
    assert.deepEqual(page.asked[0][1].publicKey.extensions, { appid: 'https://keyway.invalid/' });
});

test('a page that may get none is asked to make one, but no frame of another origin: that takes its gesture', async () => {
    const own = open({ failures: [tls], allowed: false });
    assert.equal(await outcome(own), true);
    assert.deepEqual(own.asked.map(([method]) => method), ['create']);
    assert.deepEqual(own.asked[0][1].publicKey.extensions, { appidExclude: 'https://keyway.invalid/' });
    const foreign = open({ failures: [notAllowed], allowed: false, isForeign: true });
    assert.equal(await outcome(foreign), false);
    assert.deepEqual(foreign.asked.map(([method]) => method), ['get']);
});

test('in Firefox the request is taken back as soon as the other question is answered', async () => {
    const page = open({ failures: [undefined], isChromium: false });
    assert.equal(await outcome(page), false);
    assert.deepEqual(page.asked.map(([method]) => method), ['get', 'other']);
    assert.equal(page.asked[0][1].signal.aborted, true);
    assert.equal('extensions' in page.asked[0][1].publicKey, false);
});

test('a certificate that is fine is asked for once, one that is refused or unknown again', async () => {
    for (const [failure, isChromium, times] of [
        [security, true, 1],
        [undefined, false, 1],
        [tls, true, 2],
        [unsupported, true, 2],
    ]) {
        const page = open({ failures: [failure], isChromium });
        await outcome(page);
        await outcome(page);
        assert.equal(page.asked.filter(([method]) => method === 'get').length, times);
    }
});

test('two that ask at once share one request', async () => {
    const page = open({ failures: [tls] });
    assert.deepEqual(await Promise.all([page.certificate.isRefused(), page.certificate.isRefused()]), [true, true]);
    assert.equal(page.asked.length, 1);
});

test('a browser that is busy is asked again a few times, and whether it is so with this page', async () => {
    const page = open({ failures: [busy] });
    assert.equal(await outcome(page), true);
    assert.deepEqual(
        page.asked.map(([, { publicKey }]) => publicKey.rpId),
        Array(4).fill([undefined, '.']).flat(),
    );
});

test('Firefox that answers neither is not believed', async () => {
    const page = open({ failures: [undefined], isChromium: false, isSilent: true });
    assert.equal(await outcome(page), false);
    assert.equal(page.asked[0][1].signal.aborted, true);
    await outcome(page);
    assert.equal(page.asked.filter(([method]) => method === 'get').length, 2);
});

test('a page that holds the browser up wins nothing: what was answered meanwhile is heard', async () => {
    for (const [failure, isChromium] of [
        [tls, true],
        [security, false],
    ]) {
        let answer;
        const later = new Promise((_, reject) => {
            answer = () => reject(failure);
        });
        const page = open({ failures: [later], isChromium, isSilent: true });
        const asking = page.certificate.isRefused();
        await page.pass();
        answer();
        await page.pass();
        assert.equal(await asking, true);
    }
});
