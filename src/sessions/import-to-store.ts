import { CoxswainError } from '../util/errors.js';
import type { SessionStore } from './store.js';

/** What {@link importToStore} can be told. */
export interface ImportToStoreOptions {
  /** The working folder of the session; without it every project is searched. */
  readonly dir?: string | undefined;
  /** Also the transcripts of its subagents; true unless given. */
  readonly includeSubagents?: boolean | undefined;
  /** How many entries one `append` gets at most; 500 unless given. */
  readonly batchSize?: number | undefined;
  /** The CLI's own folder; `CLAUDE_CONFIG_DIR`, or `.claude` in the home, unless given. */
  readonly configDir?: string | undefined;
}

/** Copies a session from the disk into a store. */
export function importToStore(
  _sessionId: string,
  _store: SessionStore,
  _options: ImportToStoreOptions = {},
): Promise<void> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
