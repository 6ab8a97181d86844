import { randomUUID } from 'node:crypto';
import type { CommandName, CommandParams, CommandValue } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Commander } from '../../console/commands/command.js';
import { LocalLink } from '../../console/service/local-link.js';
import type { Engine } from '../engine/engine.js';
import { waitFor } from '../engine/persist.js';
import { FleetCommands } from '../gateway/fleet-commands.js';
import type { FleetSession } from '../gateway/fleet-session.js';
import { FleetSessions } from '../gateway/fleet-sessions.js';
import { openEngine } from '../nats/open-engine.js';
import { WorkerList } from '../placement/worker-list.js';
import { ANYWHERE, type Place } from '../record.js';
import type { FleetOptions } from './fleet-manager-options.js';

/** Follows the conversations of a fleet. */
export interface FleetListener {
  readonly onChange: (session: FleetSession) => void;
  readonly onRemoved: (session: FleetSession) => void;
  readonly onDiagnostic: OnDiagnostic;
}

interface FleetPlace {
  /** The placement of new conversations. */
  readonly place: Place;
}

/** How to run a command. */
export interface AskOptions {
  readonly session?: string | undefined;
  /** The id of the command. Default: a random one. */
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The owner to charge a new conversation to. */
  readonly owner?: string | undefined;
}

/** How long to wait for the first worker of a fleet. */
const FIRST_WORKER_MS = 60_000;
const LOOK_MS = 100;

/** A program's connection to a fleet: what a gateway has, without a server. */
export class FleetLink {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly sessions: FleetSessions;
  readonly #workers = new WorkerList();
  readonly #commands: FleetCommands;
  readonly #end = new AbortController();
  readonly #client = randomUUID();

  private constructor(engine: Engine, clock: Clock, { place, ...listener }: FleetListener & FleetPlace) {
    this.engine = engine;
    this.clock = clock;
    this.sessions = new FleetSessions(engine, clock, {
      onChange: (session) => listener.onChange(session as FleetSession),
      onRemoved: (session) => listener.onRemoved(session as FleetSession),
      onDiagnostic: listener.onDiagnostic,
    });
    const { sessions } = this;
    this.#commands = new FleetCommands({ engine, clock, sessions, workers: this.#workers, place });
  }

  /** Connects to a fleet; resolves when all its conversations are known. */
  static async open(options: FleetOptions, clock: Clock, listener: FleetListener): Promise<FleetLink> {
    const engine = await openEngine(options, 'coxswain manager');
    const place = { ...ANYWHERE, ...options.place };
    const link = new FleetLink(engine, clock, { ...listener, place });
    try {
      await link.#workers.open(engine, () => {});
      await link.sessions.open();
      return link;
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  /** Aborted when the program leaves the fleet. */
  get left(): AbortSignal {
    return this.#end.signal;
  }

  /** Runs a command once, on the worker that has the conversation; rejects with its error. */
  async ask<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    { session, id = randomUUID(), signal, owner = 'default' }: AskOptions = {},
  ): Promise<CommandValue<Name>> {
    const by: Commander = {
      client: this.#client,
      name: 'A program',
      kind: 'program',
      role: 'owner',
      key: owner,
    };
    const until = signal === undefined ? this.left : AbortSignal.any([signal, this.left]);
    until.throwIfAborted();
    const value = await this.#commands.run({ id, name, session, params }, { by, signal: until });
    return value as CommandValue<Name>;
  }

  /** A connection for one conversation of an owner. */
  connect(owner: string): LocalLink {
    return new LocalLink({
      find: async (session) => {
        const { id, log } = await this.sessions.find(session);
        // A program that only reads does not keep a CLI from being parked.
        return { id, log, viewersChanged: () => {} };
      },
      command: (name, params, options) => this.ask(name, params, { ...options, owner }),
    });
  }

  /** A folder that conversations may work in. @throws CoxswainError `FLEET_NO_WORKER`. */
  async anyFolder(): Promise<string> {
    const begun = this.clock.now();
    while (!this.left.aborted) {
      const [root] = this.#workers.all.flatMap(({ roots }) => roots);
      if (root !== undefined) return root;
      if (this.clock.now() - begun > FIRST_WORKER_MS) break;
      await waitFor(LOOK_MS, { clock: this.clock, signal: this.left });
    }
    throw new CoxswainError('FLEET_NO_WORKER', 'The fleet has no worker.');
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#workers.close();
    await this.sessions.close();
    await this.engine.close();
  }
}
