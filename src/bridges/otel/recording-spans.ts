import { outcomeOf } from '../../host/session/turns/outcome.js';
import { UsageMeter } from '../../host/session/turns/usage.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import type { TraceLine } from '../../wire/trace/format.js';
import { readTrace, type TraceSource } from '../../wire/trace/read/read-trace.js';
import { ConversationSpans, type SpanOptions, turnEnd } from './spans/conversation-spans.js';
import type { SpanSink } from './spans/span-sink.js';

/** Creates the spans of a recording, with the recorded times. */
export async function recordingSpans(
  source: TraceSource,
  sink: SpanSink,
  options: SpanOptions = {},
): Promise<void> {
  const reader = new RecordingReader(new ConversationSpans(sink, options));
  let startedAt = 0;
  let last = 0;
  for await (const { entry } of readTrace(source)) {
    if (entry.kind === 'header') startedAt = Date.parse(entry.startedAt);
    if ('t' in entry) last = startedAt + entry.t;
    if (entry.kind === 'line') reader.line(entry, last);
  }
  reader.end(last);
}

/** The events of a session, read from its recording. */
class RecordingReader {
  readonly #spans: ConversationSpans;
  readonly #meter = new UsageMeter();
  readonly #turns: ReturnType<ConversationSpans['beginTurn']>[] = [];

  constructor(spans: ConversationSpans) {
    this.#spans = spans;
  }

  line({ from, frame }: TraceLine, at: number): void {
    if (frame === undefined) return;
    if (from === 'host') this.#fromHost(frame, at);
    else this.#fromCli(frame, at);
  }

  /** A recording can stop anywhere. */
  end(at: number): void {
    for (const end of this.#turns) end(at, { kind: 'unfinished' });
    this.#spans.end(at);
  }

  #fromHost(frame: WireObject, at: number): void {
    if (frame.type === 'user' && isObject(frame.message))
      this.#turns.push(this.#spans.beginTurn(at, frame.message.content));
    if (frame.type === 'control_response' && isObject(frame.response))
      this.#spans.endWait(String(frame.response.request_id), 'answered', at);
  }

  #fromCli(frame: WireObject, at: number): void {
    if (frame.type === 'control_request' && isObject(frame.request)) {
      this.#asked(String(frame.request_id), frame.request, at);
      return;
    }
    if (frame.type === 'control_cancel_request')
      this.#spans.endWait(String(frame.request_id), 'withdrawn', at);
    // There is no unanswered message: the CLI started the turn itself.
    if (
      frame.type === 'assistant' &&
      this.#turns.length === 0 &&
      typeof frame.parent_tool_use_id !== 'string'
    )
      this.#turns.push(this.#spans.beginTurn(at, undefined));
    this.#spans.message(frame, at);
    if (frame.type !== 'result') return;
    const usage = this.#meter.take(frame);
    this.#turns.shift()?.(at, turnEnd(outcomeOf(frame, { interruptAsked: false, usage })));
  }

  #asked(id: string, request: WireObject, at: number): void {
    const toolUseId = typeof request.tool_use_id === 'string' ? request.tool_use_id : undefined;
    const kind = promptKind(request);
    if (kind !== undefined) this.#spans.beginWait({ id, kind, toolUseId }, at);
  }
}

function promptKind({ subtype, tool_name: tool }: WireObject) {
  if (subtype === 'elicitation') return 'elicitation';
  if (subtype === 'request_user_dialog') return 'dialog';
  if (subtype !== 'can_use_tool') return undefined;
  if (tool === 'AskUserQuestion') return 'question';
  return tool === 'ExitPlanMode' ? 'plan' : 'permission';
}
