import { useEffect, useState } from 'react';
import type { PageHead } from '../../src/wire/trace/page/page-lines.js';
import { WireLog } from '../shared/model/wire-log.js';
import { RecordingView } from '../shared/recording-view.js';
import { fetchWindow, fetchWindows, followRecording, type LiveState, type Window } from './served-source.js';

/** Shows a recording that a server sends in parts, or while it is being written. */
export function ServedRecording({ head }: { readonly head: PageHead }) {
  return head.follow === true ? <LiveRecording head={head} /> : <WindowedRecording head={head} />;
}

function LiveRecording({ head }: { readonly head: PageHead }) {
  const [log, setLog] = useState(() => new WireLog());
  const [{ state, word }, setLive] = useState<{ state: LiveState; word: string }>({
    state: 'waiting',
    word: 'waiting for the first line',
  });
  useEffect(
    () => followRecording({ onLog: setLog, onState: (next, text) => setLive({ state: next, word: text }) }),
    [],
  );
  return (
    <RecordingView
      log={log}
      title={head.name}
      beside={
        <span className="wire-live" data-state={state} role="status">
          {word}
        </span>
      }
    />
  );
}

function WindowedRecording({ head }: { readonly head: PageHead }) {
  const [windows, setWindows] = useState<readonly Window[]>([]);
  const [index, setIndex] = useState(0);
  const [log, setLog] = useState(() => new WireLog());
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const left = new AbortController();
    const show = (error: unknown) => {
      if (!left.signal.aborted) setProblem(`It could not be loaded: ${String(error)}`);
    };
    fetchWindows(left.signal).then(setWindows, show);
    return () => left.abort();
  }, []);
  useEffect(() => {
    const left = new AbortController();
    const next = new WireLog({ limit: Number.POSITIVE_INFINITY, findMistakes: false });
    setLog(next);
    setProblem('');
    fetchWindow(index, next, left.signal).catch((error: unknown) => {
      if (!left.signal.aborted) setProblem(`It could not be loaded: ${String(error)}`);
    });
    return () => left.abort();
  }, [index]);
  return (
    <RecordingView
      key={index}
      log={log}
      followEnd={false}
      title={head.name}
      beside={
        <>
          {windows.length > 1 && <WindowPicker windows={windows} index={index} onIndex={setIndex} />}
          {problem !== '' && (
            <span className="wire-live" data-state="lost" role="alert">
              {problem}
            </span>
          )}
        </>
      }
    />
  );
}

interface WindowPickerProps {
  readonly windows: readonly Window[];
  readonly index: number;
  readonly onIndex: (index: number) => void;
}

/** A large recording is shown in parts. */
function WindowPicker({ windows, index, onIndex }: WindowPickerProps) {
  return (
    <span className="page-windows">
      <button type="button" disabled={index === 0} onClick={() => onIndex(index - 1)}>
        ← earlier
      </button>
      <label>
        part{' '}
        <select value={index} onChange={({ target }) => onIndex(Number(target.value))}>
          {windows.map(({ line }, place) => (
            <option key={line} value={place}>
              {place + 1} of {windows.length}, from line {line.toLocaleString('en')}
            </option>
          ))}
        </select>
      </label>
      <button type="button" disabled={index === windows.length - 1} onClick={() => onIndex(index + 1)}>
        later →
      </button>
    </span>
  );
}
