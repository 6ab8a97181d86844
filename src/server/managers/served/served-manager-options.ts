import type { ConsoleAddress } from '../../../entry/remote/console-client.js';
import {
  checkOptions,
  either,
  kind,
  kinds,
  listOf,
  OptionError,
  type OptionSpecs,
  oneOf,
  shapeOf,
} from '../../../wire/util/option-checks.js';
import type { FleetOptions } from '../../fleet/program/fleet-conversations.js';
import { checkConversationOptions } from '../../manager/conversations/conversation-option-checks.js';
import type { ManagerEvents } from '../../manager/manager-events.js';
import type { ConversationOptions, LaunchOptions } from '../../manager/manager-options.js';
import type { Budgets } from '../../manager/money/spending.js';
import { STORED, type StoredOption } from '../../manager/store/stored-options.js';

/**
 * Launch options of a conversation on a fleet or a console: plain data without secrets, because it continues without this
 * program. Workers and consoles have their own keys, environment, hooks and servers; answer prompts with `prompts` or
 * `on('prompt', …)`.
 */
export type FleetLaunchOptions = Pick<LaunchOptions, StoredOption>;

/** Options of a conversation on a fleet. */
export type FleetConversationOptions = FleetLaunchOptions &
  Pick<ConversationOptions, 'owner' | 'priority' | 'defer'>;

/** Options of a conversation on a console. */
export type ConsoleConversationOptions = FleetLaunchOptions &
  Pick<ConversationOptions, 'priority' | 'defer'> & {
    /** Where it works: in its `cwd`, or in a new git worktree made from it. Default: `shared`. */
    readonly workspace?: 'shared' | 'worktree' | undefined;
  };

/** Options of a conversation on any server. */
export type ServedConversationOptions = FleetConversationOptions & ConsoleConversationOptions;

/** What `openManager` takes for a fleet. */
export interface FleetManagerOptions extends ServedManagerOptions {
  /** How to reach the NATS servers of the fleet. */
  readonly fleet: FleetOptions;
}

/** What `openManager` takes for a console. */
export interface ConsoleManagerOptions extends ServedManagerOptions {
  /** The address of the console server, as it was printed, or with a token. */
  readonly console: string | ConsoleAddress;
}

/** What `openManager` takes for conversations that a server owns. */
export interface ServedManagerOptions {
  /** Launch options of every conversation that is opened here. */
  readonly defaults?: FleetLaunchOptions | undefined;
  /** What to do at a usage limit: wait until it ends and continue, or settle the turn. Default: as set for the server. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** What each conversation that is opened here may cost, in US dollars. Default: no limit. */
  readonly budgets?: Pick<Budgets, 'conversation'> | undefined;
  /** Names of tools whose calls are deferred in every conversation that is opened here. Default: none. */
  readonly defer?: readonly string[] | undefined;
  /** Receives the diagnostics of all conversations, like the event `diagnostic`. */
  readonly onDiagnostic?: ((value: ManagerEvents['diagnostic']) => void) | undefined;
}

const NOT_SHARED = 'what others spend counts too; use "conversation"';

const specs: OptionSpecs = {
  defaults: { kind: kinds.record, sentence: 'Launch options of every conversation that is opened here.' },
  onLimit: {
    kind: oneOf('wait', 'fail'),
    sentence: 'What to do at a usage limit. Default: as set for the server.',
  },
  budgets: {
    kind: shapeOf(
      { conversation: kinds.positiveNumber },
      { foreign: { owner: NOT_SHARED, day: NOT_SHARED, total: NOT_SHARED } },
    ),
    sentence: 'What each conversation that is opened here may cost, in US dollars. Default: no limit.',
  },
  defer: {
    kind: listOf(kinds.text),
    sentence: 'Names of tools whose calls are deferred in every conversation that is opened here.',
  },
  onDiagnostic: {
    kind: kinds.callback,
    sentence: 'Receives the diagnostics of all conversations, like the event `diagnostic`.',
  },
};

const nats = kind(
  'the address of a NATS server, or several',
  (value) =>
    kinds.text.accepts(value) ||
    (Array.isArray(value) && value.length > 0 && value.every(kinds.text.accepts)),
);

