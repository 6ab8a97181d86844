import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, test } from 'vitest';
import { acceptedFor, explains } from './accepted.js';
import { differences, sentence } from './compare.js';
import { type Observed, observe } from './observe.js';
import { officialSdk } from './official-sdk.js';
import type { Program, Sdk } from './program.js';
import { Stage } from './stage.js';

const compat = (await import('../../../src/entry/compat/index.js')) as unknown as Sdk;
// For work on the programs: a difference between two runs of the official SDK is a race in the program.
const COMPARE_WITH_ITSELF = process.env.COMPAT_WITH_ITSELF === '1';

/** Runs each program on the official SDK and on ours: every difference must be accepted, and every accepted one must occur. */
export function differential(programs: readonly Program[]): void {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'compat-')));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  test.concurrent.for(programs.map((program) => [program.name, program] as const))(
    '%s',
    async ([, program], { expect, skip, task }) => {
      const official = await officialSdk(skip);
      const ours = COMPARE_WITH_ITSELF ? official : compat;
      const [theirRun, ourRun] = await Promise.all([
        play(program, official, root),
        play(program, ours, root),
      ]);
      expect([...theirRun.messages, ...theirRun.calls], 'what the program saw').not.toEqual([]);
      const found = differences(theirRun, ourRun);
      const accepted = acceptedFor(program.accepts ?? []);
      const unexplained = found.filter((each) => !accepted.some((accept) => explains(accept, each)));
      const unused = accepted.filter((accept) => !found.some((each) => explains(accept, each)));
      const notAccepted = unexplained.map(sentence);
      report({ file: fileOf(task.file.filepath), equal: found.length === 0, listed: program.accepts ?? [] });
      expect({ notAccepted, acceptedButNotFound: unused.map(({ name }) => name) }).toEqual({
        notAccepted: [],
        acceptedButNotFound: [],
      });
    },
  );
}

/** `npm run compat` prints a table of what was compared. */
function report(row: object): void {
  const path = process.env.COXSWAIN_COMPAT_REPORT;
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(row)}\n`);
}

function fileOf(path: string): string {
  return basename(path, '.test.ts');
}

async function play(program: Program, sdk: Sdk, folder: string): Promise<Observed> {
  const stage = new Stage(program, sdk, mkdtempSync(join(folder, 'run-')));
  await program.run(sdk, stage);
  // The end of the program's processes is part of what it did.
  await Promise.all(stage.launches.map(({ process }) => process.exited));
  return observe(stage);
}
