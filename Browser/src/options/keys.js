/**
 * The extension's keys as the browser has them: those that the person set, and none where another program took them.
 * @param {(name: string) => string} translate
 * @returns {Promise<HTMLElement[]>} terms and descriptions of a list
 */
export async function keyParts(translate) {
    return (await chrome.commands.getAll()).flatMap(({ name, description, shortcut }) => {
        const title = document.createElement('dt');
        title.textContent = name === '_execute_action' ? translate('commandPopup') : (description ?? '');
        const keys = document.createElement('dd');
        keys.textContent = shortcut || translate('optionsNoKeys');
        if (shortcut) keys.dir = 'ltr';
        return [title, keys];
    });
}
