// A terminal's output as an SVG whose lines appear one at a time.

const [WIDTH, LINE, PADDING, HOLD] = [860, 20, 18, 4];
const COLOURS = { 1: 'bold', 2: 'dim', 32: 'green', 33: 'yellow', 36: 'cyan' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told
const CODES = /\x1b\[(\d*)([mK])/;

/** @param pieces pairs of seconds and what was printed then */
export function demoPicture(pieces) {
  const lines = linesOf(pieces);
  const height = lines.length * LINE + 2 * PADDING;
  const whole = (lines.at(-1)?.at ?? 0) + HOLD;
  const rows = lines.map(({ at, text }, index) => {
    const y = PADDING + (index + 0.75) * LINE;
    return `<text y="${y}" x="${PADDING}" style="animation-delay:${at.toFixed(2)}s">${spans(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The demo in a terminal">
<style>
text { font: 13.5px ui-monospace, Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre; opacity: 0; animation: show ${whole.toFixed(1)}s step-end forwards }
@keyframes show { 0% { opacity: 1 } 100% { opacity: 1 } }
.bold { font-weight: 700 } .dim { fill: #8791a5 } .green { fill: #8fce7e } .yellow { fill: #f0c674 } .cyan { fill: #7fd1d8 }
</style>
<rect width="100%" height="100%" rx="10" fill="#1d222b"/>
${rows.join('\n')}
</svg>
`;
}

/** Lines with the time of their first character; overwritten text is gone, as in a terminal. */
function linesOf(pieces) {
  const lines = [{ at: 0, text: '' }];
  const parts = pieces.flatMap(([at, piece]) => piece.split(/(\r\n|\r)/).map((part) => [at, part]));
  for (const [at, part] of parts) {
    const last = lines.at(-1);
    if (part === '\r\n') lines.push({ at, text: '' });
    else if (part === '\r') last.text = '';
    else if (part !== '')
      lines[lines.length - 1] = { at: last.text === '' ? at : last.at, text: last.text + part };
  }
  return lines.filter(({ text }, index) => text !== '' || index < lines.length - 1);
}

function spans(text) {
  let rest = text;
  let [open, out] = ['', ''];
  for (let found = CODES.exec(rest); found !== null; found = CODES.exec(rest)) {
    out += wrapped(rest.slice(0, found.index), open);
    open = found[2] === 'm' ? (COLOURS[found[1]] ?? '') : open;
    rest = rest.slice(found.index + found[0].length);
  }
  return out + wrapped(rest, open);
}

function wrapped(text, name) {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (safe === '') return '';
  return name === '' ? safe : `<tspan class="${name}">${safe}</tspan>`;
}
