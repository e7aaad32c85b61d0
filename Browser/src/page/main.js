/** The content script: watches where the person goes, and keeps at most one visit open. */
import { PageCorrections } from '../corrections/page.js';
import { readSite } from '../corrections/store.js';
import { rootsAround } from '../detection/composed.js';
import { formAround } from '../detection/describe.js';
import { attributeOf } from '../detection/dom.js';
import { framesAround } from '../detection/frames.js';
import { takesAnything } from '../fill/fill.js';
import { AnsweringEnd } from '../protocol/answering-end.js';
import { correctionsMessage } from '../protocol/correction.js';
import { insertOrder, orderIn } from '../protocol/orders.js';
import { outcomeMessage } from '../protocol/saving.js';
import { Saver } from '../save/saver.js';
import { Visit } from './autofill.js';
import { Background } from './background.js';
import { Certificate } from './certificate.js';
import { listenForChoices } from './chosen.js';
import { listenForCorrections } from './correction.js';
import { FocusWatch } from './focus.js';
import { Insertions } from './insertion.js';
import { isFrameOfThePage, surroundingsOf } from './frame.js';
import { meetPage } from './page-port.js';
import { PasskeyDesk } from './passkey-desk.js';

const background = new Background();

const desk = new PasskeyDesk(background, surroundingsOf(window), new Certificate(window), passkeysChanged);

const corrections = new PageCorrections({ read: async () => readSite(await chrome.runtime.sendMessage(correctionsMessage)) });
const saver = new Saver(window, background, {
    isPrivate: chrome.extension?.inIncognitoContext === true,
    now: () => performance.now(),
    form: (field) => {
        const form = formAround(field);
        return { fields: form.fields, roles: corrections.rolesIn(form) };
    },
    current: () => focus.current(),
});

/** @type {Visit | undefined} */
let visit;
let isFilling = false;

const now = () => performance.now();

const focus = new FocusWatch(
    window,
    {
        onEnter: (field) => enter(field),
        onLeave: () => {
            if (visit && focus.current() !== visit.field) leave();
        },
    },
    now,
);

const translate = (/** @type {string} */ name, /** @type {string[] | undefined} */ values) =>
    chrome.i18n.getMessage(name, values);

const insertions = new Insertions(window, background, { translate, now });

/** @param {HTMLInputElement} field */
function enter(field) {
    if (isFilling || (visit && !visit.isOver && visit.field === field)) return;
    leave();
    saver.visit(field);
    if (!corrections.isKnown) {
        void enterLater(field);
        return;
    }
    const form = formAround(field);
    const { fields } = form;
    const roles = corrections.rolesIn(form);
    const role = roles[fields.indexOf(field)];
    const takes = takesAnything(role) || role === 'new-password';
    if (!takes && !(desk.waiting && asksForPasskeys(field))) return;
    visit = new Visit(field, { fields, roles }, background, desk, {
        translate,
        now,
        filling: whileFilling,
        saver,
    });
    watchAround(field, visit.signal);
    void visit.open();
}

/**
 * Enters once it is known what the person corrected on this site, if they are still there.
 * @param {HTMLInputElement} field
 */
async function enterLater(field) {
    await corrections.load();
    if (focus.current() === field) enter(field);
}

function leave() {
    visit?.end();
    visit = undefined;
}

/** @param {HTMLInputElement} field whether its page offers passkeys there (HTML, section 4.10.18.7) */
function asksForPasskeys(field) {
    return /\bwebauthn\s*$/i.test(attributeOf(field, 'autocomplete'));
}

/**
 * A menu that stands open shows passkeys from now on, or no longer.
 * @param {boolean} isWaiting
 */
function passkeysChanged(isWaiting) {
    if (!visit || visit.isOver || (isWaiting ? visit.isBusy : visit.isBusyWithPassword)) return;
    const { field } = visit;
    leave();
    if (isWaiting && focus.current() === field) enter(field);
}

/**
 * The fill moves the focus from field to field, which is no visit of the person.
 * @param {() => void} during
 */
function whileFilling(during) {
    isFilling = true;
    try {
        during();
    } finally {
        isFilling = false;
    }
}

/** @param {KeyboardEvent} event */
function keydown(event) {
    if (!event.isTrusted || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const field = focus.current();
    if (!field) return;
    const isForMenu = visit?.isOpen === true && visit.field === field;
    if (isForMenu && visit?.press(event)) return swallow(event);
    if (event.key === 'Enter') saver.attempt(event);
    if (isForMenu) {
        if (event.key === 'Tab') leave();
    } else if (event.key === 'ArrowDown') {
        enter(field);
    }
}

/** @param {Event} event */
function swallow(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
}

/**
 * Something of the page came into or out of the top layer: what was below the menu may be above it now.
 * @param {Event} event
 */
function layerChanged({ target }) {
    if (visit?.isOpen && target !== visit.host) leave();
}

const layerEvents = ['beforetoggle', 'toggle', 'close', 'fullscreenchange'];

/**
 * What happens where the field stands, in the pages around its frame too, where the menu is drawn.
 * @param {HTMLInputElement} field
 * @param {AbortSignal} signal
 */
function watchAround(field, signal) {
    for (const root of rootsAround(field)) watchLayer(root, signal);
    for (const { frame, view } of framesAround(window) ?? []) {
        for (const root of [view, ...rootsAround(frame)]) watchLayer(root, signal);
        view.addEventListener('scroll', place, { capture: true, passive: true, signal });
        view.addEventListener('resize', place, { signal });
    }
}

/**
 * @param {EventTarget} root
 * @param {AbortSignal} signal
 */
function watchLayer(root, signal) {
    for (const name of layerEvents) root.addEventListener(name, layerChanged, { capture: true, signal });
}

/** @param {Event} event */
function attempt(event) {
    saver.attempt(event);
}

function putAside() {
    leave();
    saver.leave();
    background.hangUp();
}

function place() {
    visit?.place();
}

/** Adding a listener that is there already does nothing, so this may be called again. */
function listen() {
    window.addEventListener('keydown', keydown, true);
    window.addEventListener('submit', attempt, true);
    window.addEventListener('click', attempt, true);
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    window.addEventListener('pagehide', putAside);
    for (const name of layerEvents) window.addEventListener(name, layerChanged, true);
    focus.listen(window);
    insertions.listen();
}

if (window.isSecureContext) meetPage(document, (port) => new AnsweringEnd(port, (_, ...asked) => desk.perform(...asked)));

/** The person pressed the keys for the menu, wherever in the browser they are. */
function openMenu() {
    const field = focus.current();
    if (field && document.hasFocus() && isFrameOfThePage(window) && !visit?.isOpen) enter(field);
}

listenForChoices(window, { focused: () => focus.current(), filling: whileFilling, openMenu, corrections });

listenForCorrections(window, { focused: () => focus.current(), enter, leave, corrections });

if (isFrameOfThePage(window)) {
    listen();
    chrome.runtime.onMessage.addListener((message, sender, respond) => {
        // A page that is not whole yet says nothing.
        if (sender.id === chrome.runtime.id && message === outcomeMessage && document.readyState === 'complete') {
            respond(saver.look());
        }
        const order = orderIn(message, sender, chrome.runtime.id);
        if (order === undefined) return;
        leave();
        if (order === insertOrder) insertions.begin();
        else insertions.beginHere();
    });
    // `document.open()` takes every listener off the window.
    new MutationObserver(listen).observe(document, { childList: true });
}
