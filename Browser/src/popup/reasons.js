/**
 * Why nothing was offered on a page, from facts alone: what stands in the way first, then the page, then the accounts.
 *
 * @typedef {import('../protocol/popup.js').Look} Look
 * @typedef {{name: string, values?: string[]}} Reason the name of a text
 */
import { statusTextName } from '../background/status.js';

/**
 * @param {Look} look
 * @returns {Reason | undefined} nothing where the menu under the field offers what there is
 */
export function reasonFor(look) {
    const { page, isOff, trouble, providers } = look;
    if (!page) return { name: 'whyNoPage' };
    if (isOff) return { name: 'whyOff', values: [page.host] };
    if (trouble) return { name: statusTextName(trouble) };
    if (providers.length === 0) return { name: 'whyNoProvider' };
    return reasonOfFrames(look.frames) ?? reasonOfAccounts(look, page);
}

/** @param {Look['frames']} frames @returns {Reason | undefined} */
function reasonOfFrames(frames) {
    if (frames.length === 0) return { name: 'whyNotReached' };
    const [page] = frames;
    if (page.standing !== 'opaque' && frames.some(({ form, standing }) => form === 'shown' && standing === 'page')) {
        return undefined;
    }
    const foreign = frames.find(({ form, standing }) => form === 'shown' && standing === 'foreign');
    if (foreign) return { name: 'whyForeignFrame', values: [foreign.host] };
    if (frames.some(({ form, standing }) => form !== 'none' && standing === 'opaque')) return { name: 'whyOpaqueFrame' };
    if (frames.some(({ form }) => form === 'hidden')) return { name: 'whyHiddenFields' };
    return { name: 'whyNoFields' };
}

/**
 * @param {Look} look
 * @param {NonNullable<Look['page']>} page
 * @returns {Reason | undefined}
 */
function reasonOfAccounts({ frames, providers }, page) {
    if (frames.some(({ suggestions }) => suggestions.length > 0)) return undefined;
    const silent = providers.find(({ isSilent }) => isSilent);
    if (silent) return { name: 'whySilent', values: [silent.name] };
    if (frames.some(({ form, fields }) => form === 'shown' && fields.includes('oneTimeCode'))) {
        return { name: 'whyNoCodes', values: [page.host] };
    }
    return { name: page.isEncrypted ? 'whyNothingSaved' : 'whyNotEncrypted', values: [page.host] };
}
