import assert from 'node:assert/strict';
import test from 'node:test';
import { foreignDestination } from '../src/fill/destination.js';
import { openDocument } from './corpus.mjs';

/** Where the form of the field `user` in `html` sends, on a page of https://site.test. */
function destination(html) {
    const document = openDocument(html);
    return foreignDestination(document.querySelector('input[name=user]'), 'https://site.test');
}

const evil = { host: 'evil.test', isEncrypted: true };
const field = '<input name=user>';

for (const [what, html, expected] of [
    ['the page itself', `<form>${field}</form>`, undefined],
    ['an address of the same origin', `<form action=/login>${field}</form>`, undefined],
    ['no form', field, undefined],
    ['another origin', `<form action=https://evil.test/>${field}</form>`, evil],
    ['an insecure one', `<form action=http://site.test/>${field}</form>`, { host: 'site.test', isEncrypted: false }],
    ['a script', `<form action=javascript:alert(1)>${field}</form>`, undefined],
    ['an address that is none', `<form action=https://[>${field}</form>`, undefined],
    ['a button elsewhere', `<form action=/login>${field}<button formaction=https://evil.test/>in</form>`, evil],
    ['one of two buttons', `<form>${field}<button>a</button><button formaction=//evil.test>b</form>`, evil],
    ['a button of type submit', `<form>${field}<input type=submit formaction=//evil.test></form>`, evil],
    ['a picture', `<form>${field}<input type=IMAGE formaction=//evil.test></form>`, evil],
    ['a button outside of the form', `<form id=f>${field}</form><button form=f formaction=//evil.test>`, evil],
    ['a button of another form', `<form>${field}</form><form><button formaction=//evil.test></form>`, undefined],
    ['a button that sends nothing', `<form>${field}<button type=button formaction=//evil.test></form>`, undefined],
    ['a button at home', `<form>${field}<button formaction=/other></form>`, undefined],
    ['the form and a button', `<form action=//evil.test>${field}<button formaction=/in></form>`, evil],
    ['a button whose name stands before a property', `<form>${field}<button name=form formaction=//evil.test></form>`, evil],
]) {
    test(`a form sends to ${what}`, () => assert.deepEqual(destination(html), expected));
}
