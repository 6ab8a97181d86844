import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
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

  /** Starts a span for each call in a message of the model. */
  begin(agent: AgentSpans, content: unknown, at: number): void {
    for (const block of blocksOf(content, 'tool_use')) {
      const id = String(block.id);
      if (this.#open.has(id)) continue;
      const name = String(block.name);
      const input = isObject(block.input) ? block.input : {};
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
  }

  /** Finds a call by its id, including one that has ended recently. */
  find(id: string): ToolSpan | undefined {
    return this.#open.get(id) ?? this.#ended.get(id);
  }

  /** Ends the calls whose results are in a message, and returns them. */
  results(content: unknown, at: number): readonly string[] {
    return blocksOf(content, 'tool_result').map((block) => {
      const id = String(block.tool_use_id);
      if (this.#options.content)
        this.#open.get(id)?.span.set({ 'gen_ai.tool.call.result': contentText(block.content) });
      this.#end(id, at, block.is_error === true ? { type: 'tool_error' } : undefined);
      return id;
    });
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

function blocksOf(content: unknown, type: string): readonly WireObject[] {
  return Array.isArray(content) ? content.filter((block) => isObject(block) && block.type === type) : [];
}
