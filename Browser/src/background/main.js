/** The background: puts the parts together. Keeps nothing that is lost when the browser ends it. */
import { Corrections } from '../corrections/store.js';
import { basicPortName } from '../protocol/basic.js';
import { framePortName, menuMessage } from '../protocol/frame.js';
import { hostName } from '../protocol/host.js';
import { insertHereOrder } from '../protocol/orders.js';
import { passkeyPortName, portName } from '../protocol/page.js';
import { popupPortName } from '../protocol/popup.js';
import { outcomeMessage, parsePageLook } from '../protocol/saving.js';
import { AuthDesk } from './auth-desk.js';
import { ChangePage } from './change-page.js';
import { serveContextMenu } from './context-menu.js';
import { serveCorrections } from './correction-desk.js';
import { CorrectionMenu } from './correction-menu.js';
import { FrameDesk } from './frames.js';
import { Gestures } from './gestures.js';
import { NativeHost } from './native-host.js';
import { OwnSaving } from './own-saving.js';
import { PageSession } from './page-session.js';
import { PasskeySession } from './passkey-session.js';
import { PopupSession } from './popup-session.js';
import { readProfile } from './profile.js';
import { isOwnPage, requesterOf } from './requester.js';
import { followSiteAccess } from './site-access.js';
import { Sites } from './sites.js';
import { Toolbar } from './status.js';
import { Submissions } from './submissions.js';

const surroundings = {
    storage: chrome.storage.local,
    runtime: chrome.runtime,
    navigator,
    makeIdentifier: () => crypto.randomUUID(),
};

const sites = new Sites(chrome.storage.local);
const ownSaving = new OwnSaving(chrome);
const toolbar = new Toolbar(chrome, (address) => sites.isOff(address));
void followSiteAccess(chrome);

const host = new NativeHost(
    () => chrome.runtime.connectNative(hostName),
    { version: chrome.runtime.getManifest().version, readProfile: () => readProfile(surroundings) },
    (trouble) => toolbar.tellTrouble(trouble),
    { isOff: (address) => sites.isOff(address), onPage: () => tellLocks(), onSetUp: () => void ownSaving.tell(true) },
);

const desk = new FrameDesk((tab, message) => chrome.tabs.sendMessage(tab, message));
/** @param {import('../protocol/host.js').HostState} state */
const tellState = (state) => toolbar.tellState(state);
/** @param {number} milliseconds @returns {Promise<void>} */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** @param {number} number */
const tabOf = (number) => chrome.tabs.get(number);
const home = chrome.runtime.getURL('');
const submissions = new Submissions(host, {
    makeIdentifier: () => crypto.randomUUID(),
    now: () => performance.now(),
    look: async ({ tab, frame }) => parsePageLook(await chrome.tabs.sendMessage(tab, outcomeMessage, { frameId: frame })),
    follow: followTabs,
    trouble: (error) => toolbar.tellUnsaved(error),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
});

/** @param {number} tab @param {{status?: string}} change */
function tabUpdated(tab, { status }) {
    if (status === 'complete') void submissions.arrived(tab);
}

/** @param {number} tab */
function tabRemoved(tab) {
    submissions.gone(tab);
}

/**
 * Tabs are followed only while a form was sent in one.
 * @param {boolean} isWanted
 */
function followTabs(isWanted) {
    const { onUpdated, onRemoved } = chrome.tabs;
    if (isWanted === onUpdated.hasListener(tabUpdated)) return;
    if (isWanted) {
        onUpdated.addListener(tabUpdated);
        onRemoved.addListener(tabRemoved);
    } else {
        onUpdated.removeListener(tabUpdated);
        onRemoved.removeListener(tabRemoved);
    }
}

const gestures = new Gestures(() => Date.now());

serveContextMenu(chrome, gestures);
new ChangePage(chrome, host).offer();

chrome.runtime.onConnect.addListener((port) => {
    try {
        const { sender } = port;
        if (sender?.id !== chrome.runtime.id) throw new Error('not our content script');
        if (port.name === portName) {
            const place = { tab: sender.tab?.id ?? -1, frame: sender.frameId ?? 0 };
            PageSession.serve(port, requesterOf(sender), host, { submissions, place }, () => gestures.take(sender));
            port.onDisconnect.addListener(() => void submissions.departed(place));
        } else if (port.name === passkeyPortName) PasskeySession.serve(port, sender, host);
        else if (port.name === framePortName) desk.accept(port, sender);
        else if (port.name === popupPortName && isOwnPage(sender, home)) {
            PopupSession.serve(port, { host, desk, sites, tabOf, tellState, pause });
            tellLocks();
        } else if (port.name === basicPortName && isOwnPage(sender, home)) authDesk.serve(port);
        else throw new Error('no such port');
    } catch {
        port.disconnect();
    }
});

/** In pixels. */
const windowSize = { width: 420, height: 460 };

const authDesk = new AuthDesk({
    host,
    tabOf,
    open: async (path) => void (await chrome.windows.create({ type: 'popup', url: chrome.runtime.getURL(path), ...windowSize })),
    makeIdentifier: () => crypto.randomUUID(),
});
const pages = { urls: ['http://*/*', 'https://*/*'], types: ['main_frame'] };
chrome.webRequest.onAuthRequired.addListener(
    (details, answer) => void authDesk.answer(details).then(answer),
    pages,
    ['asyncBlocking'],
);
chrome.webRequest.onErrorOccurred.addListener(({ requestId }) => authDesk.end(requestId), pages);

/** How long what is known of the locks counts, in milliseconds. */
const locksLast = 3000;
let locksAsked = -Infinity;

/** Looks at the providers' locks while the browser is in use anyway. */
function tellLocks() {
    if (Date.now() - locksAsked < locksLast) return;
    locksAsked = Date.now();
    host.state().then(
        tellState,
        () => {},
    );
}

// Right after it was installed, the person learns what is missing.
chrome.runtime.onInstalled.addListener(() => tellLocks());

chrome.tabs.onUpdated.addListener((number, { status }, tab) => {
    if (status !== 'complete') return;
    authDesk.endTab(number);
    void toolbar.tellPage(number, tab.url);
});
chrome.tabs.onRemoved.addListener((number) => authDesk.endTab(number));

// The page of options changes them too.
chrome.storage.onChanged.addListener(async () => {
    for (const { id, url } of await chrome.tabs.query({})) {
        if (id !== undefined) void toolbar.tellPage(id, url, true);
    }
});

chrome.commands.onCommand.addListener((command, tab) => {
    if (tab?.id === undefined) return;
    if (command === 'open-menu') chrome.tabs.sendMessage(tab.id, menuMessage).catch(() => {});
    if (command === 'insert-text') {
        // The frame that has the focus knows so; it is one of the page's own.
        gestures.note(tab.id);
        chrome.tabs.sendMessage(tab.id, { order: insertHereOrder }).catch(() => {});
    }
});

const corrections = new Corrections(chrome.storage.local);
serveCorrections(chrome, corrections);
new CorrectionMenu(chrome, corrections).offer();
