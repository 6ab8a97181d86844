import { checkOptions, kinds, pickOptions } from '../../wire/util/option-checks.js';
import { needTranscript } from './find-transcript.js';
import { needSessionId, sessionMissing } from './session-id.js';
import { fileSource, type TranscriptSource } from './source.js';
import type { SessionKey, SessionStore, TranscriptEntry } from './store.js';
import { appendInBatches, keyIn } from './store-access.js';
import { METADATA_TYPE, metadataOf, subagentsOf } from './subagents.js';

/** The options of {@link importToStore}. */
export interface ImportToStoreOptions {
  /** The working folder of the session. Default: every project is searched. */
  readonly dir?: string | undefined;
  /** Includes the transcripts of its subagents. Default: true. */
  readonly includeSubagents?: boolean | undefined;
  /** The maximum number of entries per `append`. Default: 500. */
  readonly batchSize?: number | undefined;
  /** The CLI's own folder. Default: `CLAUDE_CONFIG_DIR`, or `.claude` in the home folder. */
  readonly configDir?: string | undefined;
}

const SPECS = {
  includeSubagents: { kind: kinds.flag, sentence: 'Includes the transcripts of its subagents.' },
  batchSize: { kind: kinds.positiveCount, sentence: 'The maximum number of entries per append.' },
};

/**
 * Copies a session from disk to a store in batches; lines that are not entries are left out. @throws OptionError for a
 * bad id or option, CoxswainError `SESSION_MISSING`, and errors of the store.
 */
export async function importToStore(
  sessionId: string,
  store: SessionStore,
  options: ImportToStoreOptions = {},
): Promise<void> {
  checkOptions(SPECS, pickOptions(SPECS, options));
  const id = needSessionId(sessionId);
  const { includeSubagents = true } = options;
  const found = await needTranscript(id, options);
  const copy = async (file: string, key: SessionKey): Promise<void> => {
    await using source = await fileSource(file);
    if (source === undefined) throw sessionMissing(id, options);
    await appendInBatches(store, key, entriesIn(source), options.batchSize);
  };
  await copy(found.file, keyIn(options, id));
  for (const agent of includeSubagents ? await subagentsOf(found) : []) {
    const key = keyIn(options, id, agent.subpath);
    await copy(agent.file, key);
    const about = await metadataOf(agent);
    if (Object.keys(about).length > 0) await store.append(key, [{ ...about, type: METADATA_TYPE }]);
  }
}

async function* entriesIn(source: TranscriptSource): AsyncGenerator<TranscriptEntry, void, undefined> {
  for await (const { entry } of source.entries()) {
    if (typeof entry.type === 'string') yield { ...entry, type: entry.type };
  }
}
