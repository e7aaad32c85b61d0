/** What the background tells a frame when the person corrects a field in the context menu, and what that answers. */
import { uses } from '../corrections/store.js';
import { oneOf, required, text } from './shape.js';

/** Tells a frame to correct the field that the context menu was opened at. */
export const correctMessage = 'keyway.correct';
/** Asks, for a frame, what the person corrected on its site. */
export const correctionsMessage = 'keyway.corrections';
/** Tells every frame of a tab that what it knows of that may not be so any more. */
export const correctionsChanged = 'keyway.corrections-changed';

/**
 * @typedef {{use: import('../corrections/store.js').Use | 'undecided'}} CorrectionAsked `undecided`: Keyway decides again
 * @typedef {{origin: string, mark: string}} Corrected of the frame, and of the field in it
 */

/**
 * @param {unknown} message
 * @returns {CorrectionAsked | undefined} nothing for another message
 */
export function parseCorrection(message) {
    if (Object(message).type !== correctMessage) return undefined;
    const { use } = required(message, 'correct', ['type', 'use']);
    return { use: oneOf(use, 'correct.use', [...uses, /** @type {const} */ ('undecided')]) };
}

/** @param {unknown} value @returns {Corrected} @throws {import('./shape.js').ShapeError} */
export function parseCorrected(value) {
    const { origin, mark } = required(value, 'corrected', ['origin', 'mark']);
    return { origin: text(origin, 'corrected.origin', { atMost: 1024 }), mark: text(mark, 'corrected.mark', { atMost: 16 }) };
}
