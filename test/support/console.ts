import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { CommandName, CommandParams, CommandValue, Done } from '../../src/entry/remote/contract.js';
import type { EmulatedCli, EmulateOptions } from '../../src/lab/testing/emulator/emulate-cli.js';
import type { Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { type Console, type ConsoleOptions, startConsole } from '../../src/server/console/start-console.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { emulatedStarts } from './emulated-starts.js';
import { inTime } from './eventually.js';

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-console-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** What a kill leaves on disk at this moment: nothing is released. */
export async function asKilled(stateFolder: string): Promise<string> {
  const copy = await temporaryFolder();
  await cp(stateFolder, copy, { recursive: true });
  // The process that had the store is this one, which is running.
  const stores = (await readdir(join(copy, 'running'))).filter((name) => !name.endsWith('.json'));
  for (const store of stores) await rm(join(copy, 'running', store, 'lock'));
  return copy;
}

/** A console whose CLIs are emulated. */
export interface EmulatedConsole {
  readonly server: Console;
  /** The started CLIs, in order. */
  readonly clis: readonly EmulatedCli[];
  /** A folder that sessions may work in. */
  readonly root: string;
  readonly stateFolder: string;
}

/** Starts a console that plays a scenario with each CLI; it is closed after the test. */
export async function startEmulatedConsole(
  scenario: Scenario | (() => Scenario),
  options: ConsoleOptions & { readonly emulate?: EmulateOptions } = {},
): Promise<EmulatedConsole> {
  const { emulate = {}, ...given } = options;
  const { transport, clis } = emulatedStarts(typeof scenario === 'function' ? scenario : () => scenario, {
    partialMessages: true,
    ...emulate,
  });
  const root = await temporaryFolder();
  const stateFolder = given.stateFolder ?? (await temporaryFolder());
  const server = await startConsole({
    roots: [root],
    stateFolder,
    configDir: root,
    session: { transport },
    ...given,
  });
  onTestFinished(() => server.close());
  return { server, clis, root, stateFolder };
}

type Wanted = (message: WireObject) => boolean;

interface BareClientOptions {
  readonly client?: string;
  readonly name?: string;
  /** Its token. Default: the owner's. */
  readonly token?: string | undefined;
  /** Whether to answer pings. Default: yes. */
  readonly autoPong?: boolean;
}

/** A client that sends and sees exactly what is on the socket. */
export class BareClient {
  readonly messages: WireObject[] = [];
  readonly closed: Promise<number>;
  readonly socket: WebSocket;
  #position = 0;
  #waiting: { readonly wanted: Wanted; readonly found: (message: WireObject) => void }[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.on('close', resolve));
  }

  /** Connects as a program unless other headers are given, and waits for the greeting. */
  static async connect(
    server: Pick<Console, 'origin' | 'token'>,
    { client = randomUUID(), name = 'test', token = server.token, autoPong = true }: BareClientOptions = {},
  ): Promise<BareClient> {
    const bare = new BareClient(
      new WebSocket(`${server.origin.replace('http', 'ws')}/api/socket`, {
        headers: { authorization: `Bearer ${token}` },
        autoPong,
      }),
    );
    onTestFinished(() => bare.socket.terminate());
    await bare.next(({ type }) => type === 'sessions');
    bare.say({ type: 'hello', client, name });
    return bare;
  }

  say(message: WireObject): void {
    this.socket.send(JSON.stringify(message));
  }

  attach(session: string, after = 0): void {
    this.say({ type: 'attach', session, after });
  }

  /** Sends a command and resolves to the answer. */
  async command<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    { session, id = randomUUID() }: { readonly session?: string; readonly id?: string } = {},
  ): Promise<Done> {
    const done = this.first(({ type, id: of }) => type === 'done' && of === id);
    this.say({ type: 'command', id, name, session, params });
    return (await done) as unknown as Done;
  }

  /** Sends a command that must succeed and resolves to its value. */
  async ask<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    options: { readonly session?: string; readonly id?: string } = {},
  ): Promise<CommandValue<Name>> {
    const done = await this.command(name, params, options);
    if (!done.ok) throw new Error(`${name} failed: ${done.error.code} ${done.error.message}`);
    return done.value as CommandValue<Name>;
  }

  /** The next message of this kind that no earlier call of `next` has returned. */
  next(wanted: Wanted): Promise<WireObject> {
    const index = this.messages.findIndex((message, at) => at >= this.#position && wanted(message));
    const found = this.messages[index];
    if (found !== undefined) {
      this.#position = index + 1;
      return Promise.resolve(found);
    }
    this.#position = this.messages.length;
    return this.#later(wanted).then((message) => {
      this.#position = this.messages.indexOf(message) + 1;
      return message;
    });
  }

  /** The next message of this kind from now on, whatever `next` has returned. */
  first(wanted: Wanted): Promise<WireObject> {
    return this.#later(wanted);
  }

  /** A message of this kind, earlier or later: summaries overtake events. */
  async ever(wanted: Wanted): Promise<WireObject> {
    return this.messages.findLast(wanted) ?? this.#later(wanted);
  }

  /** The next event of this kind; the message around it carries its number. */
  async event(kind: string, fits: Wanted = () => true): Promise<WireObject> {
    return this.next(
      ({ type, event }) => type === 'event' && isObject(event) && event.kind === kind && fits(event),
    );
  }

  /** The next matching summary. */
  async summary(fits: Wanted): Promise<WireObject> {
    const message = await this.next(
      ({ type, session }) => type === 'session' && isObject(session) && fits(session),
    );
    return message.session as WireObject;
  }

  get events(): readonly WireObject[] {
    return this.messages.filter(({ type }) => type === 'event');
  }

  get numbers(): readonly number[] {
    return this.events.map(({ n }) => Number(n));
  }

  close(): Promise<number> {
    this.socket.close();
    return this.closed;
  }

  #later(wanted: Wanted): Promise<WireObject> {
    const later = new Promise<WireObject>((found) => this.#waiting.push({ wanted, found }));
    return inTime(later, () => {
      const last = this.messages.slice(-3).map((message) => JSON.stringify(message).slice(0, 300));
      return `a message with ${wanted}. The last of ${this.messages.length}:\n${last.join('\n')}`;
    });
  }

  #take(message: WireObject): void {
    this.messages.push(message);
    const ready = this.#waiting.filter(({ wanted }) => wanted(message));
    this.#waiting = this.#waiting.filter((waiter) => !ready.includes(waiter));
    for (const { found } of ready) found(message);
  }
}

/** What the host answered to the CLI's requests, in order. */
export function answers(cli: EmulatedCli | undefined): readonly unknown[] {
  return (cli?.received ?? [])
    .filter(({ type }) => type === 'control_response')
    .map(({ response }) => (isObject(response) ? response.response : undefined))
    .filter((answer) => isObject(answer) && ('behavior' in answer || 'action' in answer));
}

/** The event inside a message of the socket. */
export function eventIn(message: WireObject): WireObject {
  return isObject(message.event) ? message.event : {};
}

/** The messages of the CLI among the events, by type. */
export function isCliMessage(type: string): Wanted {
  return (event) => event.from === 'cli' && isObject(event.frame) && event.frame.type === type;
}

/** Tries to open the socket, and returns the result: `open`, or the status of the refusal. */
export function trySocket(server: Console, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const { 'sec-websocket-protocol': named, ...others } = headers;
    const protocols = named === undefined ? [] : named.split(', ');
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/socket`, protocols, { headers: others });
    onTestFinished(() => socket.terminate());
    socket.on('open', () => resolve('open'));
    socket.on('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
    socket.on('error', () => resolve('error'));
  });
}
