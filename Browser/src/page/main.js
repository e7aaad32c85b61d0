/** The content script: watches where the person goes, and keeps at most one visit open. */
import { classify } from '../detection/classify.js';
import { rootsAround } from '../detection/composed.js';
import { formAround } from '../detection/describe.js';
import { attributeOf } from '../detection/dom.js';
import { framesAround } from '../detection/frames.js';
import { takesAnything } from '../fill/fill.js';
import { AnsweringEnd } from '../protocol/answering-end.js';
import { Visit } from './autofill.js';
import { Background } from './background.js';
import { FocusWatch } from './focus.js';
import { isFrameOfThePage, surroundingsOf } from './frame.js';
import { meetPage } from './page-port.js';
import { PasskeyDesk } from './passkey-desk.js';

const background = new Background();

const desk = new PasskeyDesk(background, surroundingsOf(window), passkeysChanged);

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

/** @param {HTMLInputElement} field */
function enter(field) {
    if (isFilling || (visit && !visit.isOver && visit.field === field)) return;
    leave();
    const { fields, description } = formAround(field);
    const roles = classify(description);
    const role = roles[fields.indexOf(field)];
    if (!takesAnything(role) && !(desk.waiting && asksForPasskeys(field))) return;
    visit = new Visit(field, { fields, roles }, background, desk, {
        translate: (name, values) => chrome.i18n.getMessage(name, values),
        now,
        filling: whileFilling,
    });
    watchAround(field, visit.signal);
    void visit.open();
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
    if (visit?.isOpen && visit.field === field) {
        if (visit.press(event)) swallow(event);
        else if (event.key === 'Tab') leave();
    } else if (event.key === 'ArrowDown') {
        enter(field);
    }
}

/** @param {Event} event */
function swallow(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
}

/** Something of the page came into or out of the top layer: what was below the menu may be above it now. */
function layerChanged() {
    if (visit?.isOpen) leave();
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

function putAside() {
    leave();
    background.hangUp();
}

function place() {
    visit?.place();
}

/** Adding a listener that is there already does nothing, so this may be called again. */
function listen() {
    window.addEventListener('keydown', keydown, true);
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    window.addEventListener('pagehide', putAside);
    for (const name of layerEvents) window.addEventListener(name, layerChanged, true);
    focus.listen(window);
}

if (window.isSecureContext) meetPage(document, (port) => new AnsweringEnd(port, (_, ...asked) => desk.perform(...asked)));

if (isFrameOfThePage(window)) {
    listen();
    // `document.open()` takes every listener off the window.
    new MutationObserver(listen).observe(document, { childList: true });
}