/** Options of a manager on this machine, and who decides about them in a fleet. */
const ON_FLEET: Readonly<Record<string, string>> = {
  store: 'a fleet keeps its conversations in NATS',
  maxRunning: 'each worker has its own: coxswain worker --slots',
  idleMs: 'each worker has its own: startWorker({ idleMs })',
  parkBy: 'each worker has its own: startWorker({ parkBy })',
  warm: 'workers do not start CLIs in advance',
  warmMs: 'workers do not start CLIs in advance',
  optionsFor:
    'functions stay in this program; give plain options in "defaults", and the rest to startWorker({ session })',
  holdAbove: 'each worker has its own: coxswain worker --hold-above',
  limitSpreadMs: 'each worker has its own: startWorker({ limitSpreadMs })',
  retention: 'delete conversations with manager.delete()',
};

/** The same for a console. */
const ON_CONSOLE: Readonly<Record<string, string>> = {
  store: 'a console keeps its conversations itself',
  ...Object.fromEntries(
    ['maxRunning', 'idleMs', 'parkBy', 'holdAbove', 'limitSpreadMs'].map((name) => [
      name,
      `the console has its own: startConsole({ ${name} })`,
    ]),
  ),
  warm: 'a console does not start CLIs in advance',
  warmMs: 'a console does not start CLIs in advance',
  optionsFor:
    'functions stay in this program; give plain options in "defaults", and the rest to startConsole({ session })',
  retention: 'delete conversations with manager.delete()',
};

/** @throws OptionError for an invalid option, before anything is connected. */
export function checkFleetManagerOptions(options: FleetManagerOptions): void {
  const sentence = 'How to reach the NATS servers of the fleet.';
  check(options, 'fleet', { elsewhere: ON_FLEET, sentence });
  if (!nats.accepts(options.fleet.nats))
    throw new OptionError('fleet', `Option "fleet": "nats" must be ${nats.expected}.`, 'fleet.nats');
}

/** @throws OptionError for an invalid option, before anything is connected. */
export function checkConsoleManagerOptions(options: ConsoleManagerOptions): void {
  check(options, 'console', { elsewhere: ON_CONSOLE, sentence: 'The address of the console server.' });
  const { url } = addressOf(options);
  if (!kinds.text.accepts(url) || !URL.canParse(url))
    throw new OptionError('console', `Option "console": ${JSON.stringify(url)} is not an address.`);
}

/** The address of the console server. */
export function addressOf({ console }: Pick<ConsoleManagerOptions, 'console'>): ConsoleAddress {
  return typeof console === 'string' ? { url: console } : console;
}

function check(
  options: FleetManagerOptions | ConsoleManagerOptions,
  where: 'fleet' | 'console',
  {
    elsewhere,
    sentence,
  }: { readonly elsewhere: Readonly<Record<string, string>>; readonly sentence: string },
): void {
  const given = options as object as Readonly<Record<string, unknown>>;
  for (const [name, why] of Object.entries(elsewhere))
    if (given[name] !== undefined)
      throw new OptionError(name, `Option "${name}": not with "${where}": ${why}.`);
  const kind = where === 'console' ? either(kinds.text, kinds.record) : kinds.record;
  checkOptions({ [where]: { kind, sentence }, ...specs }, options);
  checkLaunchOptions(options.defaults ?? {});
  checkConversationOptions(options.defaults ?? {});
}

/** What to do instead of options that do not reach a server. */
const INSTEAD: Readonly<Record<string, string>> = {
  onPermission: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onQuestion: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onPlan: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onElicitation: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onDialog: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onMessage: 'use talk.on("message", …) or talk.messages()',
  onDiagnostic: 'use talk.on("diagnostic", …)',
  workspace: 'workers decide that: coxswain worker --workspaces',
  owner: 'it is charged to the key of this program',
  id: 'the server names its conversations itself',
};

const taken: readonly string[] = STORED;

/** The options of a conversation that are no launch options, by where it is. */
const OWN = { fleet: ['owner', 'priority', 'defer'], console: ['priority', 'defer', 'workspace'] } as const;

/** @throws OptionError for an option of a conversation that cannot be passed to its server, with what to do instead. */
export function checkServedOptions(options: ServedConversationOptions, where: keyof typeof OWN): void {
  const own: readonly string[] = OWN[where];
  checkLaunchOptions(Object.fromEntries(Object.entries(options).filter(([name]) => !own.includes(name))));
  checkConversationOptions(options);
}

/** @throws OptionError for an option that cannot be passed to a server, with what to do instead. */
function checkLaunchOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || taken.includes(name)) continue;
    const what =
      INSTEAD[name] ?? 'set it where the CLIs run: startWorker({ session }), startConsole({ session })';
    throw new OptionError(name, `Option "${name}" does not reach the server of the conversation: ${what}.`);
  }
}
