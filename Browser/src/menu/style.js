/** The menu's looks. Texts are attributes that `::before` draws, so that `window.find()` cannot read them. */
export const styleText = `
:host { all: initial !important; }
.menu {
    --surface: #ffffff; --text: #1d1d1f; --quiet: #5f6065; --line: #d9d9de; --choice: #0b57d0; --on-choice: #ffffff;
    --ending: #b3261e;
    all: initial; position: fixed; inset: auto; margin: 0; padding: 4px; box-sizing: border-box; overflow: hidden auto;
    max-height: 264px; border: 1px solid var(--line); border-radius: 10px;
    background: var(--surface); color: var(--text);
    box-shadow: 0 8px 28px rgb(0 0 0 / 22%); font: 14px/1.35 system-ui, sans-serif; cursor: default; user-select: none;
    color-scheme: light;
}
.menu:not(:popover-open) { display: none; }
.entry { display: grid; gap: 1px; padding: 7px 10px; border-radius: 7px; }
.entry > span, .note > span { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
[data-t]::before { content: attr(data-t); }
.title { font-weight: 600; }
.detail { color: var(--quiet); font-size: 12px; }
.entry[aria-selected='true'], .entry:hover { background: var(--choice); color: var(--on-choice); }
.entry[aria-selected='true'] .detail, .entry:hover .detail { color: var(--on-choice); }
.all .title { font-weight: 400; }
.entry:has(.life) { grid-template-columns: minmax(0, 1fr) auto; column-gap: 10px; }
.entry:has(.life) > .title, .entry:has(.life) > .detail { grid-column: 1; }
.life { grid-column: 2; grid-row: 1 / span 2; align-self: center; width: max-content; min-width: 44px; text-align: end; }
.life .left { display: block; font-size: 12px; font-variant-numeric: tabular-nums; color: var(--quiet); }
.life .bar { display: block; height: 3px; margin-top: 3px; border-radius: 2px; background: var(--line); overflow: hidden; }
.life .rest { display: block; height: 100%; border-radius: 2px; background: var(--choice); }
.short .left { color: var(--ending); }
.short .rest { background: var(--ending); }
.entry[aria-selected='true'] .left, .entry:hover .left { color: var(--on-choice); }
.entry[aria-selected='true'] .bar, .entry:hover .bar { background: color-mix(in srgb, var(--on-choice) 35%, transparent); }
.entry[aria-selected='true'] .rest, .entry:hover .rest { background: var(--on-choice); }
@media (prefers-reduced-motion: no-preference) { .life .rest { transition: width 1s linear; } }
.entry:not(.all) + .all, .note + .all { margin-top: 4px; border-top: 1px solid var(--line); border-radius: 0 0 7px 7px; }
.note { padding: 7px 10px; color: var(--quiet); font-size: 12px; }
.note > span { white-space: normal; }
.note .title { color: var(--text); font-size: 14px; }
.note .command { margin-top: 4px; font: 13px/1.4 ui-monospace, monospace; color: var(--text); }
.list { display: block; }
.note:has(+ .list) { border-bottom: 1px solid var(--line); margin-bottom: 4px; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-color-scheme: dark) {
    .menu {
        --surface: #2b2b2f; --text: #f2f2f4; --quiet: #b4b5bb; --line: #48484d; --choice: #7cacf8; --on-choice: #10131a;
        --ending: #ffb4ab;
        color-scheme: dark;
    }
}
@media (forced-colors: active) {
    .entry[aria-selected='true'], .entry:hover { outline: 2px solid Highlight; }
    .life .bar { border: 1px solid CanvasText; }
    .life .rest { background: CanvasText; forced-color-adjust: none; }
}
`;
