/** The event in which the script in the page's world hands the channel over, before the page begins. */
export const handshake = 'keyway-passkeys';
