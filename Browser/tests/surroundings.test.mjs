import assert from 'node:assert/strict';
import test from 'node:test';

/** The module as a page at `address` has it. */
async function pageAt(address) {
    globalThis.location = new URL(address);
    return import(`../src/credentials/surroundings.js?${encodeURIComponent(address)}`);
}

for (const [address, appid, isIts] of [
    ['https://login.example.org/', 'https://login.example.org/facets.json', true],
    ['https://login.example.org/', 'https://www.example.org/facets.json', true],
    ['https://login.example.org/', '', true],
    ['https://login.example.org/', 'https://example.com/', false],
    ['https://login.example.org/', 'http://login.example.org/', false],
    ['https://login.example.org/', 'https://evilexample.org/', false],
    ['https://login.example.org/', 'facets', false],
    ['https://accounts.google.com/', 'https://www.gstatic.com/securitykey/origins.json', true],
    ['https://login.example.org/', 'https://www.gstatic.com/securitykey/origins.json', false],
    ['http://localhost/', 'https://localhost/', false],
    ['http://localhost/', '', false],
]) {
    test(`the predecessor’s ID “${appid}” ${isIts ? 'may be' : 'is not'} that of ${address}`, async () => {
        const { isFacet } = await pageAt(address);
        assert.equal(isFacet(appid), isIts);
    });
}
