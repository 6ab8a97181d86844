export { diffTraces, type FrameChange } from './analysis/diff-traces.js';
export { type Difference, formatDifferences } from './analysis/differences.js';
export { filterTrace, type TraceFilter, traceCut } from './analysis/filter.js';
export type { FrameNote, FrameNoteOf } from './analysis/frame-notes.js';
export type { Finding } from './analysis/mistakes.js';
export { type TraceInfo, traceInfo } from './analysis/trace-info.js';
export { validateTrace } from './analysis/validate-trace.js';
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
  TraceLineOf,
  TraceSignal,
  TraceUnknown,
} from './format.js';
export { type InspectedTrace, type InspectOptions, inspectTrace } from './inspect/inspect-trace.js';
export { type TracePageOptions, tracePage } from './page/export-page.js';
export { loadTrace, type PlacedEntry, readTrace, type TraceSource } from './read/read-trace.js';
export type { LimitedFileOptions } from './record/limited-file.js';
export { recordTransport } from './record/record-transport.js';
export type { Recording, RecordingFacts, RecordOptions } from './record/recording.js';
export { startRecording } from './record/recording.js';
export { type TraceFileOptions, traceFile } from './record/trace-file.js';
export type { RecordTarget, TraceSink } from './record/trace-sink.js';
export type { Redact, RedactionRule, RedactOptions } from './redact/redactor.js';
export { makeRedactor } from './redact/redactor.js';
export { ReplayMismatchError } from './replay/expected-lines.js';
export { type HostReplayReport, type ReplayHostOptions, replayHost } from './replay/replay-host.js';
export { type ReplayOptions, type ReplayTransport, replayTrace } from './replay/replay-transport.js';
export { type ScenarioDraft, toScenario } from './scenario/to-scenario.js';
