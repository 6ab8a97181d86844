import {
  context,
  type Gauge,
  type Histogram,
  type Meter,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { ToolContext } from '../../host/mcp/tool.js';
import type { Session } from '../../host/session/session.js';
import { packageVersion } from '../../wire/package/built-file.js';
import { ConversationSpans, type SpanOptions, turnEnd } from './spans/conversation-spans.js';
import {
  GAUGES,
  METRICS,
  type MetricName,
  type OpenSpan,
  type SpanAttributes,
  type SpanSink,
  type SpanStart,
} from './spans/span-sink.js';

/** The options of {@link traceSession}. */
export interface TraceSessionOptions extends SpanOptions {
  /** Creates the spans. Default: the tracer `coxswain` of the global provider. */
  readonly tracer?: Tracer | undefined;
  /** Creates the metrics. Default: the meter `coxswain` of the global provider. */
  readonly meter?: Meter | undefined;
}

/**
 * Creates spans and metrics for a session from now on. Each turn is a child of the span that is active when its message
 * is sent. The returned function stops tracing.
 */
export function traceSession(session: Pick<Session, 'on'>, options: TraceSessionOptions = {}): () => void {
  const sink = apiSink(options);
  const spans = new ConversationSpans(sink, options);
  traced.set(session, spans);
  const stops = [
    session.on('turn', ({ turn, content }) => {
      const end = spans.beginTurn(now(), content);
      void turn.outcome.then((outcome) => end(now(), turnEnd(outcome)));
    }),
    session.on('message', (message) => spans.message(message, now())),
    session.on('prompt', ({ prompt, state }) => {
      const { id, kind, origin } = prompt;
      if (state === 'open') spans.beginWait({ id, kind, toolUseId: origin.toolUseId }, now());
      else spans.endWait(id, state, now());
    }),
    session.on('limits', ({ windows }) => {
      for (const { name, utilization } of windows)
        sink.measure?.('coxswain.limit.utilization', utilization, { 'coxswain.limit.window': name });
    }),
    session.on('state', (state) => {
      if (state === 'ended') spans.end(now());
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    spans.end(now());
  };
}

/** The traced sessions. */
const traced = new WeakMap<object, ConversationSpans>();

/**
 * Runs a function inside the `execute_tool` span of a tool call, so that spans created there are its children. Without
 * tracing, or if the CLI does not identify the call, the function just runs.
 */
export function insideToolSpan<T>(
  { session, toolUseId }: Pick<ToolContext, 'session' | 'toolUseId'>,
  run: () => T,
): T {
  const spans = session === undefined ? undefined : traced.get(session);
  const span = toolUseId === undefined ? undefined : spans?.tool(toolUseId);
  return span?.run === undefined ? run() : span.run(run);
}

/** More precise than `Date.now()`, and never goes back. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function apiSink({ tracer, meter }: TraceSessionOptions): SpanSink {
  const spans = tracer ?? trace.getTracer('coxswain', packageVersion());
  const measures = meter ?? metrics.getMeter('coxswain', packageVersion());
  const instruments = new Map<MetricName, Histogram | Gauge>();
  return {
    root: (start) => begin(spans, start, context.active()),
    measure: (name, value, attributes) => {
      const create = GAUGES.has(name) ? 'createGauge' : 'createHistogram';
      const instrument = instruments.get(name) ?? measures[create](name, METRICS[name]);
      instruments.set(name, instrument);
      instrument.record(value, given(attributes));
    },
  };
}

/** A metric keeps an undefined attribute as an empty one; a span leaves it out. */
function given(attributes: SpanAttributes): SpanAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

function begin(tracer: Tracer, start: SpanStart, parent: ReturnType<typeof context.active>): OpenSpan {
  const { name, kind, at, attributes } = start;
  const span = tracer.startSpan(name, { kind: KINDS[kind], startTime: at, attributes }, parent);
  const inside = trace.setSpan(parent, span);
  return {
    child: (inner) => begin(tracer, inner, inside),
    run: (what) => context.with(inside, what),
    set: (more) => void span.setAttributes(more),
    event: (event, when, more) => void span.addEvent(event, more, when),
    end: (when, failure) => {
      if (failure !== undefined) fail(span, failure);
      span.end(when);
    },
  };
}

function fail(
  span: Span,
  { type, message }: { readonly type: string; readonly message?: string | undefined },
): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
}
