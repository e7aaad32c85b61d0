/**
 * The one error that the extension's parts hand to each other: a kind to compare and a message to read.
 *
 * Kinds that the native host answers with: `notFound`, `refused` (this page may not have it), `notAllowed` (nobody may
 * have that, or no passkey is made in the background: nothing says why), `cancelled`, `timedOut`, `noProvider`,
 * `elsewhere` (nobody here has that passkey, or the person chose another device), `exists` (a passkey that the site
 * excludes is kept here), `providerFailed`, `tooManyRequests`, `notApproved` (the person has not allowed this browser),
 * `forbidden` (the administrator of the computer does not), `rateLimited` (it asked for too much in too short a time), `notVerified`, `needsPerson` (where nobody can be asked), `brokerUnreachable`,
 * `versionMismatch`, `invalid`.
 * Kinds of the extension itself: `hostMissing` (no host is registered with this browser), `hostForbidden` (one is,
 * but for another extension), `hostExited`, `protocolViolation` (it said something that the protocol does not know),
 * `disconnected` (this page lost its connection to the background), `siteOff` (the person turned Keyway off for this
 * site), `unsupported` (the host is older), `notFilled` (the fields were not there any more, or not seen).
 */
export class AutoFillError extends Error {
    name = 'AutoFillError';

    /** @param {string} kind @param {string} [message] never holds a secret or the content of a page */
    constructor(kind, message = kind) {
        super(message);
        this.kind = kind;
    }
}

/** @param {unknown} error @returns {string} */
export function kindOf(error) {
    if (error instanceof AutoFillError) return error.kind;
    if (error instanceof Error && error.name === 'ShapeError') return 'invalid';
    if (error instanceof Error && error.name === 'AbortError') return 'cancelled';
    return 'internal';
}

/** @param {unknown} error @returns {{kind: string, message: string}} without a message where it is not Keyway's */
export function named(error) {
    return { kind: kindOf(error), message: error instanceof AutoFillError ? error.message : '' };
}

/** The kinds whose message, a sentence of Keyway's for the person, says more than the extension's own words. */
export const toldInFull = new Set(['needsPerson', 'notVerified', 'notApproved', 'forbidden', 'rateLimited']);
