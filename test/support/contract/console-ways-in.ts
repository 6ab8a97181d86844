import { expect, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../../src/entry/remote/console-client.js';
import type {
  CommandName,
  CommandParams,
  LogEvent,
  OpenParams,
  SessionSummary,
} from '../../../src/entry/remote/contract.js';
import type { Console } from '../../../src/server/console/start-console.js';
import { conversationStateOf } from '../../../src/server/conversation/states.js';
import { openManager } from '../../../src/server/managers/open-manager.js';
import { conversationId } from '../../../src/server/managers/served/conversation-id.js';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { CoxswainError } from '../../../src/wire/util/errors.js';
import { asKilled, startEmulatedConsole, temporaryFolder } from '../console.js';
import { HttpClient } from '../http-client.js';
import { type EmulatedLaunches, emulatedLaunches } from '../manager.js';
import { managedConversations } from './manager-ways-in.js';
import {
  type Fate,
  notOffered,
  type SharedOptions,
  type TestedConversation,
  type TestedConversations,
  type WayIn,
} from './way-in.js';

/** One way to talk to a console. */
interface ConsoleLink {
  readonly list: () => Promise<readonly SessionSummary[]>;
  readonly command: <Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    options?: { readonly session?: string | undefined; readonly id?: string | undefined },
  ) => Promise<unknown>;
  /** Collects the events of a session, from the first one. */
  readonly follow: (session: string, onEvent: (event: LogEvent) => void) => Promise<void>;
}

/** A console over the socket that pages and programs use. */
export const overSocket: Pick<WayIn, 'start'> = { start: consoleVia(socketLink) };

/** A manager of a console, over its socket. */
export const managerOfConsole: Pick<WayIn, 'start'> = {
  start: async (scenarios, options = {}) => {
    const folders = { root: await temporaryFolder(), state: await temporaryFolder() };
    return managedConsole({ options, folders, clis: emulatedLaunches({ scenarios }) });
  },
};

async function managedConsole(basis: Omit<Basis, 'linkTo'>): Promise<TestedConversations> {
  const { folders, clis } = basis;
  const server = await startServer(basis);
  const manager = await openManager({ console: { url: server.url } });
  onTestFinished(() => manager.close());
  return {
    ...managedConversations(manager, { asksAgain: true }),
    folder: folders.root,
    launches: clis.launches,
    restart: async (how) => {
      const state = how === 'killed' ? await asKilled(folders.state) : folders.state;
      if (how === 'closed') {
        await manager.close();
        await server.close();
      }
      return managedConsole({ ...basis, folders: { ...folders, state } });
    },
  };
}

/** A console over its HTTP API. */
export const overHttp: Pick<WayIn, 'start'> = { start: consoleVia(httpLink) };

function consoleVia(linkTo: (server: Console) => Promise<ConsoleLink>): WayIn['start'] {
  return async (scenarios, options = {}) => {
    const folders = { root: await temporaryFolder(), state: await temporaryFolder() };
    return startedConsole({ linkTo, options, folders, clis: emulatedLaunches({ scenarios }) });
  };
}

interface Basis {
  readonly linkTo: (server: Console) => Promise<ConsoleLink>;
  readonly options: SharedOptions;
  readonly folders: { readonly root: string; readonly state: string };
  readonly clis: EmulatedLaunches;
}

async function startServer({ options, folders, clis }: Omit<Basis, 'linkTo'>): Promise<Console> {
  const { server } = await startEmulatedConsole([], {
    ...options,
    limitSpreadMs: 0,
    roots: [folders.root],
    configDir: folders.root,
    stateFolder: folders.state,
    // Of a restarted server too, so that clients' keys stay the same.
    token: 'the token of this console',
    session: { transport: clis.transport },
  });
  return server;
}

