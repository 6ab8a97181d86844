import { onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import type { TraceSink } from '../../../src/wire/trace/record/trace-sink.js';
import { eventually } from '../../support/eventually.js';
import { settledAs } from '../seen.js';
import type { Play } from '../stage.js';

const fails = (): never => {
  throw new Error('no space left');
};

/** Writers that fail, by the names that the table uses. */
const SINKS: Readonly<Record<string, string | TraceSink>> = {
  'a full disk': '/dev/full',
  'a folder that cannot be created': '/dev/null/folder/session.trace',
  'a writer that throws': { write: fails },
  'a writer that accepts no more': { write: () => false },
  'a writer whose flush fails': {
    write: () => true,
    flush: () => Promise.reject(new Error('no space left')),
  },
};

/** What a recording can do to its session. */
export const recordingPlays: Readonly<Record<string, Play>> = {
  'the recording fails': async (stage) => {
    const record = SINKS[stage.row.variant];
    if (record === undefined) throw new Error(`no such writer: ${stage.row.variant}`);
    const session = await stage.open([onUser('go', [say('done')])], { record });
    await stage.turn();
    await stage.next();
    stage.seen.close = await settledAs(session.close());
    await eventually(() => stage.reports.codes !== '');
  },
  'the recording never ends': async (stage) => {
    const flush = () => new Promise<never>(() => {});
    const session = await stage.open([onUser('go', [say('done')])], {
      record: { to: { write: () => true, flush }, closeWaitMs: 20 },
    });
    await stage.turn();
    stage.seen.close = await settledAs(session.close());
  },
};
