import type { FrameIssue } from '../../protocol/catalog/issues.schemas.js';
import { readTrace, type TraceSource } from '../read/read-trace.js';
import { fits, type TraceFilter } from './filter.js';
import { FrameNamer, type FrameNote } from './frame-notes.js';
import { type Finding, MistakeFinder } from './mistakes.js';

/**
 * Checks every frame of a recording against the catalog, and the order of requests and answers; streamed. With a
 * filter, reports only matching lines.
 */
export async function* validateTrace(
  source: TraceSource,
  filter: TraceFilter = {},
): AsyncGenerator<Finding, void, undefined> {
  const check = await loadFrameCheck();
  const namer = new FrameNamer();
  const finder = new MistakeFinder();
  const requests = new Set<number>();
  for await (const { at, entry } of readTrace(source)) {
    const note = namer.note({ at, entry });
    // Checked even if it does not match: another line may depend on it.
    const mistakes = [...finder.take(at, entry, note)];
    if (note !== undefined && !fits(note, filter)) continue;
    yield* mistakes;
    if (note !== undefined) yield* check(note);
    if (note?.frame?.type === 'control_request') requests.add(at);
  }
  for (const finding of finder.finish()) if (requests.has(finding.at)) yield finding;
}

/** Loads the check against the catalog: the only place in this layer that loads zod. */
export async function loadFrameCheck(): Promise<(note: FrameNote) => readonly Finding[]> {
  const { checkFrame } = await import('../../protocol/catalog/check.schemas.js');
  return (note) => {
    const { from, subtype, frame } = note;
    if (frame === undefined) return [];
    const isAnswer = frame.type === 'control_response' && subtype !== undefined;
    const issues = checkFrame(frame, { from, ...(isAnswer ? { answerTo: subtype } : {}) });
    return issues.map((issue) => issueFinding(note, issue));
  };
}

function issueFinding({ at, label }: FrameNote, { path, problem }: FrameIssue): Finding {
  const severity = problem.startsWith('unknown') ? 'warning' : 'error';
  const where = path === '' ? 'the frame' : path;
  return { at, severity, problem, label, message: `${where}: ${SENTENCES[problem]}` };
}

const SENTENCES: Readonly<Record<FrameIssue['problem'], string>> = {
  missing: 'is missing.',
  'wrong-type': 'has the wrong type.',
  'wrong-value': 'has a value that is not allowed.',
  'unknown-key': 'is a key that is not in the catalog.',
  'unknown-value': 'is a value that is not in the catalog.',
  unknown: 'is not in the catalog.',
};
