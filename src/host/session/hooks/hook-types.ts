import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { HookInput, HookOutput } from '../../../wire/protocol/catalog/types.js';

/** The context of a hook call. */
export interface HookContext {
  /**
   * Aborts when the CLI no longer waits for the hook. Created when it is read, so `{ ...context }` does not copy it.
   */
  readonly signal: AbortSignal;
  /** The id of the tool call; the CLI sets it even for events without a tool. */
  readonly toolUseId: string | undefined;
}

/** Runs when its event happens; the keys of input and output are as on the wire. */
export type HookCallback<Event extends HookEventName = HookEventName> = (
  input: HookInput<Event>,
  context: HookContext,
) => HookOutput<Event> | undefined | Promise<HookOutput<Event> | undefined>;

/** A hook with its matcher. */
export interface HookMatcher<Event extends HookEventName = HookEventName> {
  /** A tool name, `A|B`, or a pattern; every call when left out. */
  readonly matcher?: string | undefined;
  /** The function. */
  readonly run: HookCallback<Event>;
  /** How long it may take, in milliseconds. Default: a minute. */
  readonly timeoutMs?: number | undefined;
  /**
   * What happens if the hook throws or is late: the CLI continues, or the call is blocked. Default: PreToolUse,
   * UserPromptSubmit and PermissionRequest block; the others let the CLI continue.
   */
  readonly onFailure?: 'continue' | 'block' | undefined;
}

/**
 * Hooks by event. The hooks of one event run in sequence, in the given order. Each sees the input as the
 * previous ones left it, the strictest decision counts (deny over ask over allow), and the CLI gets one answer.
 */
export type Hooks = { readonly [Event in HookEventName]?: readonly HookMatcher<Event>[] | undefined };

/** The hooks of one event, in the given order. */
export interface EventHooks {
  readonly event: HookEventName;
  readonly hooks: readonly HookMatcher<never>[];
}
