// Runs every test of coxswain/compat, then prints what was compared with the original: the programs, how many are equal in
// everything they saw and sent, and how many show a listed difference. With --programs, runs programs of others on both.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCode } from './lib/build-code.mjs';
import { comparePrograms } from './lib/others-programs.mjs';
import { run } from './lib/run.mjs';

if (process.argv.includes('--programs')) {
  await buildCode();
  process.exit(await comparePrograms());
}

const folder = mkdtempSync(join(tmpdir(), 'compat-report-'));
const path = join(folder, 'rows.jsonl');
const args = ['scripts/test.mjs', 'test/compat/', 'test/real/compat', ...process.argv.slice(2)];
process.exitCode = await run(process.execPath, args, {
  env: { ...process.env, COXSWAIN_COMPAT_REPORT: path },
});
printTable(existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(JSON.parse) : []);
rmSync(folder, { recursive: true });

function printTable(rows) {
  const files = [...new Set(rows.map(({ file }) => file))].sort();
  const lines = files.map((file) =>
    line(
      file,
      rows.filter((row) => row.file === file),
    ),
  );
  const known = new Set(
    JSON.parse(readFileSync('test/compat/accepted-differences.json', 'utf8')).map(({ name }) => name),
  );
  const shown = new Set(rows.flatMap(({ listed }) => listed));
  console.log(
    ['', cells('about', 'programs', 'equal', 'listed differences'), ...lines, line('all', rows)].join('\n'),
  );
  console.log(
    `\n${shown.size} of ${known.size} listed differences were seen; each has its reason in docs/reference/compat.md.`,
  );
}

function line(name, rows) {
  return cells(
    name,
    rows.length,
    rows.filter(({ equal }) => equal).length,
    rows.filter(({ equal }) => !equal).length,
  );
}

function cells(name, ...numbers) {
  return `${name.padEnd(20)}${numbers.map((each) => String(each).padStart(20)).join('')}`;
}
