import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// A small tree of the same shape as ours, with our table, our rules and one violation per file.
const sound = {
  'src/wire/util/errors.ts': 'export const errors = 1; export type Code = string;',
  'src/wire/protocol/frames.ts': "import { errors } from '../util/errors.js'; export const frames = errors;",
  'src/wire/protocol/index.ts': "export { frames } from './frames.js';",
  'src/wire/protocol/tasks.schemas.ts':
    "import { z } from 'zod'; export const tasks = z; export type Tasks = number;",
  'src/wire/transport/transport.ts': 'export interface Transport { readonly a: 1 }',
  'src/wire/transport/memory.ts': 'export const memory = 1;',
  'src/wire/peer/control-peer.ts':
    "import type { Transport } from '../transport/transport.js'; export type Peer = Transport;",
  'src/lab/testing/emulator.ts':
    "import { tasks } from '../../wire/protocol/tasks.schemas.js'; export const emulator = tasks;",
  'src/wire/util/cycle-two.ts': "import { one } from './cycle-one.js'; export const two = () => one;",
  'src/command/main.ts': "import { Command } from 'commander'; export const main = Command;",
  'src/command/lazy.ts': "export const lazy = () => import('../wire/protocol/tasks.schemas.js');",
  'src/command/typed.ts':
    "import type { Tasks } from '../wire/protocol/tasks.schemas.js'; export type T = Tasks;",
};

const violations: Readonly<Record<string, readonly [rule: string, text: string]>> = {
  'src/wire/util/upwards.ts': [
    'layer-util',
    "import { frames } from '../protocol/frames.js'; export const a = frames;",
  ],
  'src/wire/protocol/upwards-type.ts': [
    'layer-protocol',
    "import type { Transport } from '../transport/transport.js'; export type A = Transport;",
  ],
  'src/wire/protocol/upwards-dynamic.ts': [
    'layer-protocol',
    "export const load = () => import('../transport/memory.js');",
  ],
  'src/lab/testing/sees-command.ts': [
    'layer-testing',
    "import { main } from '../../command/main.js'; export const a = main;",
  ],
  'src/wire/protocol/reads-files.ts': [
    'pure-layers',
    "import { readFileSync } from 'node:fs'; export const a = readFileSync;",
  ],
  'src/wire/protocol/types-of-node.ts': [
    'pure-layers',
    "import type { Stats } from 'node:fs'; export type A = Stats;",
  ],
  'src/wire/transport/uses-zod.ts': ['npm-transport', "import { z } from 'zod'; export const a = z;"],
  'src/wire/transport/uses-undeclared.ts': ['npm-transport', "import x from 'stray'; export const a = x;"],
  'src/wire/protocol/data-with-zod.ts': ['schemas-apart', "import { z } from 'zod'; export const a = z;"],
  'src/wire/transport/loads-schemas-at-once.ts': [
    'schemas-are-types-elsewhere',
    "import { tasks } from '../protocol/tasks.schemas.js'; export const a = tasks;",
  ],
  'src/wire/transport/through-the-index.ts': [
    'no-barrels-inside',
    "import { frames } from '../protocol/index.js'; export const a = frames;",
  ],
  'src/wire/transport/type-through-the-index.ts': [
    'no-barrels-inside',
    "import type { frames } from '../protocol/index.js'; export type A = typeof frames;",
  ],
  'src/wire/peer/sees-memory.ts': [
    'peer-sees-only-the-interface',
    "import { memory } from '../transport/memory.js'; export const a = memory;",
  ],
  'src/wire/util/cycle-one.ts': [
    'no-cycles',
    "import { two } from './cycle-two.js'; export const one = () => two;",
  ],
  'src/wire/util/sees-a-test.ts': [
    'no-test-in-src',
    "import { help } from '../../../test/help.js'; export const a = help;",
  ],
  'src/wire/util/sees-nothing.ts': [
    'unresolvable',
    "import { gone } from './gone.js'; export const a = gone;",
  ],
};

let root = '';
let found: readonly string[] = [];

beforeAll(() => {
  if (!existsSync('tools/node_modules'))
    throw new Error('the checkers are not installed: run npm run check first');
  mkdirSync('.cache', { recursive: true });
  root = mkdtempSync(resolve('.cache/planted-layers-'));
  for (const name of [
    'architecture.json',
    'scripts/lib/layers.cjs',
    '.dependency-cruiser.cjs',
    'tsconfig.base.json',
    'package.json',
  ]) {
    cpSync(name, join(root, name));
  }
  const planted = Object.entries(violations).map(([path, [, text]]) => [path, text] as const);
  const outside = [
    ['test/help.ts', 'export const help = 1;'],
    ...['zod', 'commander', 'stray'].flatMap(npmPackage),
  ];
  for (const [path = '', text = ''] of [...Object.entries(sound), ...planted, ...outside]) plant(path, text);
  found = cruise();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each(Object.entries(violations))('%s breaks its rule and is caught', (path, [rule]) => {
  expect(found).toContain(`${path} ${rule}`);
});

test('code that follows the rules passes', () => {
  expect(found.filter((line) => Object.keys(sound).some((path) => line.startsWith(`${path} `)))).toEqual([]);
});

test('the compiler refuses imports from another layer, and Node in a pure layer', () => {
  plant('src/wire/util/uses-process.ts', 'export const a = process.env;');
  spawnSync(process.execPath, [resolve('scripts/write-tsconfigs.mjs')], { cwd: root });
  const args = [resolve('node_modules/typescript/bin/tsc'), '-b', '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  for (const [path, code] of Object.entries({
    'src/wire/util/upwards.ts': 'TS6307',
    'src/wire/util/uses-process.ts': 'TS2591',
    'src/wire/protocol/upwards-type.ts': 'TS6307',
    'src/wire/protocol/reads-files.ts': 'TS2591',
  })) {
    expect(
      stdout
        .split('\n')
        .filter((line) => line.includes(path))
        .join('\n'),
    ).toContain(code);
  }
});

function cruise(): string[] {
  const cruiser = resolve('tools/node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (stdout === '') throw new Error(`dependency-cruiser printed nothing: ${stderr}`);
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, rule }) => `${from} ${rule.name}`);
}

function npmPackage(name: string): [path: string, text: string][] {
  const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js' };
  const folder = `node_modules/${name}`;
  return [
    [`${folder}/package.json`, JSON.stringify(manifest)],
    [`${folder}/index.js`, 'export const z = 1; export const Command = 1; export default 1;'],
  ];
}

function plant(path: string, text: string): void {
  const place = join(root, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}
