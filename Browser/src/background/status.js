/** Says on the toolbar button what stands between this browser and the accounts, and what to do about it. */

/** @type {Record<string, string>} error kind to the name of its text */
const texts = {
    hostMissing: 'troubleHostMissing',
    hostForbidden: 'troubleHostForbidden',
    brokerUnreachable: 'troubleBrokerUnreachable',
    versionMismatch: 'troubleVersionMismatch',
    notApproved: 'troubleNotApproved',
    rateLimited: 'troubleRateLimited',
};

/** @param {import('../protocol/errors.js').AutoFillError | undefined} trouble @returns {string} */
export function statusTextName(trouble) {
    return trouble ? (texts[trouble.kind] ?? 'troubleHostFailed') : 'extensionName';
}

/**
 * @param {import('../protocol/errors.js').AutoFillError | undefined} trouble
 * @param {Pick<typeof chrome, 'action' | 'i18n'>} browser
 */
export function showStatus(trouble, { action, i18n }) {
    void action.setTitle({ title: i18n.getMessage(statusTextName(trouble)) });
    void action.setBadgeText({ text: trouble ? '!' : '' });
}
