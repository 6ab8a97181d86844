import { join } from 'node:path';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { differential } from './harness/differential.js';
import type { Options, Program, Sdk } from './harness/program.js';
import type { Stage } from './harness/stage.js';

const OWN_WORDS = { accepts: ['own-words'] };
const SESSION = '0b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a';
const OTHER = '1b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a';
const ENTRIES = [{ type: 'user', uuid: SESSION, message: { role: 'user', content: 'before' } }];

/** The transcript entries that the CLI delivers. */
function mirror(...uuids: readonly string[]): Step {
  const entries = uuids.map((uuid) => ({ type: 'user', uuid, message: { role: 'user', content: uuid } }));
  return act((cli) =>
    cli.send({
      type: 'transcript_mirror',
      filePath: join(cli.state.home, 'projects', '-work', `${SESSION}.jsonl`),
      entries,
    }),
  );
}

/** A store that records its calls. */
function toldStore(stage: Stage, more: Options = {}): Options {
  return {
    append: async (...given: readonly unknown[]) => stage.tell('append', ...given),
    load: async (...given: readonly unknown[]) => {
      stage.tell('load', ...given);
      return null;
    },
    ...more,
  };
}

function stored(
  name: string,
  options: (stage: Stage, sdk: Sdk) => Options,
  more: Partial<Program> = {},
): Program {
  return {
    name,
    scenarios: [[onUser([mirror('one'), say('Hello.'), mirror('two', 'three'), done('Hello.')])]],
    run: async (sdk, stage) => {
      try {
        const usual = stage.options();
        const env = { ...(usual.env as Options), CLAUDE_CONFIG_DIR: stage.folder };
        await stage.read(sdk.query({ prompt: 'Hi', options: { ...usual, env, ...options(stage, sdk) } }));
      } catch (error) {
        stage.tell('query failed', stage.thrown(error));
      }
    },
    ...more,
  };
}

differential([
  stored('a transcript is mirrored to a store', (stage) => ({ sessionStore: toldStore(stage) })),
  stored('a transcript is mirrored at once', (stage) => ({
    sessionStore: toldStore(stage),
    sessionStoreFlush: 'eager',
  })),
  stored('a transcript is mirrored into memory', (stage, sdk) => {
    const store = new sdk.InMemorySessionStore();
    const append = store.append.bind(store);
    store.append = async (...given: readonly unknown[]) => {
      stage.tell('append', ...given);
      return append(...given);
    };
    return { sessionStore: store };
  }),
  stored(
    'a store cannot be joined with checkpoints of files',
    (stage) => ({
      sessionStore: toldStore(stage),
      enableFileCheckpointing: true,
    }),
    OWN_WORDS,
  ),
  stored(
    'a store cannot be combined with a session that is not persisted',
    (stage) => ({
      sessionStore: toldStore(stage),
      persistSession: false,
    }),
    OWN_WORDS,
  ),
  stored('a session that is not in the store', (stage) => ({
    sessionStore: toldStore(stage),
    resume: SESSION,
  })),
  stored('a session in a store is resumed', (stage) => ({
    sessionStore: toldStore(stage, {
      load: async (key: unknown) => {
        stage.tell('load', key);
        return [{ type: 'user', uuid: SESSION, message: { role: 'user', content: 'before' } }];
      },
    }),
    resume: SESSION,
  })),
  stored('a store that refuses a batch', (stage) => ({
    sessionStore: toldStore(stage, {
      append: async () => {
        stage.tell('append');
        throw new Error('The disk is full.');
      },
    }),
  })),
  stored(
    'a store that does not answer',
    (stage) => ({
      sessionStore: toldStore(stage, { load: () => new Promise(() => {}) }),
      resume: SESSION,
      loadTimeoutMs: 50,
    }),
    { accepts: ['store-timeout'] },
  ),
  stored(
    'a store that does not list its sessions',
    (stage) => ({
      sessionStore: toldStore(stage, { listSessions: () => new Promise(() => {}) }),
      continue: true,
      loadTimeoutMs: 50,
    }),
    { accepts: ['store-timeout'] },
  ),
  stored(
    'a store that does not list the parts of a session',
    (stage) => ({
      sessionStore: toldStore(stage, { load: async () => ENTRIES, listSubkeys: () => new Promise(() => {}) }),
      resume: SESSION,
      loadTimeoutMs: 50,
    }),
    { accepts: ['store-timeout'] },
  ),
  stored('the last session of a store is continued', (stage) => ({
    sessionStore: toldStore(stage, {
      load: async () => ENTRIES,
      listSessions: async () => [
        { sessionId: OTHER, mtime: 1 },
        { sessionId: SESSION, mtime: 2 },
      ],
    }),
    continue: true,
  })),
  stored('a store that returns no promises', (stage) => ({
    sessionStore: toldStore(stage, {
      append: (...given: readonly unknown[]) => stage.tell('append', ...given),
      load: () => ENTRIES,
    }),
    resume: SESSION,
  })),
  stored('a stored session whose name is not an id', (stage) => ({
    sessionStore: toldStore(stage, { load: async () => ENTRIES }),
    resume: '../outside',
  })),
  stored('a store that cannot load', (stage) => ({
    sessionStore: toldStore(stage, {
      load: async () => {
        throw new Error('The disk is gone.');
      },
    }),
    resume: SESSION,
  })),
]);
