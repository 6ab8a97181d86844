import { contentOf, isObject, objectsIn, type WireObject } from '../../protocol/frames.js';
import type { FrameNote } from '../analysis/frame-notes.js';
import { requestIdOf } from '../analysis/label.js';

type StepDraft = Record<string, unknown>;

/** What the emulator sends on its own while it plays the steps of a turn. */
const OWN_ACCORD = new Set([
  ...[
    'system/init',
    'system/status',
    'system/session_state_changed',
    'system/thinking_tokens',
    'user/replay',
  ],
  ...[
    'command_lifecycle',
    'keep_alive',
    'system/background_tasks_changed',
    'system/control_request_progress',
  ],
  ...['system/hook_started', 'system/hook_response', 'system/hook_progress'],
]);
/** The hook events that the emulator fires on its own. */
const OWN_HOOKS = new Set([
  ...[
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'PermissionRequest',
    'PermissionDenied',
  ],
  ...['UserPromptSubmit', 'Stop', 'SubagentStart', 'SubagentStop', 'Notification'],
]);

/** Writes the steps of one turn from what the CLI sent during it. */
export class TurnWriter {
  readonly notes: string[] = [];
  finished = false;
  readonly #asked: WireObject | undefined;
  readonly #steps: StepDraft[] = [];
  readonly #tools = new Map<string, StepDraft>();
  readonly #questions = new Map<string, StepDraft>();

  /** A turn begins with a user message, or without one if the CLI started it. */
  constructor(asked: WireObject | undefined) {
    this.#asked = asked;
  }

  take(note: FrameNote): void {
    const { frame, label, line, at } = note;
    // As in a JSON file, and as the emulator accepts it without one.
    if (frame === undefined) this.#steps.push({ do: 'raw', line, text: `${line}\n` });
    else if (frame.type === 'control_request') this.#takeRequest(frame, at);
    else if (frame.type === 'assistant') this.#takeAssistant(frame);
    else if (frame.type === 'user' && frame.isReplay !== true) this.#takeResults(frame);
    else if (frame.type === 'result') this.#takeResult(frame);
    else if (!comesByItself(label)) this.#steps.push({ do: 'send', message: bare(frame) });
  }

  /** The host's answer becomes what the scenario expects. */
  takeAnswer(frame: WireObject): void {
    const step = this.#questions.get(requestIdOf(frame) ?? '');
    const value = isObject(frame.response) ? frame.response.response : undefined;
    if (step === undefined || !isObject(value) || typeof value.behavior !== 'string') return;
    const { behavior, interrupt } = value;
    step.expect = { behavior, ...(interrupt === true ? { interrupt } : {}) };
  }

  /** The process ends in this turn. */
  die(status: WireObject): void {
    this.#steps.push({ do: 'die', ...status });
  }

  cue(): WireObject {
    if (this.#asked === undefined) return { on: 'unasked', steps: this.#steps };
    const text = messageText(this.#asked);
    return { on: 'user', ...(text === '' ? {} : { match: text }), steps: this.#steps };
  }

  #takeAssistant(message: WireObject): void {
    for (const block of objectsIn(contentOf(message))) {
      if (block.type === 'tool_use') this.#takeToolUse(block);
      else if (block.type === 'text' || block.type === 'thinking')
        this.#steps.push({ do: 'say', content: spoken(block) });
      else this.notes.push(`a block of type ${String(block.type)} is left out.`);
    }
  }

  #takeToolUse({ id, name, input }: WireObject): void {
    const { questions } = isObject(input) ? input : {};
    const step: StepDraft =
      name === 'AskUserQuestion' && Array.isArray(questions)
        ? { do: 'askQuestion', questions }
        : { do: 'useTool', name, input, toolUseId: id };
    this.#steps.push(step);
    this.#tools.set(String(id), step);
  }

  #takeRequest(frame: WireObject, at: number): void {
    const body = isObject(frame.request) ? frame.request : {};
    const { subtype, tool_use_id: toolUseId, tool_name: name } = body;
    if (subtype === 'can_use_tool') {
      const step = this.#tools.get(String(toolUseId)) ?? this.#lastTool(name);
      if (step === undefined) this.notes.push(`line ${at}: a prompt without its tool call was left out.`);
      else this.#ask(step, frame);
    } else if (subtype === 'mcp_message') this.#takeMcp(body);
    else if (subtype === 'hook_callback') this.#takeHook(body);
    else this.#steps.push(this.#question(frame, { do: 'askHost', body }));
  }

