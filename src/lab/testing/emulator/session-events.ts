import { systemMessage } from '../builders/system.js';
import type { Cli } from './cli.js';

/** What a session does, as hosts may ask to be told. */
export type SessionActivity = 'idle' | 'running' | 'requires_action';

/** Tells what the session does, where the host asked for it and the version knows how. */
export async function tellActivity(cli: Cli, activity: SessionActivity): Promise<void> {
  if (!cli.traits.detailed || !cli.state.tellsActivity) return;
  await cli.send(
    systemMessage('session_state_changed', { state: activity, session_id: cli.state.sessionId }),
  );
}
