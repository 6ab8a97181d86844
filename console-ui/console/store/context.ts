import { createContext, useCallback, useContext, useState, useSyncExternalStore } from 'react';
import type { CommandName, CommandParams, CommandValue } from '../../../src/entry/remote/contract.js';
import { CommandFailed, type Link } from '../link/link.js';
import type { ConsoleStore } from './console-store.js';
import type { ConsoleState } from './state.js';

/** What every part of the page can access. */
export interface Reach {
  readonly store: ConsoleStore;
  readonly link: Link;
  /** This tab's own id. */
  readonly client: string;
  /** Shows the person a short message. */
  readonly tell: (text: string, level?: 'info' | 'error') => void;
}

export const ReachContext = createContext<Reach | undefined>(undefined);

/** The store, the connection and the function for short messages. */
export function useReach(): Reach {
  const reach = useContext(ReachContext);
  if (reach === undefined) throw new Error('This component is outside of the page.');
  return reach;
}

/** A part of the page's state; it must keep its identity while it does not change. */
export function useConsole<Part>(select: (state: ConsoleState) => Part): Part {
  const { store } = useReach();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Whether the page is connected to the server: without a connection, every command is refused. */
export function useIsOpen(): boolean {
  return useConsole(({ link }) => link === 'open');
}

/** Whether this page's key is read-only: then the server refuses every command. */
export function useWatchOnly(): boolean {
  return useConsole(({ hello }) => hello?.role === 'watcher');
}

/** A command with its pending state; failures are shown to the person, and resolve to undefined. */
export interface Runner {
  readonly busy: boolean;
  readonly run: <Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    options?: { session?: string | undefined; id?: string },
  ) => Promise<CommandValue<Name> | undefined>;
}

/** Runs commands for one component. */
export function useCommands(): Runner {
  const { link, tell } = useReach();
  const [busy, setBusy] = useState(0);
  const run = useCallback<Runner['run']>(
    async (name, params, options) => {
      setBusy((count) => count + 1);
      try {
        return await link.command(name, params, options);
      } catch (error) {
        tell(failureText(error), 'error');
        return undefined;
      } finally {
        setBusy((count) => count - 1);
      }
    },
    [link, tell],
  );
  return { busy: busy > 0, run };
}

/** Why something failed, for people. */
export function failureText(error: unknown): string {
  if (error instanceof CommandFailed && error.reason !== undefined && !error.message.includes(error.reason))
    return `${error.message} ${error.reason}`;
  return error instanceof Error ? error.message : String(error);
}
