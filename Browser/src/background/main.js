/** The background: puts the parts together. Keeps nothing that is lost when the browser ends it. */
import { hostName } from '../protocol/host.js';
import { passkeyPortName, portName } from '../protocol/page.js';
import { NativeHost } from './native-host.js';
import { PageSession } from './page-session.js';
import { PasskeySession } from './passkey-session.js';
import { readProfile } from './profile.js';
import { requesterOf } from './requester.js';
import { showStatus } from './status.js';

const surroundings = {
    storage: chrome.storage.local,
    runtime: chrome.runtime,
    navigator,
    makeIdentifier: () => crypto.randomUUID(),
};

const host = new NativeHost(
    () => chrome.runtime.connectNative(hostName),
    { version: chrome.runtime.getManifest().version, readProfile: () => readProfile(surroundings) },
    (trouble) => showStatus(trouble, chrome),
);

chrome.runtime.onConnect.addListener((port) => {
    try {
        const { sender } = port;
        if (sender?.id !== chrome.runtime.id) throw new Error('not our content script');
        if (port.name === portName) PageSession.serve(port, requesterOf(sender), host);
        else if (port.name === passkeyPortName) PasskeySession.serve(port, sender, host);
        else throw new Error('no such port');
    } catch {
        port.disconnect();
    }
});
