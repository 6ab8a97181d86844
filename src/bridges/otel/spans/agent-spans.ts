import type { AnswerItem } from '../../../wire/protocol/reading/items.js';
import { messageText, operation, tokenAttributes } from './attributes.js';
import type { OpenSpan, SpanFailure, SpanSink } from './span-sink.js';

/** How to make an agent's spans. */
export interface AgentSpanOptions {
  readonly sink: SpanSink;
  /** Whether spans include content. */
  readonly content: boolean;
}

interface ModelCall {
  readonly id: string;
  readonly span: OpenSpan;
  readonly startedAt: number;
  readonly model: string;
  lastAt: number;
}

/** A running agent, the main one or a subagent: its span, and one for each call to the model. */
export class AgentSpans {
  readonly span: OpenSpan;
  readonly #options: AgentSpanOptions;
  readonly #startedAt: number;
  #waitsSince: number;
  #call: ModelCall | undefined;
  #over = false;

  constructor(span: OpenSpan, at: number, options: AgentSpanOptions) {
    this.span = span;
    this.#options = options;
    this.#startedAt = at;
    this.#waitsSince = at;
  }

  /** The model that answered last. */
  model: string | undefined;

  get over(): boolean {
    return this.#over;
  }

  /** The model answers, or more is known about its answer. */
  answer({ id, model, tokens, stopReason }: AnswerItem, at: number): void {
    const { span } = this.#callOf(id, model);
    this.wrote(at);
    // Before the end of an answer, the count is the one from its beginning.
    if (stopReason === undefined) return;
    span.set({ 'gen_ai.response.finish_reasons': [stopReason], ...tokenAttributes(tokens) });
  }

  /** A part of the current answer arrived. */
  wrote(at: number): void {
    if (this.#call !== undefined) this.#call.lastAt = at;
  }

  /** The content of the current answer. Its blocks arrive one by one. */
  content(content: unknown): void {
    if (this.#options.content)
      this.#call?.span.set({ 'gen_ai.output.messages': messageText('assistant', content) });
  }

  /** Tool results go to the model now: its next answer starts here. */
  resultsSent(at: number): void {
    this.#endCall();
    this.#waitsSince = at;
  }

  /** Adds an event to the current call. */
  note(name: string, at: number, attributes: Readonly<Record<string, string | number | undefined>>): void {
    (this.#call?.span ?? this.span).event(name, at, attributes);
  }

  end(at: number, failure?: SpanFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.#endCall();
    this.span.end(at, failure);
    this.#options.sink.measure?.('gen_ai.invoke_agent.duration', (at - this.#startedAt) / 1000, {
      ...operation('invoke_agent'),
      'error.type': failure?.type,
    });
  }

  #callOf(id: string, model: string | undefined): ModelCall {
    if (this.#call?.id === id) return this.#call;
    this.#endCall();
    this.model = model ?? this.model ?? 'unknown';
    const startedAt = this.#waitsSince;
    const span = this.span.child({
      name: `chat ${this.model}`,
      kind: 'client',
      at: startedAt,
      attributes: {
        ...operation('chat'),
        'gen_ai.request.model': this.model,
        'gen_ai.response.model': this.model,
        'gen_ai.response.id': id,
      },
    });
    this.#call = { id, span, startedAt, model: this.model, lastAt: startedAt };
    return this.#call;
  }

  #endCall(): void {
    const call = this.#call;
    if (call === undefined) return;
    this.#call = undefined;
    this.#waitsSince = call.lastAt;
    call.span.end(call.lastAt);
    this.#options.sink.measure?.('gen_ai.client.operation.duration', (call.lastAt - call.startedAt) / 1000, {
      ...operation('chat'),
      'gen_ai.request.model': call.model,
    });
  }
}
