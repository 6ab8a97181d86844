import { WireLog } from '../shared/model/wire-log.js';
import { takeLines } from './source.js';

/** A part of a large recording. */
export interface Window {
  /** Its first line. */
  readonly line: number;
  readonly bytes: number;
}

/** The parts of a recording. */
export async function fetchWindows(signal: AbortSignal): Promise<readonly Window[]> {
  const response = await fetch('windows', { signal });
  return await response.json();
}

/** Adds one part to a log, as it arrives. */
export async function fetchWindow(index: number, log: WireLog, signal: AbortSignal): Promise<void> {
  const { ok, status, body } = await fetch(`window/${index}`, { signal });
  if (!ok || body === null) throw new Error(`the server answered ${status}`);
  let [rest, shownAt] = ['', 0];
  for await (const text of texts(body)) {
    rest += text;
    const end = rest.lastIndexOf('\n') + 1;
    // Rendering after every chunk would take longer than loading.
    if (end === 0 || performance.now() - shownAt < DRAW_MS) continue;
    takeLines(log, rest.slice(0, end));
    rest = rest.slice(end);
    shownAt = performance.now();
  }
  takeLines(log, rest);
}

const DRAW_MS = 250;

/** The state of a recording that is being written. */
export type LiveState = 'waiting' | 'live' | 'ended' | 'lost';

/** What is reported about a recording that is being written. */
export interface Follower {
  readonly onLog: (log: WireLog) => void;
  readonly onState: (state: LiveState, word: string) => void;
}

/**
 * Follows a recording; the returned function stops that. The browser reopens a broken connection where it
 * left off.
 */
export function followRecording({ onLog, onState }: Follower): () => void {
  const source = new EventSource('follow');
  let log: WireLog | undefined;
  source.addEventListener('from', () => {
    if (log === undefined) {
      log = new WireLog({ findMistakes: false });
      onLog(log);
    }
    onState('live', 'live');
  });
  source.addEventListener('lines', ({ data }: MessageEvent<string>) => {
    if (log !== undefined) takeLines(log, data);
  });
  source.addEventListener('end', () => {
    source.close();
    onState('ended', 'the session has ended');
  });
  source.addEventListener('problem', ({ data }: MessageEvent<string>) => {
    source.close();
    onState('lost', data);
  });
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) onState('lost', 'connection lost, trying again');
    else onState('lost', 'connection lost');
  });
  return () => source.close();
}

async function* texts(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
