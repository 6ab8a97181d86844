import type { PromptKind } from '../../../host/session/prompts/prompt.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Item, ToolItem } from '../../../wire/protocol/reading/items.js';
import { MessageFold } from '../../../wire/protocol/reading/message-fold.js';
import { PassingMap } from '../../../wire/util/maps.js';
import { type AgentSpanOptions, AgentSpans } from './agent-spans.js';
import { inputTokens, messageText, operation, tokenAttributes } from './attributes.js';
import type { OpenSpan, SpanSink } from './span-sink.js';
import { ToolSpans } from './tool-spans.js';

/** Options of the spans. */
export interface SpanOptions {
  /** Whether prompts, answers, arguments and results go into the spans. Default: no. */
  readonly content?: boolean | undefined;
  /** The name of the agent. Default: `claude`. */
  readonly agentName?: string | undefined;
}

/** How a turn ended. */
export interface TurnEnd {
  /** The kind of its outcome. */
  readonly kind: string;
  /** What went wrong; undefined for a success, and for a turn that somebody stopped. */
  readonly message?: string | undefined;
  readonly usage?: TurnUsage | undefined;
}

/** The parts of a prompt that its span shows. */
export interface WaitStart {
  readonly id: string;
  readonly kind: PromptKind;
  readonly toolUseId: string | undefined;
}

interface OpenTurn {
  readonly agent: AgentSpans;
  /** Its result has arrived: what follows belongs to the next one. */
  answered: boolean;
}

/** Turns the traffic between host and CLI into spans. Depends on neither clocks nor OpenTelemetry. */
export class ConversationSpans {
  readonly #sink: SpanSink;
  readonly #options: AgentSpanOptions;
  readonly #agentName: string;
  readonly #fold = new MessageFold();
  readonly #tools: ToolSpans;
  readonly #turns: OpenTurn[] = [];
  readonly #subagents = new PassingMap<string, AgentSpans>();
  readonly #waits = new PassingMap<
    string,
    { readonly span: OpenSpan; readonly start: number; kind: string }
  >();
  #facts: Readonly<Record<string, string | undefined>> = {};

  constructor(sink: SpanSink, { content = false, agentName = 'claude' }: SpanOptions = {}) {
    this.#sink = sink;
    this.#options = { sink, content };
    this.#agentName = agentName;
    this.#tools = new ToolSpans(this.#options);
  }

