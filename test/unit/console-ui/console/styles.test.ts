import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SIZED =
  /^\s*(?:font|font-size|padding|margin|(?:row-|column-)?gap|(?:padding|margin)-\w+):[^;]*\d(?:px|rem)\b/;
/** Text for screen readers only has no visible size. */
const UNSEEN = 'margin: -1px;';

const sheets = readdirSync('console-ui', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css'))
  .map((file) => join('console-ui', file));

test('font sizes and spacing come from one scale', () => {
  const odd = sheets.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => SIZED.test(line) && line.trim() !== UNSEEN)
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(odd).toEqual([]);
});
