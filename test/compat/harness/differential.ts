import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { acceptedFor, explains } from './accepted.js';
import { differences, sentence } from './compare.js';
import { type Observed, observe } from './observe.js';
import { officialSdk } from './official-sdk.js';
import type { Program, Sdk } from './program.js';
import { Stage } from './stage.js';

const compat = (await import('../../../src/compat/index.js')) as unknown as Sdk;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'compat-')));
// For work on the programs: what differs between two runs of the official SDK is a race of the program.
const COMPARE_WITH_ITSELF = process.env.COMPAT_WITH_ITSELF === '1';

/** Runs each program on the official SDK and on ours: what differs must be accepted, and what is accepted must differ. */
export function differential(programs: readonly Program[]): void {
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  test.concurrent.for(programs.map((program) => [program.name, program] as const))(
    '%s',
    async ([, program], { expect, skip }) => {
      const official = await officialSdk(skip);
      const ours = COMPARE_WITH_ITSELF ? official : compat;
      const [theirRun, ourRun] = await Promise.all([play(program, official), play(program, ours)]);
      if (process.env.SHOW) show(program.name, theirRun, ourRun);
      const found = differences(theirRun, ourRun);
      const accepted = acceptedFor(program.accepts ?? [], isStarted(theirRun));
      const unexplained = found.filter((each) => !accepted.some((accept) => explains(accept, each)));
      const unused = accepted.filter((accept) => !found.some((each) => explains(accept, each)));
      const notAccepted = unexplained.map(sentence);
      expect({ notAccepted, acceptedButNotFound: unused.map(({ name }) => name) }).toEqual({
        notAccepted: [],
        acceptedButNotFound: [],
      });
    },
  );
}

async function play(program: Program, sdk: Sdk): Promise<Observed> {
  const stage = new Stage(program, sdk, mkdtempSync(join(root, 'run-')));
  await program.run(sdk, stage);
  // What the program left behind is a part of what it did: the end of its processes.
  await Promise.all(stage.launches.map(({ process }) => process.exited));
  return observe(stage);
}

function isStarted({ launches }: Observed): boolean {
  return Array.isArray(launches) && launches.length > 0;
}

function show(name: string, ...runs: Observed[]) {
  for (const run of runs) {
    console.log(`## ${name}`);
    for (const m of run.messages as any[])
      console.log(
        '  m',
        m.thrown || typeof m === 'string'
          ? JSON.stringify(m)
          : `${m.type}/${m.subtype ?? ''} ${JSON.stringify(m.result ?? m.message?.content ?? m.event ?? '').slice(0, 150)}`,
      );
    for (const c of run.calls as any[]) console.log('  c', JSON.stringify(c).slice(0, 600));
    for (const l of run.launches as any[]) {
      console.log('  l', JSON.stringify(l.flags), l.inputEnds, 'exit', l.exit, JSON.stringify(l.failures));
      for (const s of l.said) console.log('    s', JSON.stringify(s).slice(0, 900));
      for (const s of l.answered)
        console.log(
          '    a',
          JSON.stringify(s.to).slice(0, 150),
          '->',
          JSON.stringify(s.answers ?? s.acknowledged).slice(0, 400),
        );
    }
    if (process.env.SHOW === '1') break;
  }
}
