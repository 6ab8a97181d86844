import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { promptNeed } from '../prompts/titles.js';
import type { ConsoleState } from './state.js';

/** A prompt that someone should be notified of, or no longer needs to be. */
export interface PromptNews {
  readonly opened: readonly {
    readonly session: SessionSummary;
    readonly id: string;
    readonly need: string;
  }[];
  readonly settled: readonly string[];
}

/** How prompts changed between two states. */
export function promptNews(before: ConsoleState, after: ConsoleState): PromptNews {
  if (before.sessions === after.sessions) return { opened: [], settled: [] };
  const [old, now] = [promptIds(before), promptIds(after)];
  const opened = [...after.sessions.values()].flatMap((session) =>
    session.prompts
      .filter(({ id }) => !old.has(id))
      .map((prompt) => ({ session, id: prompt.id, need: promptNeed(prompt) })),
  );
  return { opened, settled: [...old].filter((id) => !now.has(id)) };
}

function promptIds({ sessions }: ConsoleState): ReadonlySet<string> {
  return new Set([...sessions.values()].flatMap(({ prompts }) => prompts.map(({ id }) => id)));
}
