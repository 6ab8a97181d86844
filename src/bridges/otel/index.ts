export type { SpanOptions } from './spans/conversation-spans.js';
export { traceEnvironment } from './trace-environment.js';
export { insideToolSpan, type TraceSessionOptions, traceSession } from './trace-session.js';
