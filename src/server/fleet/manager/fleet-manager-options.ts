import {
  checkOptions,
  kind,
  kinds,
  listOf,
  OptionError,
  type OptionSpecs,
  oneOf,
  shapeOf,
} from '../../../wire/util/option-checks.js';
import { checkConversationOptions } from '../../manager/conversations/conversation-option-checks.js';
import type { ManagerEvents } from '../../manager/manager-events.js';
import type { ConversationOptions, LaunchOptions } from '../../manager/manager-options.js';
import type { Budgets } from '../../manager/money/spending.js';
import { STORED, type StoredOption } from '../../manager/store/stored-options.js';
import type { EngineOptions } from '../engine/engine-options.js';
import type { Place } from '../record.js';

/** How a program reaches a fleet, and the placement of its conversations. */
export interface FleetOptions extends EngineOptions {
  /** The placement of new conversations. Default: anywhere. */
  readonly place?: Partial<Place> | undefined;
}

/**
 * Launch options of a conversation on a fleet: plain data without secrets, because any worker may continue it. Workers
 * have their own keys, environment, hooks and servers; answer prompts with `prompts` or `on('prompt', …)`.
 */
export type FleetLaunchOptions = Pick<LaunchOptions, StoredOption>;

/** Options of a conversation on a fleet. */
export type FleetConversationOptions = FleetLaunchOptions &
  Pick<ConversationOptions, 'owner' | 'priority' | 'defer'>;

/** What `openManager` takes for a fleet. */
export interface FleetManagerOptions {
  /** How to reach the NATS servers of the fleet. */
  readonly fleet: FleetOptions;
  /** Launch options of every conversation that is opened here. */
  readonly defaults?: FleetLaunchOptions | undefined;
  /** What to do at a usage limit: wait until it ends and continue, or settle the turn. Default: as set for the worker. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** What each conversation that is opened here may cost, in US dollars. Default: no limit. */
  readonly budgets?: Pick<Budgets, 'conversation'> | undefined;
  /** Names of tools whose calls are deferred in every conversation that is opened here. Default: none. */
  readonly defer?: readonly string[] | undefined;
  /** Receives the diagnostics of all conversations, like the event `diagnostic`. */
  readonly onDiagnostic?: ((value: ManagerEvents['diagnostic']) => void) | undefined;
}

const NOT_SHARED = 'workers do not know what others spend; use "conversation"';

const specs: OptionSpecs = {
  fleet: { kind: kinds.record, sentence: 'How to reach the NATS servers of the fleet.' },
  defaults: { kind: kinds.record, sentence: 'Launch options of every conversation that is opened here.' },
  onLimit: {
    kind: oneOf('wait', 'fail'),
    sentence: 'What to do at a usage limit. Default: as set for the worker.',
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
const ELSEWHERE: Readonly<Record<string, string>> = {
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

/** @throws OptionError for an invalid option, before anything is connected. */
export function checkFleetManagerOptions(options: FleetManagerOptions): void {
  for (const [name, why] of Object.entries(ELSEWHERE)) {
    if ((options as unknown as Readonly<Record<string, unknown>>)[name] === undefined) continue;
    throw new OptionError(name, `Option "${name}": not with "fleet": ${why}.`);
  }
  checkOptions(specs, options);
  if (!nats.accepts(options.fleet.nats))
    throw new OptionError('fleet', `Option "fleet": "nats" must be ${nats.expected}.`, 'fleet.nats');
  checkLaunchOptions(options.defaults ?? {});
  checkConversationOptions(options.defaults ?? {});
}

/** What to do instead of options that do not reach a worker. */
const INSTEAD: Readonly<Record<string, string>> = {
  onPermission: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onQuestion: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onPlan: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onElicitation: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onDialog: 'answer the prompts of the conversation: talk.on("prompt", …) or talk.prompts.open',
  onMessage: 'use talk.on("message", …) or talk.messages()',
  onDiagnostic: 'use talk.on("diagnostic", …)',
  workspace: 'workers decide that: coxswain worker --workspaces',
  id: 'a fleet names its conversations itself',
};

const taken: readonly string[] = STORED;

/** @throws OptionError for an option that cannot be passed to a worker, with what to do instead. */
export function checkLaunchOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || taken.includes(name)) continue;
    const what = INSTEAD[name] ?? 'set it for the workers that run the CLIs: startWorker({ session })';
    throw new OptionError(name, `Option "${name}" does not reach the workers of a fleet: ${what}.`);
  }
}
