export type {
  RecordedEnd,
  Sender,
  TraceBroken,
  TraceEnd,
  TraceEntry,
  TraceEof,
  TraceFacts,
  TraceFull,
  TraceGap,
  TraceHeader,
  TraceLine,
  TraceSignal,
  TraceUnknown,
} from './format.js';
export { TRACE_VERSION } from './format.js';
export { recordTransport } from './record/record-transport.js';
export type { Recording, RecordingFacts, RecordingParts, RecordOptions } from './record/recording.js';
export { startRecording } from './record/recording.js';
export { type TraceFileOptions, traceFile } from './record/trace-file.js';
export type { TraceSink } from './record/trace-sink.js';
export type { Redact, RedactionRule, RedactOptions } from './redact/redactor.js';
export { makeRedactor } from './redact/redactor.js';
