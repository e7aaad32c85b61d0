/**
 * The menu's looks. Texts are attributes that `::before` draws, so that `window.find()` cannot read them.
 *
 * Nothing in it may have a name that the page can give a meaning to. Colors are no custom properties: a page that
 * registers one (`@property`) decides what it may be, and the menu was transparent. Fonts are the generic families that
 * browsers know: any other name can be a font of the page's (`@font-face`), which shows another command than the person
 * is to type.
 */

/**
 * @typedef {Record<'surface' | 'text' | 'quiet' | 'line' | 'choice' | 'onChoice' | 'ending', string>} Palette
 * @type {Record<'light' | 'dark', Palette>}
 */
const palettes = {
    light: {
        surface: '#ffffff',
        text: '#1d1d1f',
        quiet: '#5f6065',
        line: '#d9d9de',
        choice: '#0b57d0',
        onChoice: '#ffffff',
        ending: '#b3261e',
    },
    dark: {
        surface: '#2b2b2f',
        text: '#f2f2f4',
        quiet: '#b4b5bb',
        line: '#48484d',
        choice: '#7cacf8',
        onChoice: '#10131a',
        ending: '#ffb4ab',
    },
};

const chosen = ".entry:is([aria-selected='true'], [data-hovered])";

/** @param {'light' | 'dark'} scheme */
function colorsOf(scheme) {
    const { surface, text, quiet, line, choice, onChoice, ending } = palettes[scheme];
    return `
.menu { border-color: ${line}; background: ${surface}; color: ${text}; color-scheme: ${scheme}; }
.detail, .note, .life .left { color: ${quiet}; }
.note .title, .note .command { color: ${text}; }
.all, .note:has(+ .list) { border-color: ${line}; }
.life .bar { background: ${line}; }
.life .rest { background: ${choice}; }
.short .left { color: ${ending}; }
.short .rest { background: ${ending}; }
${chosen} { background: ${choice}; color: ${onChoice}; }
${chosen} :is(.detail, .left) { color: ${onChoice}; }
${chosen} .bar { background: color-mix(in srgb, ${onChoice} 35%, transparent); }
${chosen} .rest { background: ${onChoice}; }
`;
}

export const styleText = `
:host { all: initial !important; display: grid !important; position: fixed !important; cursor: default !important;
    user-select: none !important; }
:host(:not(:popover-open)), :host::before, :host::after, :host::backdrop { display: none !important; content: none !important; }
.menu {
    all: initial; display: block; padding: 4px; box-sizing: border-box; overflow: hidden auto;
    max-height: 264px; border: 1px solid; border-radius: 10px;
    box-shadow: 0 8px 28px rgb(0 0 0 / 22%); font: 14px/1.35 system-ui, sans-serif; cursor: default; user-select: none;
}
.entry { display: grid; gap: 1px; padding: 7px 10px; border-radius: 7px; }
.entry > span, .note > span { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
[data-t]::before { content: attr(data-t); }
.title { font-weight: 600; }
.detail { font-size: 12px; }
.all .title { font-weight: 400; }
.entry:has(.life) { grid-template-columns: minmax(0, 1fr) auto; column-gap: 10px; }
.entry:has(.life) > .title, .entry:has(.life) > .detail { grid-column: 1; }
.life { grid-column: 2; grid-row: 1 / span 2; align-self: center; width: max-content; min-width: 44px; text-align: end; }
.life .left { display: block; font-size: 12px; font-variant-numeric: tabular-nums; }
.life .bar { display: block; height: 3px; margin-top: 3px; border-radius: 2px; overflow: hidden; }
.life .rest { display: block; height: 100%; border-radius: 2px; }
@media (prefers-reduced-motion: no-preference) { .life .rest { transition: width 1s linear; } }
.entry:not(.all) + .all, .note + .all { margin-top: 4px; border-style: solid; border-width: 1px 0 0; border-radius: 0 0 7px 7px; }
.note { padding: 7px 10px; font-size: 12px; }
.note > span { white-space: normal; }
.note .title { font-size: 14px; }
.note .command { margin-top: 4px; font: 13px/1.4 monospace; }
.list { display: block; }
.note:has(+ .list) { border-style: solid; border-width: 0 0 1px; margin-bottom: 4px; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
${colorsOf('light')}
@media (prefers-color-scheme: dark) {${colorsOf('dark')}}
@media (forced-colors: active) {
    ${chosen} { outline: 2px solid Highlight; }
    .life .bar { border: 1px solid CanvasText; }
    .life .rest { background: CanvasText; forced-color-adjust: none; }
}
`;

/**
 * Where the menu stands, in CSS pixels. Important like all of the host's style: the page may style that element too, and its
 * first line and letter, if it were a block.
 * @param {{left: number, top: number, width: number}} place
 */
export function placeText({ left, top, width }) {
    return `:host { left: ${left}px !important; top: ${top}px !important; width: ${width}px !important; }`;
}
