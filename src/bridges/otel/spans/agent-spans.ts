import { turnTokens } from '../../../host/session/turns/usage.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
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

  /** A whole block of the model's answer. Blocks of one answer arrive one by one, with the same id. */
  assistant(message: WireObject, at: number): void {
    const call = this.#callOf(message, at);
    this.#note(call, message, at);
    if (this.#options.content)
      call.span.set({ 'gen_ai.output.messages': messageText('assistant', message.content) });
  }

  /** A piece of an answer that is still being written; it has more detail than whole blocks. */
  piece(event: WireObject, at: number): void {
    if (event.type === 'message_start' && isObject(event.message)) this.#callOf(event.message, at);
    if (this.#call === undefined) return;
    this.#call.lastAt = at;
    if (event.type !== 'message_delta' || !isObject(event.delta)) return;
    this.#note(this.#call, { stop_reason: event.delta.stop_reason, usage: event.usage }, at);
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

  #callOf(message: WireObject, at: number): ModelCall {
    const id = String(message.id ?? '');
    if (this.#call !== undefined && this.#call.id === id) return this.#call;
    this.#endCall();
    this.model = typeof message.model === 'string' ? message.model : (this.model ?? 'unknown');
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
    this.#call = { id, span, startedAt, model: this.model, lastAt: at };
    return this.#call;
  }

  #note(call: ModelCall, { usage, stop_reason: reason }: WireObject, at: number): void {
    call.lastAt = at;
    // Blocks before the end of an answer have the token count from its beginning.
    if (typeof reason !== 'string') return;
    call.span.set({ 'gen_ai.response.finish_reasons': [reason] });
    if (isObject(usage)) call.span.set(tokenAttributes(turnTokens(usage)));
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
