import type { CommandParams, Done, OpenRequest, PlaceParams } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorText } from '../../../wire/util/error-text.js';
import { AbortedError, CoxswainError } from '../../../wire/util/errors.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { Commander, ReceivedCommand } from '../../console/commands/command.js';
import { resultValue } from '../../console/commands/command-result.js';
import { findCommand } from '../../console/commands/command-table.js';
import { webhookCommands } from '../../console/commands/webhook-commands.js';
import type { Webhooks } from '../../console/webhooks/webhooks.js';
import { addresses, type Engine, failedAs } from '../engine/engine.js';
import { dropText, packText, unpackText } from '../engine/long-texts.js';
import { waitFor } from '../engine/persist.js';
import type { PlaceAnswer, PlaceRequest } from '../placement/placer.js';
import type { WorkerList } from '../placement/worker-list.js';
import { ANYWHERE, isLive, type Place } from '../record.js';
import { FleetHistory } from './fleet-history.js';
import type { FleetSession } from './fleet-session.js';
import type { FleetSessions } from './fleet-sessions.js';

/** The dependencies of {@link FleetCommands}. */
export interface FleetCommandParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly sessions: FleetSessions;
  readonly workers: WorkerList;
  /** Undefined if the gateway has no webhooks. */
  readonly webhooks?: Webhooks | undefined;
  /** Placement of conversations that are opened here. */
  readonly place?: Place | undefined;
}

/** How long one request waits: then it is sent again, and its id ensures that it takes effect once. */
const ASK_MS = 5_000;
/** How long a conversation may be without a worker before the caller gets an error. */
const OWNERLESS_MS = 60_000;
/** How many commands with an unclear fate to remember. */
const MOST_UNCLEAR = 10_000;
const AWAY = 'NATS cannot be reached.';
const AGAIN_MS = 200;
const SOON_MS = 10;
/** The longest that any command takes. */
const LONGEST_MS = 16 * 60_000;
const NO_ANSWER =
  'There was no answer for 16 minutes: the conversation waits for a slot, or its worker is busy.';

/** A command, as its worker gets it. */
export type SentCommand = Pick<ReceivedCommand, 'id' | 'name' | 'params'>;

interface Asked {
  readonly by: Commander;
  readonly signal: AbortSignal;
  /** The placement of a new conversation. */
  readonly place?: Place | undefined;
  /** The session whose conversation a new one resumes or forks: its transcript may be on another worker's disk. */
  readonly source?: string | undefined;
  /** The disk with the transcript of a conversation that is not in the fleet. */
  readonly disk?: string | undefined;
}

/** Runs the commands of a gateway's clients: sends each to the worker that owns the conversation at that time. */
export class FleetCommands {
  readonly #parts: FleetCommandParts;
  /** Commands of which nobody could tell whether they ran: the next answer must not say that they did not. */
  readonly #unclear = new RecentMap<string, true>(MOST_UNCLEAR);

  constructor(parts: FleetCommandParts) {
    this.#parts = parts;
  }