  #ask(step: StepDraft, frame: WireObject): void {
    if (step.do === 'useTool') step.ask = true;
    this.#question(frame, step);
  }

  #question(frame: WireObject, step: StepDraft): StepDraft {
    this.#questions.set(requestIdOf(frame) ?? '', step);
    return step;
  }

  /** A call to a tool of an in-process server is one step; the emulator plays the rest of that exchange on its own. */
  #takeMcp({ server_name: server, message }: WireObject): void {
    const { method, params } = isObject(message) ? message : {};
    if (method !== 'tools/call' || !isObject(params)) return;
    const step = this.#lastTool(`mcp__${String(server)}__${String(params.name)}`);
    if (step === undefined) return;
    Reflect.deleteProperty(step, 'name');
    Reflect.deleteProperty(step, 'toolUseId');
    Object.assign(step, { do: 'mcpTool', server, tool: params.name });
  }

  #takeHook({ input }: WireObject): void {
    const { hook_event_name: event, ...fields } = isObject(input) ? input : {};
    if (typeof event !== 'string' || OWN_HOOKS.has(event)) return;
    const { session_id: _, transcript_path: __, cwd: ___, permission_mode: ____, ...rest } = fields;
    this.#steps.push({ do: 'hook', event, input: rest });
  }

  #takeResults(message: WireObject): void {
    const blocks = objectsIn(contentOf(message));
    for (const { type, tool_use_id: id, content: result, is_error: isError } of blocks) {
      const step = type === 'tool_result' ? this.#tools.get(String(id)) : undefined;
      if (step?.do !== 'useTool' || result === undefined) continue;
      step.result = result;
      if (isError === true) step.isError = true;
    }
  }

  #takeResult({ subtype, result, is_error: isError, total_cost_usd: cost, ...rest }: WireObject): void {
    this.finished = true;
    const overrides = {
      ...this.#denials(rest.permission_denials),
      ...(typeof cost === 'number' ? { total_cost_usd: cost } : {}),
      ...(isError === true ? { is_error: true } : {}),
    };
    const more = Object.keys(overrides).length === 0 ? {} : { overrides };
    if (subtype !== 'success') this.#steps.push({ do: 'fail', subtype, ...more });
    else
      this.#steps.push({
        do: 'done',
        ...(typeof result === 'string' && result !== '' ? { text: result } : {}),
        ...more,
      });
  }

  /** The emulator lists what the host denies; calls denied by a rule or mode must be given to it. */
  #denials(denials: unknown): WireObject {
    const isUnasked = objectsIn(denials).some(({ tool_use_id: id }) => !this.#wasAsked(String(id)));
    return isUnasked ? { permission_denials: denials } : {};
  }

  #wasAsked(toolUseId: string): boolean {
    const step = this.#tools.get(toolUseId);
    return step?.ask === true || step?.do === 'askQuestion';
  }

  #lastTool(name: unknown): StepDraft | undefined {
    return this.#steps.findLast((step) => step.name === name && name !== undefined);
  }
}

/** Whether the emulator sends such a frame on its own. */
export function comesByItself(label: string): boolean {
  return OWN_ACCORD.has(label) || label.startsWith('stream_event');
}

function spoken(block: WireObject): unknown {
  return block.type === 'text' ? block.text : { type: 'thinking', thinking: block.thinking };
}

/** Without the ids, which the emulator assigns. */
function bare({ uuid: _, session_id: __, ...message }: WireObject): WireObject {
  return message;
}

function messageText(message: WireObject): string {
  const content = contentOf(message);
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}
