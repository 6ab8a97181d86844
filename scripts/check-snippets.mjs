// Keeps the code in the pages equal to the programs in examples/. A fence belongs to a program if
// `<!-- example: 01-ask.ts -->` is above it, or `<!-- example: 01-ask.ts#name -->` for the part between
// `// #region name` and `// #endregion`. Without `--write` it only reports differences.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settle } from './lib/generated.mjs';

const FENCE =
  /(<!-- example: (?<file>[\w.-]+)(?:#(?<region>[\w-]+))? -->\n```ts\n)(?<code>[\s\S]*?)(^```$)/gm;
const MARK = /<!-- example: .*-->/g;
const REGION_LINE = /^\s*\/\/ #(?:end)?region\b.*\n?/gm;

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...markdownIn('docs')].filter((path) =>
  existsSync(path),
);
process.exitCode = settle(
  pages.map((path) => [path, inStep(path, readFileSync(path, 'utf8'))]),
  { check: !process.argv.includes('--write'), remedy: 'node scripts/check-snippets.mjs --write' },
);

function inStep(path, text) {
  const fences = [...text.matchAll(FENCE)].length;
  const marks = [...text.matchAll(MARK)].length;
  if (fences !== marks)
    throw new Error(`${path}: ${marks} example marks, but ${fences} with a \`\`\`ts fence below`);
  return text.replace(FENCE, (...found) => {
    const { file, region } = found.at(-1);
    return `${found[1]}${snippet(join('examples', file), region)}${found.at(-4)}`;
  });
}

function snippet(path, region) {
  const source = readFileSync(path, 'utf8');
  return `${dedent(region === undefined ? source : cutRegion(path, source, region)).trim()}\n`;
}

function cutRegion(path, source, region) {
  const found = new RegExp(`^[ \\t]*// #region ${region}$([\\s\\S]*?)^[ \\t]*// #endregion\\b`, 'm').exec(
    source,
  );
  if (found === null) throw new Error(`${path} has no region ${region}`);
  return found[1];
}

function dedent(text) {
  const lines = text.replace(REGION_LINE, '').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}

function markdownIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}