  #history(asked: Asked): FleetHistory {
    const { sessions, workers } = this.#parts;
    const ask = (worker: string, command: ReceivedCommand) => this.#askWorker(worker, command, asked);
    return new FleetHistory({ sessions, workers, ask });
  }

  readonly run = (command: ReceivedCommand, asked: Asked): Promise<unknown> => {
    const { name, session } = command;
    const { webhooks, sessions } = this.#parts;
    if (webhooks !== undefined && isWebhookCommand(name)) {
      return webhookCommands[name].run(command.params as never, { webhooks, registry: sessions });
    }
    if (name === 'open') return this.#open(command, asked);
    // A worker removes its files when it ends; clones of a git remote continue elsewhere.
    if (name === 'worktrees') return Promise.resolve({ worktrees: [] });
    if (name === 'worktrees.end') return Promise.reject(noWorktrees());
    if (name === 'mcp.all') return this.#askAll(command, asked);
    if (name === 'history.messages') return this.#askForMessages(command, asked);
    if (session === undefined) return this.#history(asked).run(command) ?? this.#askAny(command, asked);
    if (sessions.known(session) === undefined) return Promise.reject(unknown(session));
    if (name === 'remove') return this.#remove(session, command, asked);
    return this.askOwner(session, command, asked);
  };

  /** The caller may look at the list at once. */
  async #remove(session: string, command: ReceivedCommand, asked: Asked): Promise<unknown> {
    const removed = await this.askOwner(session, command, asked);
    await this.#parts.sessions.untilGone(session);
    return removed;
  }

  async #open(command: ReceivedCommand, asked: Asked): Promise<unknown> {
    const { sessions } = this.#parts;
    const { place, ...params } = command.params as OpenRequest;
    if (params.workspace === 'worktree') throw noWorktrees();
    const source = this.#sourceOf(params);
    const id = params.id ?? this.#parts.engine.makeId();
    const done = sessions.expect(id);
    try {
      const { resume } = params;
      const isOnDisk = resume !== undefined && source === undefined;
      const disk = isOnDisk ? await this.#history(asked).diskOf(resume, command) : undefined;
      const wanted = { ...asked, place: this.#placeFor(place), source: source?.id, disk };
      const opened = await this.askOwner(id, { ...command, params: { ...params, id } }, wanted);
      await sessions.untilListed(id);
      if (params.program !== undefined && params.program.detached !== true)
        sessions.known(id)?.openedBy(asked.by.client);
      return opened;
    } finally {
      done();
    }
  }

  /** The session of the conversation to resume. @throws CoxswainError if its CLI would be the second one. */
  #sourceOf({ id, resume, forkSession = false }: OpenRequest): FleetSession | undefined {
    const source = resume === undefined ? undefined : this.#parts.sessions.byConversation.get(resume);
    if (source === undefined || source.id === id || forkSession || !isLive(source.record)) return source;
    const message = `The conversation ${resume} is already open in the session ${source.id}.`;
    throw new CoxswainError('COMMAND_INVALID', message);
  }

  /** A client can add to the restrictions of the gateway, but not remove them. */
  #placeFor({ priority, labels = [], cli }: PlaceParams = {}): Place {
    const { place = ANYWHERE } = this.#parts;
    return {
      priority: priority ?? place.priority,
      labels: [...new Set([...place.labels, ...labels])],
      cli: cli ?? place.cli,
    };
  }

  /** Asks the worker that owns a conversation; if there is none, a worker is found. */
  async askOwner(session: string, command: SentCommand, asked: Asked): Promise<unknown> {
    const { clock } = this.#parts;
    const { signal } = asked;
    const begun = clock.now();
    let since = begun;
    let mayHaveRun = this.#unclear.has(command.id);
    await using request = await this.#packed(requestOf(command, session, asked));
    while (!signal.aborted && clock.now() - begun < LONGEST_MS) {
      const heard = await this.#request(addresses.owner(session), request.text);
      if (heard.how === 'answered') return valueIn(heard.text);
      mayHaveRun ||= heard.wasSent === true;
      // A worker that is still busy with the command is asked again until it has an answer.
      if (heard.how === 'closed')
        throw this.#withFate(
          new CoxswainError('SESSION_ENDED', 'The gateway is stopping.'),
          command,
          mayHaveRun,
        );
      if (heard.how === 'silent') {
        since = clock.now();
        await waitFor(SOON_MS, { clock, signal });
      } else if (heard.how === 'away') {
        if (clock.now() - since > OWNERLESS_MS) throw this.#withFate(noWorker(AWAY), command, mayHaveRun);
        await waitFor(AGAIN_MS, { clock, signal });
      } else {
        const { place, disk } = asked;
        const wanted = { session, place, disk, again: mayHaveRun };
        await this.#place(wanted, clock.now() - since, signal).catch((error: unknown) => {
          throw this.#withFate(error, command, mayHaveRun);
        });
      }
    }
    if (!signal.aborted)
      throw this.#withFate(new CoxswainError('REQUEST_TIMEOUT', NO_ANSWER), command, mayHaveRun);
    throw new AbortedError('REQUEST_ABORTED', 'Nobody is waiting for the answer.', signal.reason);
  }

  #withFate(error: unknown, command: SentCommand, mayHaveRun: boolean): unknown {
    const told = withFate(error, command, mayHaveRun);
    if (told !== error) this.#unclear.set(command.id, true);
    return told;
  }

  /** @throws CoxswainError `FLEET_NO_WORKER` if none was found in time. */
  async #place(request: PlaceRequest, waitedMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const heard = await this.#request(addresses.placer, JSON.stringify(request));
    // All slots are taken: it waits in the queue, where it must ask again to stay.
    if (heard.how === 'silent' || heard.how === 'closed' || heard.how === 'away') return;
    const placed = heard.how === 'answered' ? (JSON.parse(heard.text) as PlaceAnswer) : undefined;
    if (placed?.ok === false) throw noWorker(placed.text);
    if (waitedMs > OWNERLESS_MS) throw noWorker('None accepted it in time.');
    // The owner is known a moment later, or there is no placer yet.
    await waitFor(placed?.ok === true ? SOON_MS : AGAIN_MS, { clock, signal });
  }

  /** The worker of a conversation has its transcript, or fetches it. */
  #askForMessages(command: ReceivedCommand, asked: Asked): Promise<unknown> {
    const { conversation } = command.params as CommandParams<'history.messages'>;
    const known = this.#parts.sessions.byConversation.get(conversation);
    if (known !== undefined) return this.askOwner(known.id, command, asked);
    return this.#history(asked).messages(command);
  }

  /** Asks any worker, because the answer is not about a conversation. */
  async #askAny(command: ReceivedCommand, asked: Asked): Promise<unknown> {
    await using request = await this.#packed(requestOf(command, undefined, asked));
    const heard = await this.#request(addresses.anyWorker, request.text);
    if (heard.how === 'answered') return valueIn(heard.text);
    throw noWorker(heard.how === 'away' ? AWAY : 'None answers.');
  }

  /** Every worker acts on its own conversations; the results are merged. */
  async #askAll(command: ReceivedCommand, asked: Asked): Promise<unknown> {
    const workers = this.#parts.workers.all;
    const values = await Promise.all(workers.map(({ worker }) => this.#askWorker(worker, command, asked)));
    return {
      results: values.flatMap((value) => (value as { results?: unknown[] } | undefined)?.results ?? []),
    };
  }

  /** What a worker says; undefined if it does not answer. */
  async #askWorker(worker: string, command: ReceivedCommand, asked: Asked): Promise<unknown> {
    const run = { ask: 'run', command: JSON.parse(requestOf(command, undefined, asked)) as unknown };
    const heard = await this.#request(addresses.worker(worker), JSON.stringify(run));
    return heard.how === 'answered' ? valueIn(heard.text) : undefined;
  }

  /** Commands with images may be too long for a message. */
  async #packed(whole: string): Promise<AsyncDisposable & { readonly text: string }> {
    const { engine } = this.#parts;
    const text = await packText(engine, whole);
    return { text, [Symbol.asyncDispose]: async () => dropText(engine, text) };
  }

  async #request(to: string, text: string): Promise<Heard> {
    const { engine } = this.#parts;
    // It would be kept, and sent when nobody waits for the answer any more.
    if (!engine.isConnected() && !engine.isClosed()) return { how: 'away' };
    try {
      const answer = await engine.bus.request(to, text, ASK_MS);
      const whole = await unpackText(engine, answer);
      dropText(engine, answer);
      return { how: 'answered', text: whole };
    } catch (error) {
      if (engine.isClosed()) return { how: 'closed', wasSent: true };
      if (failedAs(error, 'nobody')) return { how: 'nobody' };
      return { how: engine.isConnected() ? 'silent' : 'away', wasSent: true };
    }
  }
}

