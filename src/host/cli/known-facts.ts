import { compareVersions } from '../../wire/util/versions.js';
import { decisions } from './ledger/decisions.js';
import { changesOf, type FactChange } from './ledger/facts.js';

/** A fact in the ledger: its id, and the values that mean yes. */
type Source = readonly [id: keyof typeof decisions, ...yes: string[]];

/** The facts that code asks for by name. Each is named so that assuming it does not hold is the safe choice. */
const sources = {
  answersBeforeServers: ['handshake:before-process-servers', 'pass'],
  answersUnknownRequests: ['envelope:unknown-subtype', 'pass'],
  asksAboutDenials: ['auto:hook-asked', 'pass'],
  asksForDialogs: ['cli-request:request_user_dialog', 'named', 'seen'],
  asksQuestions: ['question:asked', 'pass'],
  cancelsQueuedOnInterrupt: ['interrupt:cancel-queued', 'pass'],
  checksModes: ['mode:unknown', 'pass'],
  connectsInProcessServersLater: ['mcp-set:in-process', 'pass'],
  dryRunIsHarmless: ['rewind:dry-run', 'pass'],
  listsToolsInStatus: ['mcp-status:tools', 'pass'],
  makesDeferredCalls: ['resume:deferred-call', 'pass'],
  passesOnElicitation: ['elicitation:form', 'pass'],
  reconnectsCommandLineServers: ['mcp-reconnect:command-line', 'pass'],
  replacesInProcessServers: ['mcp-set:keeps-in-process', 'fail'],
  reportsLifecycle: ['turn:lifecycle', 'pass'],
  setsServersWithResources: ['mcp-set:resources', 'pass'],
  staysOffWhileConnecting: ['mcp-toggle:while-connecting', 'pass'],
  startsInDefaultMode: ['mode:at-start', 'pass'],
  survivesSecondInitialize: ['handshake:again-lists-prompts', 'pass'],
  switchesServers: ['mcp-toggle:stops-calls', 'pass'],
  takesAgents: ['handshake:agents', 'pass'],
  takesAllowWithoutInput: ['permission:without-input', 'pass'],
  takesAppendSystemPrompt: ['handshake:append-system-prompt', 'pass'],
  takesCancel: ['line:cancel', 'pass'],
  takesJsonSchema: ['handshake:json-schema', 'pass'],
  takesOverServers: ['mcp-set:takes-over', 'pass'],
  takesSecondInitialize: ['handshake:again', 'pass'],
  takesSystemPrompt: ['handshake:system-prompt', 'pass'],
  takesSkills: ['handshake:skills', 'pass'],
  takesSystemPromptList: ['handshake:system-prompt-list', 'pass'],
  takesTitle: ['handshake:title', 'pass'],
} as const satisfies Record<string, Source>;

/** A fact about a CLI: something it can or cannot do. */
export type Fact = keyof typeof sources;

/** The names of all facts. */
export const factNames = Object.keys(sources) as readonly Fact[];

/** The versions in which something holds. */
export class Span {
  readonly #changes: readonly FactChange[];
  readonly #yes: readonly string[];

  constructor(changes: readonly FactChange[], yes: readonly string[]) {
    this.#changes = changes;
    this.#yes = yes;
  }

  /** Whether it is unknown for every version. */
  get isUnknown(): boolean {
    return this.#changes.length === 0;
  }

  /** For an unknown version, whether it holds in every version. A version newer than all counts as the newest. */
  holdsIn(version: string | undefined): boolean {
    if (version === undefined) return !this.isUnknown && this.#changes.every((change) => this.#isYes(change));
    return this.#isYes(this.#changes.findLast(({ from }) => compareVersions(from, version) <= 0));
  }

  /** Describes the CLIs in which it holds: `CLI <version> or newer`. Undefined if there is none. */
  get inWords(): string | undefined {
    const last = this.#changes.findLastIndex((change) => this.#isYes(change));
    const first = this.#changes.findLastIndex((change, at) => at < last && !this.#isYes(change)) + 1;
    const from = this.#changes[first]?.from;
    if (last === -1 || from === undefined) return undefined;
    const end = this.#changes[last + 1]?.from;
    return end === undefined ? `CLI ${from} or newer` : `a CLI from ${from} on and before ${end}`;
  }

  #isYes(change: FactChange | undefined): boolean {
    return change !== undefined && this.#yes.includes(change.value);
  }
}

/** The versions in which a fact holds. */
export function spanOf(fact: Fact): Span {
  const [id, ...yes] = sources[fact];
  return span(id, ...yes);
}

/** The versions that know a request. */
export function spanOfRequest(subtype: string): Span {
  return span(`request:${subtype}`, 'served', 'refused', 'named', 'ends');
}

/** The versions that can be patched to serve a request. */
export function spanOfPatch(request: string): Span {
  return span(`patch:${request}`, 'works');
}

/** The versions that call hooks of an event. */
export function spanOfHook(event: string): Span {
  return span(`hook-event:${event}`, 'pass', 'named', 'seen');
}

/** The versions that accept a flag, or one value of it: `--permission-mode=auto`. */
export function spanOfFlag(flag: string): Span {
  return span(`flag:${flag}`, 'listed', 'hidden');
}

/** The versions that have a field of `initialize`. */
export function spanOfField(name: string): Span {
  return span(`field:${name}`, 'named');
}

/** The oldest version that works. */
export const OLDEST_VERSION = changesOf({ facts: decisions }, 'request:initialize')[0]?.from ?? '';

function span(id: string, ...yes: string[]): Span {
  const known = spans.get(id);
  if (known !== undefined) return known;
  const made = new Span(changesOf({ facts: decisions }, id), yes);
  // Unknown names come from outside and would accumulate.
  if (!made.isUnknown) spans.set(id, made);
  return made;
}

const spans = new Map<string, Span>();
