/**
 * What the keys of a menu mean while the focus stays in the page's field.
 *
 * @typedef {import('./model.js').MenuModel} MenuModel
 * @typedef {{end: () => void, show: (model: MenuModel) => void, choose: (index: number) => void}} MenuActions
 */
import { moved } from './model.js';

/**
 * Escape ends, the arrows move what is selected, Enter chooses it.
 * @param {string} key
 * @param {MenuModel} model
 * @param {MenuActions} actions
 * @returns {boolean} whether the key was for the menu
 */
export function pressIn(key, model, { end, show, choose }) {
    if (key === 'Escape') {
        end();
        return true;
    }
    if (model.type !== 'choosing') return false;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
        show(moved(model, key === 'ArrowDown' ? 1 : -1));
        return true;
    }
    if (key !== 'Enter' || model.selected < 0) return false;
    choose(model.selected);
    return true;
}