type Heard =
  | { readonly how: 'answered'; readonly text: string }
  | {
      readonly how: 'silent' | 'nobody' | 'closed' | 'away';
      /** Whether somebody may have got the request. */
      readonly wasSent?: true | undefined;
    };

type WebhookCommand = keyof typeof webhookCommands;

function isWebhookCommand(name: string): name is WebhookCommand {
  return Object.hasOwn(webhookCommands, name);
}

function requestOf(command: SentCommand, session: string | undefined, { by, source }: Asked): string {
  const { id, name, params } = command;
  return JSON.stringify({ id, name, session, params, by, source });
}

/** The value of an answer. @throws the command's error. */
function valueIn(text: string): unknown {
  return resultValue(JSON.parse(text) as Done);
}

function unknown(session: string): CoxswainError {
  return new CoxswainError('SESSION_UNKNOWN', `There is no session ${JSON.stringify(session)} here.`);
}

function noWorker(why: string): CoxswainError {
  return new CoxswainError('FLEET_NO_WORKER', `No worker can take the conversation. ${why}`);
}

/** The error for a caller whose command a worker may have got, although none answered: it must not be told that nothing happened. */
export function withFate(error: unknown, { id, name }: SentCommand, mayHaveRun: boolean): unknown {
  if (!mayHaveRun || findCommand(name)?.acts === false) return error;
  const message = `Nobody can tell yet whether "${name}" ran: a worker may have accepted it before it was lost. Send it again with the same id, ${id}: it runs once at most, and the answer says its outcome. ${errorText(error)}`;
  return new CoxswainError('FLEET_UNANSWERED', message, { cause: error });
}

function noWorktrees(): CoxswainError {
  const instead =
    'Workers that are started with --workspaces <git remote> give each conversation its own clone.';
  return new CoxswainError('COMMAND_INVALID', `Worktrees are not available in a fleet. ${instead}`);
}
