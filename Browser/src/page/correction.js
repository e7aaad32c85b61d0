/**
 * The frame's end of a correction: remembers at which field the context menu was opened, and uses it as the person says.
 *
 * @typedef {object} Surroundings
 * @property {() => HTMLInputElement | undefined} focused
 * @property {(field: HTMLInputElement) => void} enter shows what there is for a field
 * @property {() => void} leave
 * @property {Pick<import('../corrections/page.js').PageCorrections, 'isKnown' | 'load' | 'correct' | 'forget'>} corrections
 */
import { formAround, isField } from '../detection/describe.js';
import { correctionsChanged, parseCorrection } from '../protocol/correction.js';

/**
 * @param {Window} window
 * @param {Surroundings} surroundings
 */
export function listenForCorrections(window, surroundings) {
    /** @type {WeakRef<HTMLInputElement> | undefined} */
    let chosen;
    // Of a closed shadow root nothing but its host comes out; the field in it has the focus.
    const remember = (/** @type {Event} */ event) => {
        if (!event.isTrusted) return;
        const [target] = event.composedPath();
        const field = isField(target) ? target : surroundings.focused();
        chosen = field && new WeakRef(field);
    };
    window.addEventListener('contextmenu', remember, true);
    chrome.runtime.onMessage.addListener((message, sender, answer) => {
        // A content script has a tab; the background has none.
        if (sender.id !== chrome.runtime.id || sender.tab) return false;
        if (message === correctionsChanged) surroundings.corrections.forget();
        const asked = parseCorrection(message);
        if (!asked) return false;
        const field = chosen?.deref();
        void correct(field?.isConnected ? field : surroundings.focused(), asked.use, surroundings).then((mark) =>
            answer(mark === undefined ? null : { origin: window.origin, mark }),
        );
        return true;
    });
}

/**
 * @param {HTMLInputElement | undefined} field
 * @param {import('../protocol/correction.js').CorrectionAsked['use']} use
 * @param {Surroundings} surroundings
 * @returns {Promise<string | undefined>} the mark of the field, if it can be used so
 */
async function correct(field, use, { focused, enter, leave, corrections }) {
    if (!field) return undefined;
    if (!corrections.isKnown) await corrections.load();
    const mark = corrections.correct(formAround(field), field, use === 'undecided' ? undefined : use);
    if (mark === undefined) return undefined;
    leave();
    if (focused() === field) enter(field);
    return mark;
}
