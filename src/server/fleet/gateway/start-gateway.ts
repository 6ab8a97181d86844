import { systemClock } from '../../../wire/util/clock.js';
import type { Console, ConsoleOptions } from '../../console/console-options.js';
import type { SessionListener, SessionSource } from '../../console/sessions/session-source.js';
import { startConsole } from '../../console/start-console.js';
import type { Retention } from '../../manager/manager-options.js';
import type { EngineOptions } from '../engine/engine-options.js';
import { openEngine } from '../nats/open-engine.js';
import { WorkerList } from '../placement/worker-list.js';
import type { Place } from '../record.js';
import { refuseBudgets } from '../refuse-budgets.js';
import { FleetCommands } from './fleet-commands.js';
import { FleetSessions } from './fleet-sessions.js';
import { keepRetention } from './retention.js';

/** Options of a gateway: how to connect to NATS, and how clients connect to it. */
export interface GatewayOptions
  extends Omit<
    ConsoleOptions,
    'roots' | 'session' | 'configDir' | 'maxRunning' | 'idleMs' | 'onLimit' | 'holdAbove' | 'budgets'
  > {
  /** How to connect to NATS. */
  readonly fleet: EngineOptions;
  /** Placement of conversations that are opened here. Default: anywhere. */
  readonly place?: Place | undefined;
  /** Deletes conversations of the fleet that were unused for a time, or the oldest above a count. Default: keeps all. */
  readonly retention?: Retention | undefined;
}

/** Starts a console server that shows all conversations of a fleet. It has no CLIs itself. @throws CoxswainError `OPTION_INVALID`. */
export async function startGateway({
  fleet,
  place,
  retention,
  ...options
}: GatewayOptions): Promise<Console> {
  refuseBudgets(options);
  const engine = await openEngine(fleet, 'coxswain gateway');
  const { clock = systemClock } = options;
  const workers = new WorkerList();
  let endRetention = () => {};
  const elsewhere = async (listener: SessionListener): Promise<SessionSource> => {
    const { webhooks, onChange, onRemoved } = listener;
    const { onDiagnostic } = fleet;
    const sessions = new FleetSessions(engine, clock, { onChange, onRemoved, onDiagnostic });
    const commands = new FleetCommands({ engine, clock, sessions, workers, webhooks, place });
    return {
      sessions,
      get roots() {
        return [...new Set(workers.all.flatMap(({ roots }) => roots))];
      },
      get workers() {
        return workers.offers;
      },
      run: commands.run,
      watched: () => {},
      open: async () => {
        await workers.open(engine, () => {});
        await sessions.open();
        if (retention !== undefined)
          endRetention = keepRetention({ clock, now: Date.now, sessions, commands, retention });
        return sessions.problems;
      },
    };
  };
  try {
    const server = await startConsole({ ...options, elsewhere });
    return closing(server, async () => {
      endRetention();
      workers.close();
      await engine.close();
    });
  } catch (error) {
    endRetention();
    workers.close();
    await engine.close();
    throw error;
  }
}

/** The server, which closes its resources with it. */
function closing(server: Console, after: () => Promise<void>): Console {
  const closeBoth = async () => {
    try {
      await server.close();
    } finally {
      await after();
    }
  };
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeBoth();
    return closed;
  };
  return {
    ...server,
    get pageUrl() {
      return server.pageUrl;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
