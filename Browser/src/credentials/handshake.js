/** The event in which the script in the page's world hands the channel over, before the page begins. */
export const handshake = 'keyway-passkeys';

/** The longest message that the content script looks at, in UTF-16 units. */
export const longest = 1 << 21;
