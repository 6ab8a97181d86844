import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ToolItem } from '../../../wire/protocol/reading/items.js';
import { PassingMap, RecentMap } from '../../../wire/util/maps.js';
import type { AgentSpanOptions, AgentSpans } from './agent-spans.js';
import { contentText, operation } from './attributes.js';
import type { OpenSpan, SpanFailure } from './span-sink.js';

/** A tool call, from the model's request to its result. */
export interface ToolSpan {
  readonly id: string;
  readonly name: string;
  readonly input: WireObject;
  readonly agent: AgentSpans;
  readonly span: OpenSpan;
  readonly startedAt: number;
}

/** How many finished calls are remembered: background agents report after their call has ended. */
const REMEMBERED = 256;

/** The tool calls of a conversation. */
export class ToolSpans {
  readonly #options: AgentSpanOptions;
  readonly #open = new PassingMap<string, ToolSpan>();
  readonly #ended = new RecentMap<string, ToolSpan>(REMEMBERED);

  constructor(options: AgentSpanOptions) {
    this.#options = options;
  }

  /** Starts the span of a call. */
  begin(agent: AgentSpans, { id, name, input }: ToolItem, at: number): void {
    const attributes = {
      ...operation('execute_tool'),
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.arguments': this.#options.content ? contentText(input) : undefined,
    };
    const span = agent.span.child({ name: `execute_tool ${name}`, kind: 'internal', at, attributes });
    this.#open.set(id, { id, name, input, agent, span, startedAt: at });
  }

  /** Finds a call by its id, including one that has ended recently. */
  find(id: string): ToolSpan | undefined {
    return this.#open.get(id) ?? this.#ended.get(id);
  }

  /** Ends the span of a call that has a result. */
  answered({ id, state, result }: ToolItem, at: number): void {
    if (this.#options.content)
      this.#open.get(id)?.span.set({ 'gen_ai.tool.call.result': contentText(result) });
    this.#end(id, at, state === 'failed' ? { type: 'tool_error' } : undefined);
  }

  /** Ends the calls of an agent that has ended. */
  endAll(agent: AgentSpans, at: number): readonly string[] {
    const left = this.#open.values().filter((tool) => tool.agent === agent);
    for (const { id } of left) this.#end(id, at, { type: 'no_result' });
    return left.map(({ id }) => id);
  }

  #end(id: string, at: number, failure: SpanFailure | undefined): void {
    const tool = this.#open.get(id);
    if (tool === undefined) return;
    this.#open.delete(id);
    this.#ended.set(id, tool);
    tool.span.end(at, failure);
    this.#options.sink.measure?.('gen_ai.execute_tool.duration', (at - tool.startedAt) / 1000, {
      ...operation('execute_tool'),
      'gen_ai.tool.name': tool.name,
      'error.type': failure?.type,
    });
  }
}
