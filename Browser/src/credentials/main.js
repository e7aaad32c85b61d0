/** The script in the page's own world. Runs before the page does; where there are no passkeys, it does nothing. */
import { PageChannel } from './channel.js';
import { install } from './install.js';
import { clearTimeout, setTimeout } from './natives.js';
import { Requests } from './requests.js';

const { PublicKeyCredential, CredentialsContainer, navigator } = globalThis;

if (globalThis.isSecureContext && PublicKeyCredential && CredentialsContainer && navigator.credentials) {
    // Chromium refuses a second request, Firefox ends the first.
    const refusesSecond = 'userAgentData' in navigator;
    const timers = {
        setTimer: (/** @type {() => void} */ body, /** @type {number} */ milliseconds) => setTimeout(body, milliseconds),
        clearTimer: (/** @type {number} */ timer) => clearTimeout(timer),
    };
    install(globalThis, new PageChannel(document), new Requests(refusesSecond, timers), timers);
}
