import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { number, text } from './blocks.js';
import { changeTool, type Draft, put } from './draft.js';
import type { NoteItem, Task, WireLine } from './items.js';

/** Folds a CLI message about itself. Subtypes that are not listed are for the inspector only. */
export function foldSystem(draft: Draft, line: WireLine): void {
  FOLDS.get(String(line.frame.subtype))?.(draft, line);
}

/** Folds a message about the account's limits; while all is well, nothing is shown. */
export function foldRateLimit(draft: Draft, line: WireLine): void {
  const info = isObject(line.frame.rate_limit_info) ? line.frame.rate_limit_info : {};
  if (info.status === undefined || info.status === 'allowed') return;
  const until =
    typeof info.resetsAt === 'number' ? ` until ${new Date(info.resetsAt * 1000).toLocaleString()}` : '';
  const words =
    info.status === 'rejected'
      ? `An account limit was reached${until}.`
      : `An account limit is close${until}.`;
  note('warning', () => words)(draft, line);
}

type Fold = (draft: Draft, line: WireLine) => void;

// A map: a CLI may use any name, and an object has `constructor` and other inherited ones.
const FOLDS: ReadonlyMap<string, Fold> = new Map(
  Object.entries<Fold>({
    init: (draft, { frame }) => {
      draft.facts = {
        ...draft.facts,
        tools: texts(frame.tools),
        slashCommands: texts(frame.slash_commands),
        activity: undefined,
      };
    },
    status: (draft, { frame }) => {
      draft.facts = { ...draft.facts, activity: text(frame.status) };
    },
    compact_boundary: note('info', () => 'The history up to here was replaced by a summary.'),
    informational: note('info', ({ content }) => text(content)),
    notification: note('info', ({ text: said }) => text(said)),
    local_command_output: note('info', ({ content }) => text(content)),
    api_retry: note(
      'warning',
      ({ attempt, max_retries, error, retry_delay_ms }) =>
        `The API call failed (${String(error)}); retrying in ${Math.round(Number(retry_delay_ms) / 1000)} s (${String(attempt)} of ${String(max_retries)}).`,
    ),
    session_writes_lost: note('error', () => 'The disk was full: parts of the transcript are lost.'),
    permission_denied: (draft, line) => {
      changeTool(draft, String(line.frame.tool_use_id), (tool) => ({ ...tool, state: 'failed' }));
      if (line.frame.decision_reason_type === 'classifier') note('warning', deniedWords)(draft, line);
    },
    task_started: (draft, { frame, at }) =>
      setTask(draft, frame, (task) => ({ ...task, ...begun(frame, at) })),
    task_progress: (draft, { frame }) =>
      setTask(draft, frame, (task) => ({
        ...task,
        ...used(frame),
        summary: text(frame.summary) ?? task.summary,
      })),
    task_updated: (draft, { frame, at }) => setTask(draft, frame, (task) => patched(task, frame.patch, at)),
    task_notification: (draft, { frame, at }) =>
      setTask(draft, frame, (task) => ({
        ...task,
        ...used(frame),
        status: text(frame.status) ?? 'completed',
        running: false,
        endedAt: at,
        summary: text(frame.summary) ?? task.summary,
      })),
    background_tasks_changed: (draft, { frame, at }) => setBackground(draft, frame.tasks, at),
  }),
);

/** Auto mode has refused a call by itself; other denials are of rules and modes that somebody chose. */
function deniedWords({ tool_name, decision_reason, message }: WireObject): string {
  const why = text(decision_reason) ?? text(message) ?? 'it gave no reason';
  return `Auto mode denied ${String(tool_name)}: ${why}. In another permission mode, the CLI asks.`;
}

function note(level: NoteItem['level'], words: (frame: WireObject) => string | undefined): Fold {
  return (draft, { frame, at, n }) => {
    const said = words(frame);
    if (said === undefined || said === '') return;
    put(draft, undefined, { kind: 'note', id: text(frame.uuid) ?? `note-${n}`, at, level, text: said });
  };
}

function setTask(draft: Draft, frame: WireObject, edit: (task: Task) => Task): void {
  const id = String(frame.task_id);
  draft.tasks.set(id, edit(draft.tasks.get(id) ?? unknownTask(id)));
}

function unknownTask(id: string): Task {
  return {
    id,
    description: id,
    type: 'task',
    status: 'running',
    running: true,
    background: false,
    startedAt: 0,
  };
}

function begun(frame: WireObject, at: number): Partial<Task> {
  return {
    description: text(frame.description) ?? '',
    type: text(frame.subagent_type) ?? text(frame.task_type) ?? 'task',
    toolUseId: text(frame.tool_use_id),
    background: frame.is_backgrounded === true,
    startedAt: at,
  };
}

function used({ usage }: WireObject): Partial<Task> {
  return isObject(usage) ? { tokens: number(usage.total_tokens) } : {};
}

function patched(task: Task, patch: unknown, at: number): Task {
  if (!isObject(patch)) return task;
  const status = text(patch.status) ?? task.status;
  const running = status === 'running' || status === 'pending';
  return {
    ...task,
    status,
    running,
    description: text(patch.description) ?? task.description,
    background: typeof patch.is_backgrounded === 'boolean' ? patch.is_backgrounded : task.background,
    endedAt: running ? undefined : at,
    summary: text(patch.error) ?? task.summary,
  };
}

/** The CLI lists everything that runs in the background: what it no longer lists has ended. */
function setBackground(draft: Draft, list: unknown, at: number): void {
  const listed = Array.isArray(list) ? list.filter(isObject) : [];
  const ids = new Set(listed.map(({ task_id }) => String(task_id)));
  for (const frame of listed) {
    setTask(draft, frame, (task) => ({
      ...task,
      description: text(frame.description) ?? task.description,
      type: task.type === 'task' ? (text(frame.task_type) ?? task.type) : task.type,
      startedAt: task.startedAt === 0 ? at : task.startedAt,
      running: true,
      background: true,
    }));
  }
  for (const [id, task] of draft.tasks) {
    if (task.running && task.background && !ids.has(id))
      draft.tasks.set(id, { ...task, running: false, status: 'completed', endedAt: at });
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
