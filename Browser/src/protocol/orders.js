/** What the background tells a frame by itself, after the person asked for it in the browser's own interface. */

/** Text is to be inserted into the field on which the context menu was opened. */
export const insertOrder = 'insert';

/** Text is to be inserted where the person is: they pressed the keys for it. */
export const insertHereOrder = 'insert-here';

const orders = [insertOrder, insertHereOrder];

/**
 * @param {unknown} message
 * @param {chrome.MessageSender} sender
 * @param {string} ourselves the extension's identifier
 * @returns {string | undefined} the order, where it comes from our background
 */
export function orderIn(message, sender, ourselves) {
    if (sender.id !== ourselves || sender.tab || typeof message !== 'object' || message === null) return undefined;
    const { order } = /** @type {{order?: unknown}} */ (message);
    return orders.find((each) => each === order);
}
