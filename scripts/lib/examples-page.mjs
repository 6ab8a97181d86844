// examples/README.md: every program with its first line, which says what it shows, and how to run it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOTICE, page } from './markdown.mjs';

/** Builds the page; `entryPoints` names the packages that ours need, `dependencies` those that come with the package. */
export function examplesPage(folder, entryPoints, dependencies) {
  const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const lines = programs.map((name) => {
    const source = readFileSync(join(folder, name), 'utf8');
    const [first] = source.split('\n');
    const needs = packagesOf(source, entryPoints).filter((each) => !(each in dependencies));
    const more = needs.length === 0 ? '' : ` Needs \`npm install ${needs.join(' ')}\`.`;
    return `- [${name}](${name}): ${first.replace(/^\/\/ /, '')}${more}`;
  });
  return page('# Examples', NOTICE, INTRODUCTION, RUN, COPY, lines.join('\n'));
}

const INTRODUCTION = `Every program runs without a key, prints what happened, and checks itself. The tests run all of them. 28-fleet-program.ts needs a
NATS server; without one it does nothing.`;

const RUN = `\`\`\`sh
node node_modules/coxswain/dist/examples/25-first.mjs   # as JavaScript, on every supported Node
\`\`\``;

const COPY = `To start from one, copy its TypeScript into your project ([setup](../docs/start/quick-start.md#in-typescript)), and run it with
\`npx tsx <file>\`, or with \`node\` itself on Node 24 or newer.
Most programs use the emulated CLI from \`coxswain/testing\`. To use your own CLI, remove the line that sets it.`;

/** The packages that a program imports, itself or through our entry points. */
function packagesOf(source, entryPoints) {
  const imported = [...source.matchAll(/ from '([^'.][^']*)'/g)].map(([, name]) => name);
  const named = imported.flatMap((name) => {
    if (name.startsWith('node:')) return [];
    const own = entryPoints[name.replace(/^coxswain(?=\/|$)/, '.')];
    return own?.npm ?? [name.split('/', name.startsWith('@') ? 2 : 1).join('/')];
  });
  return [...new Set(named)];
}