async function startedConsole(basis: Basis): Promise<TestedConversations> {
  const { linkTo, folders, clis } = basis;
  const server = await startServer(basis);
  const link = await linkTo(server);
  return {
    folder: folders.root,
    launches: clis.launches,
    list: async () => (await link.list()).map(({ title }) => title),
    open: async (name, { budgetUsd, cwd = folders.root, ...given } = {}) => {
      const id = conversationId(name);
      if (!(await isListed(link, id)))
        await begin(link, { id, cwd, title: name, maxBudgetUsd: budgetUsd, ...given });
      return consoleConversation(link, id);
    },
    restart: async (how) => {
      const state = how === 'killed' ? await asKilled(folders.state) : folders.state;
      if (how === 'closed') await server.close();
      return startedConsole({ ...basis, folders: { ...folders, state } });
    },
  };
}

/** A session that waits for a slot is listed long before it is ready. */
async function begin(link: ConsoleLink, params: OpenParams & { readonly id: string }): Promise<void> {
  const opened = link.command('open', params);
  const listed = expect.poll(() => isListed(link, params.id), { interval: 10 }).toBe(true);
  await Promise.race([opened, listed]);
  // Its failure is in the session's events.
  opened.catch(() => {});
  await listed;
}

async function isListed(link: ConsoleLink, session: string): Promise<boolean> {
  return (await link.list()).some(({ id }) => id === session);
}

async function consoleConversation(link: ConsoleLink, session: string): Promise<TestedConversation> {
  const events: LogEvent[] = [];
  await link.follow(session, (event) => events.push(event));
  const summary = async () => {
    const found = (await link.list()).find(({ id }) => id === session);
    if (found === undefined) throw new CoxswainError('SESSION_UNKNOWN', `There is no session ${session}.`);
    return found;
  };
  const command = async <Name extends CommandName>(name: Name, params: CommandParams<Name>, id?: string) => {
    const value = await link.command(name, params, { session, id });
    return isObject(value) ? value : {};
  };
  return {
    look: async () => {
      const { prompts, costUsd, maxBudgetUsd, limitUntil, error, ...rest } = await summary();
      return {
        state: conversationStateOf({ ...rest, prompts }),
        prompts,
        costUsd,
        unsettled: unsettledIn(events),
        budgetUsd: maxBudgetUsd,
        limitUntil: limitUntil === undefined ? undefined : new Date(limitUntil),
        failure: error,
      };
    },
    send: async (content, { id, ...options } = {}) =>
      String((await command('send', { content, whileBusy: 'enqueue', ...options }, id)).uuid),
    fate: async (id) => {
      await expect.poll(() => fatesIn(events, id).length, { interval: 10 }).toBeGreaterThan(0);
      return fatesIn(events, id)[0] ?? { kind: 'none' };
    },
    cancel: async (uuid) => (await command('unsend', { uuid })).cancelled === true,
    interrupt: async () => (await command('interrupt', {})).interrupted === true,
    answer: async (prompt, answer) => (await command('answer', { prompt, answer })).accepted === true,
    park: async () => void (await command('park', {})),
    retry: async () => void (await command('reopen', {})),
    control: (subtype) => command('control', { subtype }),
    setModel: async (model) => void (await command('setModel', { model })),
    setPermissionMode: async (mode) => void (await command('setPermissionMode', { mode })),
    setBudget: async (usd) => void (await command('setBudget', { usd })),
    schedule: async (options) => void (await command('schedule', options)),
    unschedule: async () => void (await command('unschedule', {})),
    endWorkspace: async (end) => void (await command('endWorkspace', { end })),
    delete: async () => {
      await command('close', {});
      await command('remove', {});
    },
    export: async () => {
      const { title, ...rest } = await summary();
      const facts = { name: title, state: conversationStateOf(rest), messages: unsettledIn(events) };
      return { facts, ...(await command('export', {})) };
    },
  };
}

