/**
 * Whether the extension may see the sites' forms. Browsers grant the manifest's `host_permissions` as they install it, and
 * let the person take them away; an extension that a package put into a profile may never have got them. Then nothing can
 * be filled anywhere, and a click on the toolbar button asks for them, instead of opening its window.
 */

/** @typedef {Pick<typeof chrome, 'action' | 'i18n' | 'permissions' | 'runtime'>} AskingBrowser */

/**
 * Follows what is granted; to be called while the background starts, so that a click finds its listener.
 * @param {AskingBrowser} browser
 * @returns {Promise<void>} once the button does what it should
 */
export function followSiteAccess({ action, i18n, permissions, runtime }) {
    const manifest = runtime.getManifest();
    const popup = manifest.action?.default_popup ?? '';
    const wanted = { origins: manifest.host_permissions ?? [] };
    let wasGranted = true;
    const look = async () => {
        const isGranted = await permissions.contains(wanted);
        if (isGranted === wasGranted) return;
        wasGranted = isGranted;
        await action.setPopup({ popup: isGranted ? popup : '' });
        await action.setBadgeText({ text: isGranted ? '' : '!' });
        await action.setTitle({ title: i18n.getMessage(isGranted ? 'extensionName' : 'iconNoSites') });
    };
    permissions.onAdded.addListener(() => void look());
    permissions.onRemoved.addListener(() => void look());
    // Browsers tell of a click only where no window opens. Asked at once: a moment later it would be no gesture any more.
    action.onClicked.addListener(() => void permissions.request(wanted));
    return look();
}
