import { randomBytes } from 'node:crypto';
import type {
  AttributeValue,
  OpenSpan,
  SpanAttributes,
  SpanFailure,
  SpanSink,
  SpanStart,
} from './spans/span-sink.js';

/** Spans as a document of the OpenTelemetry Protocol, in JSON. */
export class OtlpDocument implements SpanSink {
  readonly #traceId = randomBytes(16).toString('hex');
  readonly #spans: object[] = [];
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  /** The number of spans. */
  get size(): number {
    return this.#spans.length;
  }

  root(start: SpanStart): OpenSpan {
    return this.#begin(start, undefined);
  }

  /** The document that an OTLP collector accepts at `/v1/traces`. */
  toJSON(): object {
    const scope = { name: 'coxswain', version: this.#version };
    const resource = { attributes: encodeAttributes({ 'service.name': 'coxswain' }) };
    return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: this.#spans }] }] };
  }

  #begin({ name, kind, at, attributes }: SpanStart, parentSpanId: string | undefined): OpenSpan {
    const spanId = randomBytes(8).toString('hex');
    const events: object[] = [];
    let all = attributes;
    return {
      child: (start) => this.#begin(start, spanId),
      set: (more) => {
        all = { ...all, ...more };
      },
      event: (event, when, more) =>
        void events.push({ name: event, timeUnixNano: nanos(when), attributes: encodeAttributes(more) }),
      end: (when, failure) =>
        void this.#spans.push({
          traceId: this.#traceId,
          spanId,
          ...(parentSpanId === undefined ? {} : { parentSpanId }),
          name,
          kind: KINDS[kind],
          startTimeUnixNano: nanos(at),
          endTimeUnixNano: nanos(when),
          attributes: encodeAttributes({ ...all, 'error.type': failure?.type ?? all['error.type'] }),
          events,
          status: statusOf(failure),
        }),
    };
  }
}

/** The numeric codes of the protocol. */
const KINDS = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;

function statusOf(failure: SpanFailure | undefined): object {
  return failure === undefined ? {} : { code: STATUS_ERROR, message: failure.message ?? failure.type };
}

/** A double cannot hold nanoseconds precisely enough. */
function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function encodeAttributes(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { arrayValue: { values: value.map(encodeValue) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
