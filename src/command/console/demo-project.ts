import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The file that the demo edits. */
export const GREET = 'src/greet.js';
export const BEFORE = 'export function greet(name) {\n  return "Hello " + name;\n}\n';
export const AFTER = 'export function greet(name) {\n  return "Hello, " + name + "!";\n}\n';

const TEST = `import assert from 'node:assert';
import test from 'node:test';
import { greet } from '../src/greet.js';

test('greeting', () => assert.equal(greet('Ada'), 'Hello, Ada!'));
`;

const FILES: Readonly<Record<string, string>> = {
  [GREET]: BEFORE,
  'test/greeting.test.js': TEST,
  'package.json': `${JSON.stringify({ name: 'greeting', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
};

/** Creates the demo's project; returns its real path. */
export async function makeDemoProject(folder: string): Promise<string> {
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return realpath(folder);
}
