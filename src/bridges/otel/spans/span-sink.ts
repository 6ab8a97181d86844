/** The value of an attribute. */
export type AttributeValue = string | number | boolean | string[];

/** The attributes of a span; undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, AttributeValue | undefined>>;

/** The start of a span. Times are milliseconds since 1970. */
export interface SpanStart {
  readonly name: string;
  /** `client` for a call to the model, which runs elsewhere. */
  readonly kind: 'client' | 'internal';
  readonly at: number;
  readonly attributes: SpanAttributes;
}

/** Why a span failed. */
export interface SpanFailure {
  /** A short name to group by. */
  readonly type: string;
  readonly message?: string | undefined;
}

/** A span that has not ended. */
export interface OpenSpan {
  /** Starts a child span; this span may have ended. */
  child(start: SpanStart): OpenSpan;
  /** Runs a function inside this span; undefined if nothing runs, as for a recording. */
  readonly run?: (<T>(inside: () => T) => T) | undefined;
  set(attributes: SpanAttributes): void;
  event(name: string, at: number, attributes: SpanAttributes): void;
  end(at: number, failure?: SpanFailure): void;
}

/** Where spans and measurements go: the OpenTelemetry API, or a file. */
export interface SpanSink {
  /** Starts a span inside the active one. */
  root(start: SpanStart): OpenSpan;
  /** Adds a value to a metric; undefined if there are no metrics. */
  readonly measure?: ((name: MetricName, value: number, attributes: SpanAttributes) => void) | undefined;
}

/** The metrics, with their units. */
export const METRICS = {
  'gen_ai.client.token.usage': { unit: '{token}', description: 'Tokens that the model read and wrote.' },
  'gen_ai.client.operation.duration': { unit: 's', description: 'How long a call to the model took.' },
  'gen_ai.invoke_agent.duration': { unit: 's', description: 'How long a turn or a subagent took.' },
  'gen_ai.execute_tool.duration': { unit: 's', description: 'How long a tool call took, with its prompts.' },
  'coxswain.prompt.duration': { unit: 's', description: 'How long a prompt waited for its answer.' },
  'coxswain.cost': { unit: '{USD}', description: 'The cost of a turn.' },
  'coxswain.limit.utilization': { unit: '1', description: 'The used share of a usage window of the login.' },
} as const;

/** Metrics of which only the latest value counts. */
export const GAUGES: ReadonlySet<MetricName> = new Set(['coxswain.limit.utilization']);

/** The name of a metric. */
export type MetricName = keyof typeof METRICS;
