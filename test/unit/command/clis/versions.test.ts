import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLedger } from '../../../../src/host/cli/ledger/ledger.js';
import { startCox } from '../../../support/cox.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function versions(...args: string[]) {
  const { output, exitCode } = startCox(['versions', ...args]);
  return { exitCode: await exitCode, ...output };
}

/** A CLI with its package next to it. */
async function cliOf(version: string): Promise<string> {
  const place = join(folder, version);
  await mkdir(place);
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({ name: '@anthropic-ai/claude-code', version }),
  );
  await writeFile(join(place, 'cli.js'), 'process.exit(1)');
  return join(place, 'cli.js');
}

describe('coxswain versions', () => {
  test('lists common features, with the versions that have them', async () => {
    const { out, exitCode } = await versions();
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^interrupt +since 2\.0\.0 /m);
    expect(out).toMatch(/^lifecycle +since 2\.1\.\d+ /m);
  });

  test('finds capabilities by name, by words and by the id of a fact', async () => {
    expect((await versions('--has', 'elicitation')).out.split('\n')).toHaveLength(2);
    expect((await versions('--has', 'Structured')).out).toContain('structured-output');
    expect((await versions('--has', 'flag:--effort')).out).toMatch(/^flag:--effort +since 2\.1\.\d+$/m);
    expect((await versions('--has', 'nonsense')).exitCode).toBe(2);
  });

  test('says what a CLI has, and exits with 10 if it lacks what was asked for', async () => {
    const [old, recent] = [await cliOf('2.0.73'), await cliOf('2.1.326')];
    const lacking = await versions('--cli', old, '--has', 'elicitation');
    expect(lacking.exitCode).toBe(10);
    expect(lacking.out).toContain('Claude CLI 2.0.73');
    expect(lacking.out).toMatch(/^no +elicitation/m);
    const { out, exitCode } = await versions('--cli', recent, '--has', 'elicitation', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      schema: 1,
      version: '2.1.326',
      capabilities: [{ name: 'elicitation', has: true }],
    });
  });

  test('says so if nothing is known about a version, and shows the last known one before it', async () => {
    const future = await cliOf('2.1.99999');
    const newest = readLedger().published.at(-1);
    const { out, exitCode } = await versions('--cli', future, '--has', 'elicitation');
    expect(exitCode).toBe(0);
    expect(out).toContain(
      `Nothing is known about this version. Shown is ${newest}, the last known one before it.`,
    );
    const { out: json } = await versions('--cli', future, '--has', 'elicitation', '--json');
    expect(JSON.parse(json)).toMatchObject({ version: '2.1.99999', assumedFrom: newest });
    const known = JSON.parse((await versions('--cli', join(folder, '2.0.73', 'cli.js'), '--json')).out);
    expect(known).not.toHaveProperty('assumedFrom');
  });

  test('exits with 7 if there is no such CLI', async () => {
    expect((await versions('--cli', '/nowhere/claude')).exitCode).toBe(7);
  });
});
