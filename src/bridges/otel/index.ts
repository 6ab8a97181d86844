export type { SpanOptions } from './spans/conversation-spans.js';
export { traceEnvironment } from './trace-environment.js';
export { type TraceSessionOptions, traceSession } from './trace-session.js';
