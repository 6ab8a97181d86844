import { useState } from 'react';
import type { CommandValue, SessionSummary } from '../../../src/entry/remote/contract.js';
import { useCommands, useReach } from '../store/context.js';

/** The actions on an MCP server. */
export type Action = 'reconnect' | 'enable' | 'disable';

/** The result of an action in every session that has the server. */
export interface Results {
  readonly server: string;
  readonly results: CommandValue<'mcp.all'>['results'];
}

/** Runs an action on a server, here or in every session, reports the result, and queries again. */
export function useAction(session: SessionSummary, everywhere: boolean, onDone: () => void) {
  const { tell } = useReach();
  const { run, busy } = useCommands();
  const [results, setResults] = useState<Results>();
  const here = async (action: Action, server: string) => {
    const value = await run(`mcp.${action}`, { server }, { session: session.id });
    if (value === undefined) return;
    if (!value.success) tell(`${server}: ${failureOf(value)}`, 'error');
    if (value.remembered) tell(`The CLI remembers this for ${session.cwd}, even after this session.`);
  };
  const all = async (action: Action, server: string) => {
    const value = await run('mcp.all', { action, server });
    if (value !== undefined) setResults({ server, results: value.results });
  };
  return {
    busy,
    results,
    run: async (action: Action, server: string) => {
      setResults(undefined);
      await (everywhere ? all : here)(action, server);
      onDone();
    },
    remove: async (server: string) => {
      setResults(undefined);
      await run('mcp.remove', { server }, { session: session.id });
      onDone();
    },
  };
}

/** Why an action failed, as far as the CLI says. */
export function failureOf({ error, status }: { error: string | null; status: string | null }): string {
  return error ?? (status === null ? 'the CLI does not report the result' : `it is ${status}`);
}