/** The outcomes of a message, with the text of the result that they name. */
function fatesIn(events: readonly LogEvent[], id: string): readonly Fate[] {
  return events.flatMap((event) => {
    if (event.kind !== 'settled' || event.uuid !== id) return [];
    const { kind, result } = event.outcome;
    const line = events.find((each) => each.kind === 'line' && each.frame?.uuid === result);
    return [{ kind, text: line?.kind === 'line' ? textOf(line.frame) : undefined }];
  });
}

function textOf(result: WireObject | undefined): string | undefined {
  return typeof result?.result === 'string' ? result.result : undefined;
}

function unsettledIn(events: readonly LogEvent[]): number {
  const unsettled = new Set<string>();
  for (const event of events) {
    if (event.kind === 'queued') unsettled.add(event.uuid);
    if (event.kind === 'settled') unsettled.delete(event.uuid);
  }
  return unsettled.size;
}

async function socketLink(server: Console): Promise<ConsoleLink> {
  const client = new ConsoleClient({ url: server.url });
  onTestFinished(() => client.close());
  await client.listed;
  return {
    list: async () => client.sessions,
    command: (name, params, options) => client.command(name, params, options),
    follow: async (session, onEvent) =>
      void client.attach(session, 0, { partial: false, onEvent: ({ event }) => onEvent(event) }),
  };
}

async function httpLink(server: Console): Promise<ConsoleLink> {
  const http = new HttpClient(server);
  const ask = async (
    what: string,
    { body, id }: { readonly body?: object | undefined; readonly id?: string | undefined },
  ) => {
    const headers = id === undefined ? {} : { 'idempotency-key': id };
    const { status, json, text } = await http.ask(what, { body, headers });
    if (status < 300) return json;
    throw Object.assign(new Error(`${status} ${text}`), { code: json.code });
  };
  return {
    list: async () => (await ask('GET /conversations', {})).items as readonly SessionSummary[],
    command: async (name, params, { session = '', id } = {}) => {
      const route = routes[name]?.(params as never);
      if (route === undefined) return notOffered(`the command ${name}`);
      const [what, body] = route;
      return ask(what.replace('{conversation}', `/conversations/${session}`), { body, id });
    },
    follow: async (session, onEvent) => {
      void collect(http.events(`/conversations/${session}/events?partial=false`), onEvent);
    },
  };
}

/** Until the server closes, which breaks the stream. */
async function collect(
  stream: AsyncIterable<{ readonly data: WireObject }>,
  onEvent: (event: LogEvent) => void,
): Promise<void> {
  try {
    for await (const { data } of stream) if (isObject(data.event)) onEvent(data.event as unknown as LogEvent);
  } catch {}
}

type Routes = {
  readonly [Name in CommandName]?: (params: CommandParams<Name>) => readonly [what: string, body?: object];
};

const routes: Routes = {
  open: (body) => ['POST /conversations', body],
  send: (body) => ['POST {conversation}/messages', body],
  unsend: ({ uuid }) => [`DELETE {conversation}/messages/${uuid}`],
  interrupt: (body) => ['POST {conversation}/interrupt', body],
  answer: ({ prompt, answer }) => [`POST {conversation}/prompts/${prompt}/answer`, answer],
  close: () => ['POST {conversation}/close'],
  park: () => ['POST {conversation}/park'],
  reopen: () => ['POST {conversation}/reopen'],
  remove: () => ['DELETE {conversation}'],
  control: (body) => ['POST {conversation}/control', body],
  setModel: (body) => ['PUT {conversation}/model', body],
  setPermissionMode: (body) => ['PUT {conversation}/mode', body],
  setBudget: (body) => ['PUT {conversation}/budget', body],
  schedule: (body) => ['PUT {conversation}/schedule', body],
  unschedule: () => ['DELETE {conversation}/schedule'],
  endWorkspace: (body) => ['POST {conversation}/workspace/end', body],
  export: () => ['GET {conversation}/export'],
};