  /** A message was sent, or the CLI started a turn. The returned function ends the turn. */
  beginTurn(at: number, content: unknown): (at: number, end: TurnEnd) => void {
    const shown = this.#options.content && content !== undefined;
    const span = this.#sink.root({
      name: `invoke_agent ${this.#agentName}`,
      kind: 'internal',
      at,
      attributes: {
        ...operation('invoke_agent'),
        'gen_ai.agent.name': this.#agentName,
        'gen_ai.input.messages': shown ? messageText('user', content) : undefined,
      },
    });
    const turn = { agent: new AgentSpans(span, at, this.#options), answered: false };
    this.#turns.push(turn);
    return (endedAt, end) => this.#endTurn(turn, endedAt, end);
  }

  /** The span of a tool call. */
  tool(id: string): OpenSpan | undefined {
    return this.#tools.find(id)?.span;
  }

  /** A message of the CLI. */
  message(message: WireObject, at: number): void {
    if (message.type === 'system') this.#system(message, at);
    for (const { item } of this.#fold.take(message)) this.#take(item, at);
    if (message.type === 'assistant' && isObject(message.message))
      this.#agentOf(message.parent_tool_use_id)?.content(message.message.content);
  }

  /** The CLI prompts. */
  beginWait({ id, kind, toolUseId }: WaitStart, at: number): void {
    const tool = toolUseId === undefined ? undefined : this.#tools.find(toolUseId);
    const parent = tool?.span ?? this.#current?.agent.span;
    const start = {
      name: `wait_for_person ${kind}`,
      kind: 'internal',
      at,
      attributes: { 'coxswain.prompt.kind': kind, 'gen_ai.tool.call.id': toolUseId },
    } as const;
    this.#waits.set(id, { span: parent?.child(start) ?? this.#sink.root(start), start: at, kind });
  }

  /** It was answered, or needs no answer any more. */
  endWait(id: string, state: string, at: number): void {
    const wait = this.#waits.get(id);
    if (wait === undefined) return;
    this.#waits.delete(id);
    wait.span.set({ 'coxswain.prompt.state': state });
    wait.span.end(at);
    const attributes = { 'coxswain.prompt.kind': wait.kind, 'coxswain.prompt.state': state };
    this.#sink.measure?.('coxswain.prompt.duration', (at - wait.start) / 1000, attributes);
  }

  /** The CLI is gone: open spans will not end on their own. */
  end(at: number): void {
    for (const id of this.#waits.keys()) this.endWait(id, 'withdrawn', at);
    for (const id of this.#subagents.keys()) this.#endSubagent(id, at);
  }

  get #current(): OpenTurn | undefined {
    return this.#turns.find(({ answered }) => !answered);
  }

  /** The agent that a message belongs to: a subagent's messages name the call that started it. */
  #agentOf(parent: unknown): AgentSpans | undefined {
    return typeof parent === 'string' ? this.#subagent(parent) : this.#current?.agent;
  }

  #subagent(id: string): AgentSpans | undefined {
    const known = this.#subagents.get(id);
    if (known !== undefined) return known;
    const tool = this.#tools.find(id);
    if (tool === undefined) return this.#current?.agent;
    const name = typeof tool.input.subagent_type === 'string' ? tool.input.subagent_type : 'subagent';
    const attributes = { ...operation('invoke_agent'), 'gen_ai.agent.name': name };
    const at = tool.startedAt;
    const span = tool.span.child({ name: `invoke_agent ${name}`, kind: 'internal', at, attributes });
    const agent = new AgentSpans(span, at, this.#options);
    this.#subagents.set(id, agent);
    return agent;
  }

  #endSubagent(id: string, at: number): void {
    const agent = this.#subagents.get(id);
    if (agent === undefined) return;
    this.#subagents.delete(id);
    for (const inner of this.#tools.endAll(agent, at)) this.#endSubagent(inner, at);
    agent.end(at);
  }

  #take(item: Item, at: number): void {
    switch (item.kind) {
      case 'answer':
        this.#agentOf(item.agent)?.answer(item, at);
        break;
      case 'text':
      case 'thinking':
        this.#agentOf(item.agent)?.wrote(at);
        break;
      case 'tool':
        this.#takeCall(item, at);
        break;
      case 'retry':
        this.#current?.agent.note('api_retry', at, {
          attempt: Number.isNaN(item.attempt) ? undefined : item.attempt,
          'http.response.status_code': item.status,
        });
        break;
      case 'turn-end':
        this.#result(item.result);
        break;
      default:
    }
  }

  /** A call without a result ends with its turn, whose outcome may come later. */
  #takeCall(item: ToolItem, at: number): void {
    const agent = this.#agentOf(item.agent);
    if (item.state === 'writing' || item.state === 'running') agent?.wrote(at);
    if (item.state === 'running' && agent !== undefined) this.#tools.begin(agent, item, at);
    if (item.state !== 'done' && item.state !== 'failed') return;
    this.#tools.answered(item, at);
    this.#endSubagent(item.id, at);
    agent?.resultsSent(at);
  }

  /** Some CLIs drop an agent from the list of tasks while it still works: only the notification is its end. */
  #system(message: WireObject, at: number): void {
    if (message.subtype === 'init') this.#learn(message);
    if (message.subtype === 'task_notification') this.#endSubagent(String(message.tool_use_id), at);
  }

  #learn({ session_id: id, claude_code_version: version, model }: WireObject): void {
    this.#facts = {
      'gen_ai.conversation.id': typeof id === 'string' ? id : undefined,
      'gen_ai.agent.version': typeof version === 'string' ? version : undefined,
      'gen_ai.request.model': typeof model === 'string' ? model : undefined,
    };
  }

  #result(message: WireObject): void {
    const turn = this.#current;
    if (turn === undefined) return;
    turn.answered = true;
    if (this.#options.content && typeof message.result === 'string')
      turn.agent.span.set({ 'gen_ai.output.messages': messageText('assistant', message.result) });
  }

  #endTurn(turn: OpenTurn, at: number, { kind, message, usage }: TurnEnd): void {
    const place = this.#turns.indexOf(turn);
    if (place < 0) return;
    this.#turns.splice(place, 1);
    const { agent } = turn;
    const model = agent.model ?? this.#facts['gen_ai.request.model'];
    for (const id of this.#tools.endAll(agent, at)) this.#endSubagent(id, at);
    agent.span.set({ ...this.#facts, 'coxswain.outcome': kind, 'gen_ai.response.model': agent.model });
    if (usage !== undefined) {
      agent.span.set({ ...tokenAttributes(usage), 'coxswain.cost_usd': usage.costUsd });
      this.#measureUsage(usage, model);
    }
    agent.end(at, message === undefined ? undefined : { type: kind, message });
  }

  #measureUsage(usage: TurnUsage, model: string | undefined): void {
    const common = { ...operation('invoke_agent'), 'gen_ai.request.model': model };
    const tokens = { input: inputTokens(usage), output: usage.outputTokens };
    for (const [type, count] of Object.entries(tokens))
      this.#sink.measure?.('gen_ai.client.token.usage', count, { ...common, 'gen_ai.token.type': type });
    this.#sink.measure?.('coxswain.cost', usage.costUsd, common);
  }
}

/** How a span shows a turn's outcome: stopping a turn is not a failure. */
export function turnEnd(outcome: { readonly kind: string; readonly usage?: TurnUsage | undefined }): TurnEnd {
  const { kind, usage } = outcome;
  if (NO_FAILURES.has(kind)) return { kind, usage };
  const { message, error } = outcome as { readonly message?: unknown; readonly error?: unknown };
  const told = typeof message === 'string' ? message : error instanceof Error ? error.message : kind;
  return { kind, usage, message: told };
}

const NO_FAILURES: ReadonlySet<string> = new Set([
  'success',
  'interrupted',
  'cancelled',
  'aborted',
  'closed',
]);
