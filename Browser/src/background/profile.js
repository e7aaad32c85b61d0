/**
 * Which profile of which browser this is. The person allows each profile by itself, so each has an identifier of its own,
 * made once and kept; private windows belong to the profile that they were opened from.
 *
 * @typedef {{profile: string, browser: string}} BrowserProfile `browser` is what people call it
 */

/** The name under which the identifier is kept. */
const key = 'profile';
const identifierForm = /^[A-Za-z0-9-]{16,64}$/;
/** The names in Chromium's list of brands that mean nothing. */
const noBrand = /not.{0,2}a.{0,2}brand/i;

/**
 * @param {{
 *     storage: Pick<chrome.StorageArea, 'get' | 'set'>,
 *     runtime: Pick<typeof chrome.runtime, 'getBrowserInfo'>,
 *     navigator: {userAgentData?: {brands: {brand: string}[]}},
 *     makeIdentifier: () => string,
 * }} surroundings
 * @returns {Promise<BrowserProfile>}
 */
export async function readProfile({ storage, runtime, navigator, makeIdentifier }) {
    const { [key]: kept } = await storage.get(key);
    const isKept = typeof kept === 'string' && identifierForm.test(kept);
    const profile = isKept ? kept : makeIdentifier();
    // Only what will be known again is said: nobody allows a profile that has another name the next time.
    if (!isKept) await storage.set({ [key]: profile });
    return { profile, browser: await browserName(runtime, navigator) };
}

/**
 * @param {Pick<typeof chrome.runtime, 'getBrowserInfo'>} runtime
 * @param {{userAgentData?: {brands: {brand: string}[]}}} navigator
 */
async function browserName(runtime, navigator) {
    const brands = (navigator.userAgentData?.brands ?? []).map(({ brand }) => brand).filter((name) => !noBrand.test(name));
    // Every relative of Chromium names that one too, and itself.
    const name = (await runtime.getBrowserInfo?.())?.name ?? brands.find((brand) => brand !== 'Chromium') ?? brands[0];
    return (name ?? '').replace(/[^\x20-\x7e]/g, '').trim().slice(0, 64) || 'Browser';
}
