import type { LogEvent, PromptView, SessionSummary } from '../../entry/remote/contract.js';
import { classOf, eventIn, type LogEntry, type NumberedEvent } from './events.js';

/**
 * What a list shows of a conversation after one more event. Events that it already has change nothing; nor do lines and
 * notes, which are for readers, and kinds of a newer version.
 */
export function apply(view: SessionSummary, { n, at, event }: NumberedEvent): SessionSummary {
  if (n <= view.last) return view;
  const changed = change(view, event);
  return changed === undefined ? { ...view, last: n } : { ...view, ...changed, last: n, changedAt: at };
}

/** The view after the durable entries of a log; others are not parsed, and damaged ones are skipped. */
export function applyEntries(view: SessionSummary, entries: Iterable<LogEntry>): SessionSummary {
  let next = view;
  for (const entry of entries) {
    const numbered = classOf(entry) === 'durable' ? eventIn(entry) : undefined;
    if (numbered !== undefined) next = apply(next, numbered);
  }
  return next;
}

/** The open prompts after one more event, oldest first. A prompt that comes again keeps its place. */
export function applyToPrompts(open: readonly PromptView[], event: LogEvent): readonly PromptView[] {
  if (event.kind === 'prompt-settled') return open.filter(({ id }) => id !== event.prompt);
  if (event.kind !== 'prompt') return open;
  const { prompt } = event;
  const isOpen = open.some(({ id }) => id === prompt.id);
  return isOpen ? open.map((each) => (each.id === prompt.id ? prompt : each)) : [...open, prompt];
}

type Change = Partial<SessionSummary> | undefined;
type Of<Kind extends LogEvent['kind']> = Extract<LogEvent, { kind: Kind }>;

function change(view: SessionSummary, event: LogEvent): Change {
  switch (event.kind) {
    case 'queued':
      return view.queued.includes(event.uuid)
        ? {}
        : { queued: [...view.queued, event.uuid], archived: undefined };
    case 'begun':
    case 'unqueued':
    case 'settled':
      return { queued: view.queued.filter((uuid) => uuid !== event.uuid) };
    case 'prompt':
    case 'prompt-settled':
      return { prompts: applyToPrompts(view.prompts, event) };
    case 'state':
      return stateChange(view, event);
    case 'opened':
      return openedChange(view, event);
    case 'cli':
      return {
        conversation: event.conversation ?? view.conversation,
        cliVersion: event.cliVersion ?? view.cliVersion,
        sandbox: given(event.sandbox, view.sandbox),
        error: undefined,
      };
    case 'title':
      return { title: event.title };
    case 'marks':
      return marksChange(view, event);
    case 'settings':
      return settingsChange(view, event);
    case 'usage':
      return {
        costUsd: event.costUsd ?? view.costUsd,
        costIsPartial: event.costIsPartial ?? view.costIsPartial,
        tokens: event.tokens ?? view.tokens,
        context: event.context ?? view.context,
        limits: event.limits ?? view.limits,
      };
    case 'budget':
      return { maxBudgetUsd: event.maxBudgetUsd ?? undefined };
    case 'schedule':
      return { schedule: event.schedule ?? undefined };
    default:
      return undefined;
  }
}

/** What went wrong is shown until somebody opens it again, or another CLI starts. */
function stateChange(view: SessionSummary, { state, error, failed, limitUntil }: Of<'state'>): Change {
  return { state, error: error ?? view.error, failed: failed === true, limitUntil };
}

function openedChange(view: SessionSummary, { cwd, by, model, permissionMode }: Of<'opened'>): Change {
  return {
    cwd,
    owner: { ...view.owner, kind: by },
    model: view.model ?? model,
    permissionMode,
    archived: undefined,
    error: undefined,
  };
}

function marksChange({ pinned, archived, tags = [] }: SessionSummary, event: Of<'marks'>): Change {
  const next = event.tags ?? tags;
  return {
    pinned: (event.pinned ?? pinned) === true ? true : undefined,
    archived: (event.archived ?? archived) === true ? true : undefined,
    tags: next.length === 0 ? undefined : next,
  };
}

function settingsChange(view: SessionSummary, event: Of<'settings'>): Change {
  return {
    model: event.model ?? view.model,
    permissionMode: given(event.permissionMode, view.permissionMode),
    settingsMode: given(event.settingsMode, view.settingsMode),
    maxThinkingTokens: given(event.maxThinkingTokens, view.maxThinkingTokens),
    allows: event.allows ?? view.allows,
  };
}

/** A setting after a change; null takes it away. */
function given<Value>(value: Value | null | undefined, before: Value | undefined): Value | undefined {
  return value === undefined ? before : (value ?? undefined);
}
