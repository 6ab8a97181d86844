import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { HookInput, HookOutput } from '../../../wire/protocol/catalog/types.js';

/** What a hook is told beside its input. */
export interface HookContext {
  /** Aborted when the CLI does not wait for the hook any more. Made when it is read: `{ ...context }` has none. */
  readonly signal: AbortSignal;
  /** The CLI fills it also for events without a tool. */
  readonly toolUseId: string | undefined;
}

/** Runs when its event happens; the keys of input and output are those of the wire. */
export type HookCallback<Event extends HookEventName = HookEventName> = (
  input: HookInput<Event>,
  context: HookContext,
) => HookOutput<Event> | undefined | Promise<HookOutput<Event> | undefined>;

/** One hook and what it is for. */
export interface HookMatcher<Event extends HookEventName = HookEventName> {
  /** A tool name, `A|B`, or a pattern; every call when left out. */
  readonly matcher?: string | undefined;
  /** The function. */
  readonly run: HookCallback<Event>;
  /** How long it may take, in milliseconds. Default: a minute. */
  readonly timeoutMs?: number | undefined;
  /**
   * What a hook that throws or is late means: the CLI goes on, or what it was about is blocked. Default: PreToolUse,
   * UserPromptSubmit and PermissionRequest block, the others let the CLI go on.
   */
  readonly onFailure?: 'continue' | 'block' | undefined;
}

/**
 * Hooks by event. Those of one event run one after the other, in the order given: each sees the input as the ones before
 * it changed it, the strictest decision counts (deny over ask over allow), and the CLI gets one answer.
 */
export type Hooks = { readonly [Event in HookEventName]?: readonly HookMatcher<Event>[] | undefined };

/** The hooks of one event, in the order in which they were given. */
export interface EventHooks {
  readonly event: HookEventName;
  readonly hooks: readonly HookMatcher<never>[];
}
