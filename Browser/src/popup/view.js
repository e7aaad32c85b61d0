/**
 * The elements of the extension's own window. Texts are put in as text, whatever they hold. The search field keeps the
 * keys: it is a combo box that controls the list (ARIA 1.2).
 *
 * @typedef {import('./model.js').Group} Group
 * @typedef {import('./model.js').Option} Option
 * @typedef {import('./model.js').Translate} Translate
 */
import { textsOf } from './model.js';

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {{className?: string, text?: string}} [options]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, options) {
    const made = document.createElement(name);
    if (options?.className) made.className = options.className;
    if (options?.text) made.textContent = options.text;
    return made;
}

/**
 * @param {string} text
 * @param {() => void} press
 * @param {string} [className]
 */
export function button(text, press, className = '') {
    const made = element('button', { className, text });
    made.type = 'button';
    made.addEventListener('click', press);
    return made;
}

/**
 * @param {Group[]} groups
 * @param {number} selected
 * @param {string} page the host of the page in the tab
 * @param {Translate} translate
 * @param {(index: number) => void} choose
 * @returns {HTMLElement[]} what the list box holds
 */
export function groupParts(groups, selected, page, translate, choose) {
    let index = 0;
    return groups.map((group, number) => {
        const part = element('div', { className: 'group' });
        part.setAttribute('role', 'group');
        const names = namesOf(group, page, translate);
        const title = element('div', { className: group.isForeign ? 'frame' : 'heading', text: names.join(' ') });
        title.id = `group-${number}`;
        part.setAttribute('aria-labelledby', title.id);
        part.append(title);
        for (const option of group.options) {
            part.append(optionPart(option, index, index === selected, translate, choose));
            index += 1;
        }
        return part;
    });
}

/** @param {Group} group @param {string} page @param {Translate} translate */
function namesOf({ frame, isForeign }, page, translate) {
    const { destination } = frame;
    const name = isForeign ? translate('popupFrame', [frame.host, page]) : frame.host;
    if (!destination) return [name];
    return [name, translate(destination.isEncrypted ? 'menuSendsTo' : 'menuSendsUnencrypted', [destination.host])];
}

/**
 * @param {Option} option
 * @param {number} index
 * @param {boolean} isSelected
 * @param {Translate} translate
 * @param {(index: number) => void} choose
 */
function optionPart(option, index, isSelected, translate, choose) {
    const { title, detail, spoken } = textsOf(option, translate);
    const part = element('div', { className: option.type === 'list' ? 'option all' : 'option' });
    part.id = `option-${index}`;
    part.setAttribute('role', 'option');
    part.setAttribute('aria-label', spoken);
    part.setAttribute('aria-selected', String(isSelected));
    if (option.frame.form !== 'shown') part.setAttribute('aria-disabled', 'true');
    part.append(element('span', { className: 'title', text: title }));
    if (detail !== '') part.append(element('span', { className: 'detail', text: detail }));
    part.addEventListener('mousedown', (event) => event.preventDefault());
    part.addEventListener('click', () => choose(index));
    return part;
}
