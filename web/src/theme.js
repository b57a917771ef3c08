// Colours, symbols and dashes. The colours live in style.css, where light, dark and print choose them; a system is told apart by
// three things at once (colour, symbol, dash), so that none of them has to be seen.

// Must match the glyphs that report/page_tables.cc puts before a system's name.
const SYMBOLS = [
  'circle', 'rect', 'triangle', 'diamond',
  'path://M0,0L10,0L5,9Z',
  'path://M3,0L7,0L7,3L10,3L10,7L7,7L7,10L3,10L3,7L0,7L0,3L3,3Z',
];
const DASHES = ['solid', [7, 4], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2]];

export function theme() {
  const css = getComputedStyle(document.documentElement);
  const read = (name) => css.getPropertyValue(name).trim();
  return {
    ink: read('--ink'),
    muted: read('--muted'),
    rule: read('--rule'),
    grid: read('--grid'),
    surface: read('--surface'),
    systems: [0, 1, 2, 3, 4, 5].map((i) => read(`--s${i}`)),
  };
}

export function look(index, colours) {
  const i = index % colours.systems.length;
  return { colour: colours.systems[i], symbol: SYMBOLS[i], dash: DASHES[i] };
}
