import { Controls } from '../../src/host/session/controls/controls.js';
import { Session } from '../../src/host/session/session.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import type { RequestOptions } from '../../src/wire/peer/control-peer.js';
import { systemClock, within } from '../../src/wire/util/clock.js';

/** Every call of a session that asks the CLI something, with the arguments before its options. */
export const calls: Readonly<Record<string, readonly unknown[]>> = {
  control: ['mcp_status', {}],
  interrupt: [],
  settled: [],
  supports: ['mcp_reconnect'],
  background: ['t1'],
  setModel: ['sonnet'],
  setPermissionMode: ['default'],
  setMaxThinkingTokens: [1_000],
  rewind: ['u1'],
  'conversation.cancelMessage': ['u1'],
  'conversation.rename': ['a title'],
  'conversation.generateTitle': ['a description'],
  'conversation.sideQuestion': ['why?'],
  'conversation.export': [],
  'conversation.fork': [],
  'conversation.setHasSubscribers': [true],
  'conversation.setColor': ['red'],
  'conversation.pauseSuggestions': [true],
  'mcp.status': [],
  'mcp.servers': [],
  'mcp.set': [{}],
  'mcp.add': [{ one: { command: 'node' } }],
  'mcp.remove': ['one'],
  'mcp.reconnect': ['one'],
  'mcp.enable': ['one'],
  'mcp.disable': ['one'],
  'mcp.tools': ['one'],
  'mcp.call': ['mcp__one__now', {}],
  'mcp.readResource': ['one', 'ui://a'],
  'mcp.setPermissionMode': ['one', 'default'],
  'mcp.enableChannel': ['one'],
  'mcp.authenticate': ['one'],
  'mcp.submitCallbackUrl': ['one', 'http://127.0.0.1/'],
  'mcp.clearAuth': ['one'],
  'tasks.background': ['t1'],
  'tasks.stop': ['t1'],
  'tasks.output': ['t1'],
  'tasks.ultrareview': [''],
  'files.read': ['a.txt'],
  'files.suggestions': ['a'],
  'files.seedReadState': ['a.txt', 1],
  'files.registerRepo': ['a'],
  'files.setCwd': ['a'],
  'files.workspaceDiff': [],
  'settings.get': [],
  'settings.apply': [{}],
  'settings.update': ['userSettings', {}],
  'settings.permissionRules': [],
  'settings.hooks': [],
  'settings.models': [],
  'settings.reloadPlugins': [],
  'settings.reloadSkills': [],
  'settings.reloadOutputStyles': [],
  'reports.contextUsage': [],
  'reports.usage': [],
  'reports.cost': [],
  'reports.binaryVersion': [],
  'reports.status': [],
  'reports.plan': [],
  'dialogs.memory': [],
  'dialogs.skills': [],
  'dialogs.sandbox': [],
  'chrome.status': [],
  'chrome.reconnect': [],
  'chrome.dialog': [],
  'chrome.browsers': [],
  'chrome.selectBrowser': ['b1'],
  'chrome.setBrowserHints': [{}],
  'account.beginLogin': [],
  'account.completeLogin': ['code', 'state'],
  'account.waitForLogin': [],
  'account.remoteControl': [true],
  'account.submitFeedback': ['good'],
  'account.submitSurvey': [{}],
  'account.rateMessage': ['u1', { sentiment: 'positive', surface: 'test' }],
};

/** The methods of a session that do not ask the CLI anything, or that the tests call themselves. */
const others = new Set(['on', 'messages', 'send', 'handle', 'handleOther', 'reopen', 'close', 'facts']);

/** The names of all calls that a session has. */
export function callsOf(session: Session): readonly string[] {
  const own = [Session.prototype, Controls.prototype].flatMap(methodsOf).filter((name) => !others.has(name));
  const grouped = Object.entries(session).flatMap(([group, value]) =>
    methodsOf(Object.getPrototypeOf(value)).map((name) => `${group}.${name}`),
  );
  return [...new Set([...own, ...grouped])].sort();
}

/** The names of the methods of a class. */
export function methodsOf(prototype: object): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);
}

/** What a program waits for, by name. */
export type Waits = Readonly<Record<string, Promise<unknown>>>;

type Method = (...values: readonly unknown[]) => Promise<unknown>;

/** Makes one of {@link calls}. */
export async function callNamed(session: Session, name: string, options: RequestOptions): Promise<unknown> {
  const [method = '', group] = name.split('.').toReversed();
  const owner = (group === undefined ? session : session[group as 'mcp']) as unknown as Record<
    string,
    Method
  >;
  return owner[method]?.(...(calls[name] ?? []), options);
}

/** Everything that a program can wait for in a turn. */
export function waitsOf(turn: Turn): Waits {
  return {
    'turn.outcome': turn.outcome,
    'turn.began': turn.began,
    'turn.text()': turn.text(),
    'reading the turn': readAll(turn),
  };
}

/** Everything else that a program can read from a session. */
export function readsOf(session: Session): Waits {
  return {
    'reading messages()': readAll(session.messages()),
    'reading messages({ partial: true })': readAll(session.messages({ partial: true })),
    'reading unasked': readAll(session.unasked),
  };
}

/** Reads an iterable to its end. */
export async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _each of stream);
}

/** The names of the waits that do not end, in the real time; the limit is only for those. */
export async function left(waits: Waits): Promise<readonly string[]> {
  const waiting = new Set(Object.keys(waits));
  const all = Object.entries(waits).map(([name, wait]) => {
    const ended = () => waiting.delete(name);
    return wait.then(ended, ended);
  });
  await within(Promise.all(all), LIMIT_MS, systemClock);
  return [...waiting];
}

const LIMIT_MS = 60_000;
