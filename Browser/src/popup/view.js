/**
 * The elements of the extension's own window. Texts are put in as text, whatever they hold. The search field keeps the
 * keys: it is a combo box that controls the list (ARIA 1.2).
 *
 * @typedef {import('./model.js').Group} Group
 * @typedef {import('./model.js').Option} Option
 * @typedef {import('./model.js').Translate} Translate
 */
import { lifeOf, timeText } from '../menu/countdown.js';
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
    const { title, detail, spoken, period } = textsOf(option, translate);
    const part = element('div', { className: option.type === 'list' ? 'option all' : 'option' });
    part.id = `option-${index}`;
    part.setAttribute('role', 'option');
    part.setAttribute('aria-label', spoken);
    part.setAttribute('aria-selected', String(isSelected));
    if (option.frame.form !== 'shown') part.setAttribute('aria-disabled', 'true');
    part.append(element('span', { className: 'title', text: title }));
    if (detail !== '') part.append(element('span', { className: 'detail', text: detail }));
    if (period !== undefined) part.append(lifePart(period, part));
    part.addEventListener('mousedown', (event) => event.preventDefault());
    part.addEventListener('click', () => choose(index));
    return part;
}

/** @param {number} period @param {HTMLElement} option */
function lifePart(period, option) {
    option.classList.add('timed');
    const life = element('span', { className: 'life' });
    life.dataset.period = String(period);
    const bar = element('span', { className: 'bar' });
    bar.append(element('span', { className: 'rest' }));
    life.append(element('span', { className: 'left' }), bar);
    return life;
}

/**
 * Shows how long the codes in the list are good for. A screen reader is told with the name of the option, once it is
 * selected and once for each new code, and not with the seconds.
 * @param {HTMLElement} list
 * @param {number} now in milliseconds since 1970
 * @param {Translate} translate
 * @returns {boolean} whether there is anything to count
 */
export function count(list, now, translate) {
    const language = translate('language');
    const lives = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('.life'))];
    for (const life of lives) {
        const period = Number(life.dataset.period);
        const { seconds, share, isShort } = lifeOf(period, now);
        const [text, rest] = /** @type {HTMLElement[]} */ ([...life.querySelectorAll('.left, .rest')]);
        text.textContent = timeText(seconds, language, 'narrow');
        rest.style.width = `${share * 100}%`;
        const option = /** @type {HTMLElement} */ (life.closest('.option'));
        option.classList.toggle('short', isShort);
        const round = String(Math.floor(now / 1000 / period));
        if (option.dataset.round === round) continue;
        option.dataset.round = round;
        option.dataset.spoken ??= option.getAttribute('aria-label') ?? '';
        const left = translate('menuTimeLeft', [timeText(seconds, language, 'long')]);
        option.setAttribute('aria-label', `${option.dataset.spoken}. ${left}`);
    }
    return lives.length > 0;
}
