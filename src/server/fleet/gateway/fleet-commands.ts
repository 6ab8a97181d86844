import { randomUUID } from 'node:crypto';
import { toError } from '../../../entry/remote/command-failed.js';
import type { Done, OpenParams } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { AbortedError, CoxswainError } from '../../../wire/util/errors.js';
import type { CheckedCommand, Commander, RunCommand } from '../../console/commands/command.js';
import { webhookCommands } from '../../console/commands/webhook-commands.js';
import type { Webhooks } from '../../console/webhooks/webhooks.js';
import type { Engine } from '../engine/engine.js';
import { waitFor } from '../engine/persist.js';
import type { PlaceAnswer } from '../placement/placer.js';
import type { WorkerList } from '../placement/worker-list.js';
import type { Place } from '../record.js';
import type { FleetSessions } from './fleet-sessions.js';

/** What {@link FleetCommands} works with. */
export interface FleetCommandParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly sessions: FleetSessions;
  readonly workers: WorkerList;
  readonly webhooks: Webhooks;
  /** Placement of conversations that are opened here. */
  readonly place?: Place | undefined;
}

/** How long one request waits: then it is sent again, and its id ensures that it takes effect once. */
const ASK_MS = 5_000;
/** How long a conversation may be without a worker before the caller gets an error. */
const OWNERLESS_MS = 60_000;
const AGAIN_MS = 200;
const SOON_MS = 10;
/** The longest that any command takes. */
const LONGEST_MS = 16 * 60_000;

interface Asked {
  readonly by: Commander;
  readonly signal: AbortSignal;
}

/** Runs the commands of a gateway's clients: sends each to the worker that owns the conversation at that time. */
export class FleetCommands {
  readonly #parts: FleetCommandParts;

  constructor(parts: FleetCommandParts) {
    this.#parts = parts;
  }

  readonly run: RunCommand = (command, asked) => {
    const { name, session } = command;
    const { webhooks, sessions } = this.#parts;
    if (isWebhookCommand(name)) {
      return webhookCommands[name].run(command.params as never, { webhooks, registry: sessions });
    }
    if (name === 'open') return this.#open(command, asked);
    if (name === 'mcp.all') return this.#askAll(command, asked);
    if (session === undefined) return this.#askAny(command, asked);
    if (sessions.known(session) === undefined) return Promise.reject(unknown(session));
    return this.#askOwner(session, command, asked);
  };

  async #open(command: CheckedCommand, asked: Asked): Promise<unknown> {
    const { sessions } = this.#parts;
    const params = command.params as OpenParams;
    const id = params.id ?? randomUUID();
    const done = sessions.expect(id);
    try {
      const opened = await this.#askOwner(id, { ...command, params: { ...params, id } }, asked);
      await sessions.untilListed(id);
      if (params.program !== undefined) sessions.known(id)?.openedBy(asked.by.client);
      return opened;
    } finally {
      done();
    }
  }

  /** Asks the worker that owns a conversation; if there is none, a worker is found. */
  async #askOwner(session: string, command: CheckedCommand, asked: Asked): Promise<unknown> {
    const { engine, clock } = this.#parts;
    const { signal } = asked;
    const begun = clock.now();
    let since = begun;
    while (!signal.aborted && clock.now() - begun < LONGEST_MS) {
      const heard = await this.#request(engine.names.control(session), requestOf(command, session, asked));
      if (heard.how === 'answered') return valueIn(heard.text);
      // A worker that is still busy with the command is asked again until it has an answer.
      if (heard.how === 'closed') throw new CoxswainError('SESSION_ENDED', 'The gateway is stopping.');
      if (heard.how === 'silent') {
        since = clock.now();
        await waitFor(SOON_MS, { clock, signal });
      } else await this.#place(session, clock.now() - since, signal);
    }
    throw new AbortedError('REQUEST_ABORTED', 'Nobody is waiting for the answer.', signal.reason);
  }

  /** @throws CoxswainError `FLEET_NO_WORKER` if none was found in time. */
  async #place(session: string, waitedMs: number, signal: AbortSignal): Promise<void> {
    const { engine, clock, place } = this.#parts;
    const heard = await this.#request(engine.names.place, JSON.stringify({ session, place }));
    const placed = heard.how === 'answered' ? (JSON.parse(heard.text) as PlaceAnswer) : undefined;
    if (placed?.ok === false) throw noWorker(placed.text);
    if (waitedMs > OWNERLESS_MS) throw noWorker('None accepted it in time.');
    if (heard.how === 'closed') return;
    // The owner is known a moment later, or there is no placer yet.
    if (heard.how !== 'silent') await waitFor(placed?.ok === true ? SOON_MS : AGAIN_MS, { clock, signal });
  }

  /** Asks any worker, because the answer is not about a conversation. */
  async #askAny(command: CheckedCommand, asked: Asked): Promise<unknown> {
    const { names } = this.#parts.engine;
    const heard = await this.#request(names.anyWorker, requestOf(command, undefined, asked));
    if (heard.how === 'answered') return valueIn(heard.text);
    throw noWorker('None answers.');
  }

  /** Every worker acts on its own conversations; the results are merged. */
  async #askAll(command: CheckedCommand, asked: Asked): Promise<unknown> {
    const { engine, workers } = this.#parts;
    const values = await Promise.all(
      workers.all.map(async ({ worker }) => {
        const run = { ask: 'run', command: JSON.parse(requestOf(command, undefined, asked)) as unknown };
        const heard = await this.#request(engine.names.worker(worker), JSON.stringify(run));
        return heard.how === 'answered' ? valueIn(heard.text) : undefined;
      }),
    );
    return {
      results: values.flatMap((value) => (value as { results?: unknown[] } | undefined)?.results ?? []),
    };
  }

  async #request(subject: string, text: string): Promise<Heard> {
    const { connection, clients } = this.#parts.engine;
    try {
      const message = await connection.request(subject, text, { timeout: ASK_MS });
      return { how: 'answered', text: message.string() };
    } catch (error) {
      if (connection.isClosed()) return { how: 'closed' };
      const { RequestError, NoRespondersError } = clients.core.errors;
      const isNobody =
        error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
      return { how: isNobody ? 'nobody' : 'silent' };
    }
  }
}

type Heard =
  | { readonly how: 'answered'; readonly text: string }
  | { readonly how: 'silent' | 'nobody' | 'closed' };

type WebhookCommand = keyof typeof webhookCommands;

function isWebhookCommand(name: string): name is WebhookCommand {
  return Object.hasOwn(webhookCommands, name);
}

function requestOf({ id, name, params }: CheckedCommand, session: string | undefined, { by }: Asked): string {
  return JSON.stringify({ id, name, session, params, by });
}

/** The value of an answer. @throws the command's error. */
function valueIn(text: string): unknown {
  const done = JSON.parse(text) as Done;
  if (!done.ok) throw toError(done.error);
  return done.value;
}

function unknown(session: string): CoxswainError {
  return new CoxswainError('SESSION_UNKNOWN', `There is no session ${JSON.stringify(session)} here.`);
}

function noWorker(why: string): CoxswainError {
  return new CoxswainError('FLEET_NO_WORKER', `No worker has a free slot for the conversation. ${why}`);
}
